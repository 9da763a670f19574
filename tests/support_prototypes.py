"""GE's public prototypes of the operators that the converters write, restated: ports, kinds of attributes.

A line is `type: inputs -> outputs: attributes`; `?` marks an optional port, `*` a dynamic one.
"""

from __future__ import annotations

from typing import Any

from maxpoolgrad_onnx.converters.ge_ir import ListOf, Node

TABLE = """
Abs: x -> y:
AccumulateNV2: x* -> y: N Int
Add: x1 x2 -> y:
AvgPoolV2: x -> y: ksize ListInt, strides ListInt, padding_mode String, pads ListInt, data_format String, global_pooling Bool, ceil_mode Bool, exclusive Bool, divisor_override Int
BatchMatMulV2: x1 x2 bias? offset_w? -> y: adj_x1 Bool, adj_x2 Bool, offset_x Int
BatchNorm: x scale offset mean? variance? -> y batch_mean batch_variance reserve_space_1 reserve_space_2 reserve_space_3: epsilon Float, data_format String, is_training Bool, exponential_avg_factor Float
BatchNormGrad: y_backprop x scale reserve_space_1 reserve_space_2 reserve_space_3? -> x_backprop scale_backprop offset_backprop reserve_space_4 reserve_space_5: epsilon Float, data_format String, is_training Bool, output_mask ListBool
BiasAdd: x bias -> y: data_format String
BroadcastTo: x shape -> y:
Cast: x -> y: dst_type Int
Ceil: x -> y:
ClipByValue: x clip_value_min clip_value_max -> y:
ConcatD: x* -> y: concat_dim Int, N Int
Conv2D: x filter bias? offset_w? -> y: strides ListInt, pads ListInt, dilations ListInt, groups Int, data_format String, offset_x Int
Conv2DBackpropFilter: x filter_size out_backprop -> y: strides ListInt, pads ListInt, dilations ListInt, groups Int, data_format String
Conv2DBackpropInput: input_size filter out_backprop -> y: strides ListInt, pads ListInt, dilations ListInt, groups Int, data_format String
Conv2DTranspose: input_size x filter bias? offset_w? -> y: strides ListInt, pads ListInt, dilations ListInt, groups Int, data_format String, output_padding ListInt, offset_x Int
Equal: x1 x2 -> y:
Erf: x -> y:
Exp: x -> y: base Float, scale Float, shift Float
Expand: x shape -> y:
Fill: dims value -> y:
Flatten: x -> y: axis Int
Floor: x -> y:
GEMM: a b c alpha beta -> y: transpose_a Bool, transpose_b Bool
GatherElements: x index -> y: dim Int
GatherNd: x indices -> y: negative_index_support Bool
GatherV2: x indices axis -> y: batch_dims Int, is_preprocessed Bool, negative_index_support Bool
GlobalAveragePool: x -> y:
Greater: x1 x2 -> y:
GreaterEqual: x1 x2 -> y:
HardSigmoid: input_x -> output_y: alpha Float, beta Float
HardSwish: x -> y:
Identity: x -> y:
LeakyRelu: x -> y: negative_slope Float
Less: x1 x2 -> y:
LessEqual: x1 x2 -> y:
Log: x -> y: base Float, scale Float, shift Float
LogSoftmaxV2: logits -> logsoftmax: axes ListInt
LogicalAnd: x1 x2 -> y:
LogicalNot: x -> y:
LogicalOr: x1 x2 -> y:
MatMulV2: x1 x2 bias? offset_w? -> y: transpose_x1 Bool, transpose_x2 Bool, offset_x Int
MaxPoolV3: x -> y: ksize ListInt, strides ListInt, padding_mode String, pads ListInt, data_format String, global_pooling Bool, ceil_mode Bool
MaxPoolV3Grad: orig_input orig_output grad -> out_grad: ksize ListInt, strides ListInt, padding_mode String, pads ListInt, data_format String, global_pooling Bool, ceil_mode Bool
Maximum: x1 x2 -> y:
Minimum: x1 x2 -> y:
Mul: x1 x2 -> y:
Muls: x -> y: value Float
Neg: x -> y:
OneHot: x depth on_value off_value -> y: axis Int
PadV3: x paddings constant_values? -> y: mode String, paddings_contiguous Bool
Pow: x1 x2 -> y:
Range: start limit delta -> y: is_closed Bool
RealDiv: x1 x2 -> y:
Reciprocal: x -> y:
ReduceMax: x axes -> y: keep_dims Bool, noop_with_empty_axes Bool
ReduceMean: x axes -> y: keep_dims Bool, noop_with_empty_axes Bool
ReduceMin: x axes -> y: keep_dims Bool, noop_with_empty_axes Bool
ReduceProd: x axes -> y: keep_dims Bool, noop_with_empty_axes Bool
ReduceSum: x axes -> y: keep_dims Bool, noop_with_empty_axes Bool
Relu: x -> y:
ReluGrad: gradients features -> backprops:
Reshape: x shape -> y: axis Int, num_axes Int
ScatterElements: data indices updates -> y: axis Int, reduction String
SelectV2: condition then else -> result:
Shape: x -> y: dtype Int
Sigmoid: x -> y:
Sign: x -> y:
Size: x -> y: dtype Int
SoftmaxV2: x -> y: axes ListInt, half_to_float Bool
Split: split_dim x -> y*: num_split Int
SplitV: x size_splits split_dim -> y*: num_split Int
Sqrt: x -> y:
Squeeze: x -> y: axis ListInt
SqueezeV3: x axes? -> y:
StridedSlice: x begin end strides -> y: begin_mask Int, end_mask Int, ellipsis_mask Int, new_axis_mask Int, shrink_axis_mask Int
StridedSliceV2: x begin end axes? strides? -> y: begin_mask Int, end_mask Int, ellipsis_mask Int, new_axis_mask Int, shrink_axis_mask Int
Sub: x1 x2 -> y:
Tanh: x -> y:
Tile: x multiples -> y:
Transpose: x perm -> y:
TruncateDiv: x1 x2 -> y:
Unsqueeze: x -> y: axes ListInt
UnsqueezeV3: x axes -> y:
"""  # noqa: E501

