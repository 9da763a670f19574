"""Pooling. The attributes of MaxPoolV3 and its gradient are those of the operator's contract."""

from __future__ import annotations

from collections.abc import Mapping

from maxpoolgrad_onnx.contract import ATTRIBUTES, INPUT_NAMES, OP_TYPE, OUTPUT_NAME

from ..notation import bool_, int_, ints, op, string
from ..prototype import REQUIRED, Attribute, Kind

_KINDS: Mapping[str, Kind] = {"INTS": "ListInt", "STRING": "String", "BOOL": "Bool"}
_MAX_POOL = {
    name: Attribute(_KINDS[kind], REQUIRED if required else bool(default) if kind == "BOOL" else default)
    for name, kind, required, default in ATTRIBUTES
}
"""What ONNX writes as 0 or 1 is a bool here."""
_GRAD_INPUTS = " ".join(f"{name}@" for name in INPUT_NAMES)
_TYPES = "float16 bf16 float double int32 int64 uint8 int16 int8 uint16 qint8"

OPERATORS = [
    op(
        "AvgPoolV2",
        "x@",
        "y@",
        "ops-nn/pooling/avg_pool_v2",
        "floats double",
        ksize=ints(),
        strides=ints(),
        padding_mode=string("CALCULATED"),
        pads=ints((0, 0, 0, 0)),
        data_format=string("NCHW"),
        global_pooling=bool_(False),
        ceil_mode=bool_(False),
        exclusive=bool_(True),
        divisor_override=int_(0),
    ),
    op(
        "GlobalAveragePool",
        "x",
        "y",
        "ops-math/math/reduce_mean/op_graph/global_average_pool_proto.h",
        "floating",
    ),
    op("MaxPoolV3", "x@", "y@", "ops-nn/pooling/max_pool_v3", _TYPES, **_MAX_POOL),
    op(OP_TYPE, _GRAD_INPUTS, f"{OUTPUT_NAME}@", "ops-nn/pooling/max_pool_v3_grad", "real", **_MAX_POOL),
]
