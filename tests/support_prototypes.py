"""GE's public prototypes of the operators that the converters write, restated: ports, kinds of attributes.

A line is `type: inputs -> outputs: attributes`; `?` marks an optional port, `*` a dynamic one.
"""

from __future__ import annotations

from typing import Any

from maxpoolgrad_onnx.converters.ge_ir import ListOf, Node

TABLE = """
AccumulateNV2: x* -> y: N Int
Abs: x -> y:
Add: x1 x2 -> y:
BatchMatMulV2: x1 x2 bias? offset_w? -> y: adj_x1 Bool, adj_x2 Bool, offset_x Int
BiasAdd: x bias -> y: data_format String
Cast: x -> y: dst_type Int
Ceil: x -> y:
ConcatD: x* -> y: concat_dim Int, N Int
Conv2D: x filter bias? offset_w? -> y: strides ListInt, pads ListInt, dilations ListInt, groups Int, data_format String, offset_x Int
Conv2DBackpropFilter: x filter_size out_backprop -> y: strides ListInt, pads ListInt, dilations ListInt, groups Int, data_format String
Conv2DBackpropInput: input_size filter out_backprop -> y: strides ListInt, pads ListInt, dilations ListInt, groups Int, data_format String
Equal: x1 x2 -> y:
Erf: x -> y:
Exp: x -> y: base Float, scale Float, shift Float
Expand: x shape -> y:
Fill: dims value -> y:
Flatten: x -> y: axis Int
Floor: x -> y:
GEMM: a b c alpha beta -> y: transpose_a Bool, transpose_b Bool
GatherV2: x indices axis -> y: batch_dims Int, is_preprocessed Bool, negative_index_support Bool
Greater: x1 x2 -> y:
GreaterEqual: x1 x2 -> y:
Identity: x -> y:
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
RealDiv: x1 x2 -> y:
Reciprocal: x -> y:
ReduceMax: x axes -> y: keep_dims Bool, noop_with_empty_axes Bool
ReduceMean: x axes -> y: keep_dims Bool, noop_with_empty_axes Bool
ReduceMin: x axes -> y: keep_dims Bool, noop_with_empty_axes Bool
ReduceProd: x axes -> y: keep_dims Bool, noop_with_empty_axes Bool
ReduceSum: x axes -> y: keep_dims Bool, noop_with_empty_axes Bool
Relu: x -> y:
Reshape: x shape -> y: axis Int, num_axes Int
SelectV2: condition then else -> result:
Shape: x -> y: dtype Int
Sigmoid: x -> y:
Sign: x -> y:
SoftmaxV2: x -> y: axes ListInt, half_to_float Bool
Sqrt: x -> y:
Squeeze: x -> y: axis ListInt
Sub: x1 x2 -> y:
Tanh: x -> y:
Transpose: x perm -> y:
Unsqueeze: x -> y: axes ListInt
"""  # noqa: E501

_ROWS = {line.split(":")[0]: line.split(":")[1:] for line in TABLE.strip().splitlines()}


def types() -> set[str]:
    """Every type in the table."""
    return set(_ROWS)


def assert_as_prototype(node: Node) -> None:
    """A node's ports and attributes, names, number, order and kinds, are the prototype's."""
    sides, attributes = _ROWS[node.type]
    inputs, outputs = (side.split() for side in sides.split("->"))
    _assert_ports(list(node.input_descs), inputs)
    _assert_ports(list(node.output_descs), outputs)
    assert len(node.inputs) == len(node.input_descs), node
    wanted = dict(entry.split() for entry in attributes.split(",") if entry.strip())
    assert {name: _kind(value) for name, value in node.attrs.items()} == wanted, node


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
        assert all(type(item) is int for item in value.values)
        return {"int": "ListInt"}[value.kind]
    return {bool: "Bool", int: "Int", float: "Float", str: "String"}[type(value)]