_ROWS = {line.split(":")[0]: line.split(":")[1:] for line in TABLE.strip().splitlines()}


def types() -> set[str]:
    """Every type in the table."""
    return set(_ROWS)


def assert_as_prototype(node: Node) -> None:
    """A node's ports and attributes, names, number, order and kinds, are the prototype's.

    Only the project's own attributes may stand beside them.
    """
    sides, attributes = _ROWS[node.type]
    inputs, outputs = (side.split() for side in sides.split("->"))
    _assert_ports(list(node.input_descs), inputs)
    _assert_ports(list(node.output_descs), outputs)
    assert len(node.inputs) == len(node.input_descs), node
    wanted = dict(entry.split() for entry in attributes.split(",") if entry.strip())
    own = {name: value for name, value in node.attrs.items() if not name.startswith("_onnx_")}
    assert {name: _kind(value) for name, value in own.items()} == wanted, node


def _assert_ports(found: list[str], wanted: list[str]) -> None:
    if wanted and wanted[-1].endswith("*"):
        fixed, name = wanted[:-1], wanted[-1][:-1]
        assert found == fixed + [f"{name}{i}" for i in range(len(found) - len(fixed))]
        return
    required = [name for name in wanted if not name.endswith("?")]
    assert found == [name.rstrip("?") for name in wanted][: len(found)]
    assert len(found) >= len(required)


def _kind(value: Any) -> str:
    if isinstance(value, ListOf):
        kind, item_type = {"int": ("ListInt", int), "bool": ("ListBool", bool)}[value.kind]
        assert all(type(item) is item_type for item in value.values)
        return kind
    return {bool: "Bool", int: "Int", float: "Float", str: "String"}[type(value)]
