"""Which products and data types the public documents of GE's operators name, release of August 2026.

A document is a README of an operator, or of an interface that says which operator it calls. What none of them
says may work all the same: a CANN installation holds more than its public part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..ge_ir import DataType
from .notation import data_types


@dataclass(frozen=True)
class Document:
    """A public document: the products that it names, and the data types of one of the operator's inputs.

    `dtypes` are those of the input at `port`, by product; None where the document names none.
    """

    path: str
    products: tuple[str, ...]
    dtypes: Mapping[str, frozenset[DataType]] | None
    port: int


PRODUCTS = {"A2": "Atlas A2", "A3": "Atlas A3", "950": "Ascend 950"}
"""The products as the table below writes them, and their names."""

_MATH, _CONVERSION = "ops-math/math", "ops-math/conversion"
_ACTIVATION, _INDEX, _POOLING = "ops-nn/activation", "ops-nn/index", "ops-nn/pooling"
_ALL = "A2 A3 950"
_SIGNED, _INTS = "int8 int16 int32 int64", "int8 int16 int32 int64 uint8"
_UNSIGNED = "uint8 uint16 uint32 uint64"
_ANY = f"floats double {_SIGNED} {_UNSIGNED} bool"


def _document(path: str, products: str, dtypes: str = "", port: int = 0) -> Document:
    """`dtypes`: names of types and groups, `name@A3,950` where it is not for all of the products."""
    named = tuple(products.split())
    path = path if path.endswith(".md") else f"{path}/README.md"
    if not dtypes:
        return Document(path, named, None, port)
    words = [word.partition("@") for word in dtypes.split()]
    own = {
        product: [name for name, _, only in words if not only or product in only.split(",")]
        for product in named
    }
    return Document(path, named, {product: data_types(names) for product, names in own.items()}, port)


DOCUMENTS: Mapping[str, Document] = {
    "Abs": _document(f"{_MATH}/abs", _ALL, f"floats double {_INTS} bool"),
    "AccumulateNV2": _document(f"{_MATH}/accumulate_nv2", _ALL, "float16 float int8 int32 uint8"),
    "Add": _document(f"{_MATH}/add", _ALL, f"floats double {_INTS} bool"),
    "AvgPoolV2": _document(f"{_POOLING}/avg_pool_v2", _ALL, "floats"),
    "BatchNorm": _document("ops-nn/norm/batch_norm", _ALL, "floats"),
    "BiasAdd": _document(f"{_MATH}/bias_add", _ALL, "floats int32 int64"),
    "BroadcastTo": _document(f"{_CONVERSION}/broadcast_to", _ALL, _ANY),
    "Cast": _document(f"{_MATH}/cast", _ALL, _ANY),
    "Ceil": _document(f"{_MATH}/ceil", _ALL, "floats"),
    "ClipByValue": _document(
        f"{_CONVERSION}/clip_by_value", _ALL, f"floats double {_SIGNED} uint8 uint16 bool"
    ),
    "ConcatD": _document(
        f"{_CONVERSION}/concat_d",
        _ALL,
        f"floats double {_INTS} bool uint16@950 uint32@950 uint64@950",
    ),
    "Conv2D": _document("ops-nn/conv/convolution_forward", _ALL, "floats"),
    "Conv2DTranspose": _document("ops-nn/conv/convolution_forward", _ALL, "floats", port=1),
    "Equal": _document(f"{_MATH}/equal", _ALL, f"floats double {_INTS} bool"),
    "Erf": _document(f"{_MATH}/erf", _ALL, "float float16 bf16@A3,950"),
    "Exp": _document(f"{_MATH}/exp", _ALL, "floats"),
    "Expand": _document(f"{_MATH}/expand", _ALL, "floats int32 int64 int8 uint8 bool"),
    "Fill": _document(f"{_CONVERSION}/fill", _ALL, f"floats double {_INTS} bool", port=1),
    "Flatten": _document(f"{_CONVERSION}/flatten", _ALL, f"floats {_SIGNED} {_UNSIGNED} bool"),
    "Floor": _document(f"{_MATH}/floor", _ALL, "floats"),
    "GEMM": _document("ops-nn/matmul/gemm/docs/aclnnGemm.md", _ALL, "floats"),
    "GatherElements": _document(f"{_INDEX}/gather_elements", "950"),
    "GatherNd": _document(f"{_INDEX}/gather_nd", "950", _ANY),
    "GatherV2": _document(f"{_INDEX}/gather_v2", "950", _ANY),
    "Greater": _document(f"{_MATH}/greater", _ALL, _ANY),
    "GreaterEqual": _document(f"{_MATH}/greater_equal", _ALL, "floats int32 int64 int8 uint8 bool"),
    "HardSigmoid": _document(f"{_ACTIVATION}/hard_sigmoid", _ALL, "floats int32"),
    "HardSwish": _document(
        f"{_ACTIVATION}/hard_swish/docs/aclnnHardswish&aclnnInplaceHardswish.md", _ALL, "floats"
    ),
    "Identity": _document(f"{_CONVERSION}/identity", _ALL, _ANY),
    "LeakyRelu": _document(f"{_ACTIVATION}/leaky_relu", _ALL, "floats"),
    "Less": _document(f"{_MATH}/less", _ALL, _ANY),
    "LessEqual": _document(f"{_MATH}/less_equal", _ALL, "floats int32 int64 uint64 uint8 int8 bool"),
    "Log": _document(f"{_MATH}/log", _ALL, f"floats double {_INTS} bool"),
    "LogSoftmaxV2": _document(f"{_ACTIVATION}/log_softmax_v2/docs/aclnnLogSoftmax.md", _ALL, "floats double"),
    "LogicalAnd": _document(f"{_MATH}/logical_and", _ALL, "bool"),
    "LogicalNot": _document(
        f"{_MATH}/logical_not/docs/aclnnLogicalNot&aclnnInplaceLogicalNot.md",
        _ALL,
        f"floats double {_INTS} bool",
    ),
    "LogicalOr": _document(f"{_MATH}/logical_or", _ALL, f"floats {_INTS} bool"),
    "MaxPoolV3": _document(f"{_POOLING}/max_pool_v3", _ALL, "floats int32 int64 uint8 int16 int8 uint16"),
    "MaxPoolV3Grad": _document(f"{_POOLING}/max_pool_v3_grad", _ALL, "float16 float"),
    "Maximum": _document(f"{_MATH}/maximum", _ALL, "floats double int8 uint8 int32 int64"),
    "Minimum": _document(f"{_MATH}/minimum", _ALL, "floats double int8 uint8 int32 int64"),
    "Mul": _document(f"{_MATH}/mul", _ALL, f"floats double {_INTS} bool"),
    "Muls": _document(f"{_MATH}/muls", _ALL, "floats int16 int32 int64"),
    "Neg": _document(f"{_MATH}/neg", _ALL, "floats double int32 int8 int64"),
    "OneHot": _document(f"{_MATH}/one_hot", _ALL, "uint8 int32 int64"),
    "PadV3": _document(f"{_CONVERSION}/pad_v3", _ALL, _ANY),
    "Pow": _document(f"{_MATH}/pow", _ALL, f"floats double {_INTS}"),
    "Range": _document(f"{_MATH}/range", _ALL, "floats int32 int64"),
    "RealDiv": _document(f"{_MATH}/real_div", _ALL, f"floats double {_INTS} uint16 bool"),
    "Reciprocal": _document(f"{_MATH}/reciprocal", _ALL, "floats"),
    "ReduceMax": _document(f"{_MATH}/reduce_max/docs/aclnnAmax.md", _ALL, f"floats double {_INTS} bool"),
    "ReduceMean": _document(f"{_MATH}/reduce_mean", _ALL, f"floats double {_SIGNED} {_UNSIGNED}"),
    "ReduceMin": _document(f"{_MATH}/reduce_min/docs/aclnnAmin.md", _ALL, f"floats double {_INTS} bool"),
    "ReduceProd": _document(f"{_MATH}/reduce_prod", _ALL, f"floats double {_INTS} bool"),
    "ReduceSum": _document(f"{_MATH}/reduce_sum", _ALL, f"floats double {_INTS} bool"),
    "Relu": _document(f"{_ACTIVATION}/relu", _ALL, "floats int8 int32 int64"),
    "ReluGrad": _document(f"{_ACTIVATION}/relu_grad", _ALL, "floats int8 int32 int64 uint8"),
    "Reshape": _document(f"{_CONVERSION}/reshape", _ALL, _ANY),
    "ScatterElements": _document(f"{_INDEX}/scatter_elements", "950", f"floats double {_SIGNED} {_UNSIGNED}"),
    "Sigmoid": _document(f"{_ACTIVATION}/sigmoid", _ALL, "floats"),
    "Sign": _document(f"{_MATH}/sign", _ALL, "floats int32 int64"),
    "SoftmaxV2": _document(f"{_ACTIVATION}/softmax_v2", _ALL, "floats"),
    "Split": _document(f"{_CONVERSION}/split", _ALL, f"float16 float {_SIGNED} {_UNSIGNED} bool", port=1),
    "SplitV": _document(f"{_CONVERSION}/split_v", _ALL, f"float16 float double {_SIGNED} {_UNSIGNED} bool"),
    "Sqrt": _document(f"{_MATH}/sqrt", _ALL, f"floats double {_INTS} bool"),
    "StridedSlice": _document(f"{_CONVERSION}/strided_slice", _ALL, f"floats {_SIGNED} {_UNSIGNED} bool"),
    "StridedSliceV2": _document(
        f"{_CONVERSION}/strided_slice_v2", "950", f"floats {_SIGNED} {_UNSIGNED} bool"
    ),
    "Sub": _document(f"{_MATH}/sub", _ALL, f"floats double {_INTS} bool"),
    "Tanh": _document(f"{_MATH}/tanh", _ALL, f"floats {_INTS} bool"),
    "Tile": _document(f"{_MATH}/tile", _ALL, _ANY),
    "Transpose": _document(f"{_CONVERSION}/transpose", _ALL, _ANY),
    "TruncateDiv": _document(f"{_MATH}/truncate_div", _ALL, f"floats {_INTS}"),
}
"""By GE operator; one that is missing has no public document that names products."""
