"""The prototypes of the GE operators that the converters write and read.

Restated from the operators' public prototypes (REG_OP), release of August 2026.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from maxpoolgrad_onnx.contract import ATTRIBUTES, INPUT_NAMES, OP_TYPE, OUTPUT_NAME

from .prototype import REQUIRED, Attribute, Kind, Port, Prototype


def _int(default: Any = REQUIRED) -> Attribute:
    return Attribute("Int", default)


def _float(default: Any = REQUIRED) -> Attribute:
    return Attribute("Float", default)


def _bool(default: Any = REQUIRED) -> Attribute:
    return Attribute("Bool", default)


def _string(default: Any = REQUIRED) -> Attribute:
    return Attribute("String", default)


def _ints(default: Any = REQUIRED) -> Attribute:
    return Attribute("ListInt", default)


def _port(text: str) -> Port:
    name = text.rstrip("?*@")
    marks = text[len(name) :]
    return Port(name, optional="?" in marks, dynamic="*" in marks, spatial="@" in marks)


PROTOTYPES: dict[str, Prototype] = {}


def _op(type_: str, inputs: str, outputs: str, source: str, **attributes: Attribute) -> None:
    """`name?` is an optional port, `name*` a dynamic one, `name@` a spatial one."""
    ports = [[_port(text) for text in side.split()] for side in (inputs, outputs)]
    PROTOTYPES[type_] = Prototype(type_, ports[0], ports[1], attributes, source)


_OLD = "graphengine/fwkacllib/op_proto"

# Ends of a graph
_op("Data", "x", "y", _OLD, index=_int(0))
_op("Const", "", "y", _OLD, value=Attribute("Tensor"))
_op("Identity", "x", "y", "ops-math/conversion/identity")

# Convolution
_CONV = {
    "strides": _ints(),
    "pads": _ints(),
    "dilations": _ints((1, 1, 1, 1)),
    "groups": _int(1),
    "data_format": _string("NHWC"),
}
_op("Conv2D", "x@ filter@ bias? offset_w?", "y@", "ops-nn/common/op_graph", **_CONV, offset_x=_int(0))
_op("Conv2DBackpropInput", "input_size filter@ out_backprop@", "y@", _OLD, **_CONV)
_op("Conv2DBackpropFilter", "x@ filter_size out_backprop@", "y@", _OLD, **_CONV)

# Pooling: the attributes are those of the operator's contract, and its bools are bools here
_KINDS: Mapping[str, Kind] = {"INTS": "ListInt", "STRING": "String", "BOOL": "Bool"}
_POOL = {
    name: Attribute(_KINDS[kind], REQUIRED if required else bool(default) if kind == "BOOL" else default)
    for name, kind, required, default in ATTRIBUTES
}
_GRAD_INPUTS = " ".join(f"{name}@" for name in INPUT_NAMES)
_op("MaxPoolV3", "x@", "y@", "ops-nn/pooling/max_pool_v3", **_POOL)
_op(OP_TYPE, _GRAD_INPUTS, f"{OUTPUT_NAME}@", "ops-nn/pooling/max_pool_v3_grad", **_POOL)

# Matrix products
_op(
    "MatMulV2",
    "x1 x2 bias? offset_w?",
    "y",
    "ops-nn/common/op_graph",
    transpose_x1=_bool(False),
    transpose_x2=_bool(False),
    offset_x=_int(0),
)
_op(
    "BatchMatMulV2",
    "x1 x2 bias? offset_w?",
    "y",
    "ops-nn/common/op_graph",
    adj_x1=_bool(False),
    adj_x2=_bool(False),
    offset_x=_int(0),
)
_op(
    "GEMM",
    "a b c alpha beta",
    "y",
    "ops-nn/common/op_graph",
    transpose_a=_bool(False),
    transpose_b=_bool(False),
)
_op("BiasAdd", "x bias", "y", "ops-math/math/bias_add", data_format=_string("NHWC"))

# One by one
for _type, _folder in {
    "Abs": "abs",
    "Ceil": "ceil",
    "Erf": "erf",
    "Floor": "floor",
    "LogicalNot": "logical_not",
    "Neg": "neg",
    "Reciprocal": "reciprocal",
    "Sigmoid": "sigmoid",
    "Sign": "sign",
    "Sqrt": "sqrt",
    "Tanh": "tanh",
}.items():
    _op(_type, "x", "y", f"ops-math/math/{_folder}")
_op("Relu", "x", "y", "ops-nn/activation/relu")
_SCALED = {"base": _float(-1.0), "scale": _float(1.0), "shift": _float(0.0)}
_op("Exp", "x", "y", "ops-math/math/exp", **_SCALED)
_op("Log", "x", "y", "ops-math/math/log", **_SCALED)
for _type, _folder in {
    "Add": "add",
    "Equal": "equal",
    "Greater": "greater",
    "GreaterEqual": "greater_equal",
    "Less": "less",
    "LessEqual": "less_equal",
    "LogicalAnd": "logical_and",
    "LogicalOr": "logical_or",
    "Maximum": "maximum",
    "Minimum": "minimum",
    "Mul": "mul",
    "RealDiv": "real_div",
    "Sub": "sub",
}.items():
    _op(_type, "x1 x2", "y", f"ops-math/math/{_folder}")
_op("Muls", "x", "y", "ops-math/math/muls", value=_float())
_op("AccumulateNV2", "x*", "y", "ops-math/math/accumulate_nv2", N=_int())
_op("SelectV2", "condition then else", "result", "ops-math/math/select_v2")
_op("Cast", "x", "y", "ops-math/math/cast", dst_type=_int())

# Softmax
_op("SoftmaxV2", "x", "y", "ops-nn/activation/softmax_v2", axes=_ints((-1,)), half_to_float=_bool(False))
_op("LogSoftmaxV2", "logits", "logsoftmax", "ops-nn/activation/log_softmax_v2", axes=_ints((-1,)))

# Reductions
for _type, _folder in {
    "ReduceMax": "reduce_max",
    "ReduceMean": "reduce_mean",
    "ReduceMin": "reduce_min",
    "ReduceProd": "reduce_prod",
    "ReduceSum": "reduce_sum",
}.items():
    _op(
        _type,
        "x axes",
        "y",
        f"ops-math/math/{_folder}",
        keep_dims=_bool(False),
        noop_with_empty_axes=_bool(True),
    )

# Shapes
_op("Reshape", "x shape", "y", "ops-math/conversion/reshape", axis=_int(0), num_axes=_int(-1))
_op("Flatten", "x", "y", "ops-math/common/op_graph", axis=_int(1))
_op("Transpose", "x perm", "y", "ops-math/conversion/transpose")
_op("Shape", "x", "y", "ops-math/math/shape", dtype=_int(3))
_op("Unsqueeze", "x", "y", "ops-math/conversion/unsqueeze", axes=_ints(()))
_op("Squeeze", "x", "y", "ops-math/conversion/squeeze", axis=_ints(()))
_op("Expand", "x shape", "y", "ops-math/math/expand")
_op("ConcatD", "x*", "y", "ops-math/conversion/concat_d", concat_dim=_int(), N=_int(1))
_op("Fill", "dims value", "y", "ops-math/conversion/fill")
_op(
    "GatherV2",
    "x indices axis",
    "y",
    "ops-nn/index/gather_v2",
    batch_dims=_int(0),
    is_preprocessed=_bool(False),
    negative_index_support=_bool(False),
)
_op("OneHot", "x depth on_value off_value", "y", "ops-math/math/one_hot", axis=_int(-1))
