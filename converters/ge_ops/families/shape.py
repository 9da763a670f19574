"""Operators that change a tensor's shape, or read it."""

from __future__ import annotations

from ..notation import bool_, int_, ints, op

_CONVERSION = "ops-math/conversion"
_MATH = "ops-math/math"
_BROADCAST = "basic bool string hifloat8 float8_e5m2 float8_e4m3fn"
_TRANSPOSED = (
    "floats double int64 int32 uint8 uint16 uint32 uint64 int8 int16 complex32 complex64 complex128 "
    "qint8 quint8 qint16 quint16 qint32 bool hifloat8 float8_e5m2 float8_e4m3fn"
)
_TILED = (
    "floats double complex64 complex128 int8 uint8 int16 uint16 int32 uint32 int64 uint64 "
    "qint8 quint8 qint16 quint16 qint32 bool hifloat8 float8_e5m2 float8_e4m3fn"
)

OPERATORS = [
    op("Reshape", "x shape:index", "y", f"{_CONVERSION}/reshape", axis=int_(0), num_axes=int_(-1)),
    op("Flatten", "x", "y", "ops-math/common/op_graph", axis=int_(1)),
    op("Transpose", "x perm:index", "y", f"{_CONVERSION}/transpose", _TRANSPOSED),
    op("Shape", "x", "y:index", f"{_MATH}/shape", dtype=int_(3)),
    op("Size", "x", "y:index", "ops-nn/common/op_graph", dtype=int_(3)),
    op("Unsqueeze", "x", "y", f"{_CONVERSION}/unsqueeze", axes=ints(())),
    op("UnsqueezeV3", "x axes:int64", "y", f"{_CONVERSION}/unsqueezev3"),
    op("Squeeze", "x", "y", f"{_CONVERSION}/squeeze", axis=ints(())),
    op("SqueezeV3", "x axes?:int64", "y", f"{_CONVERSION}/squeezev3"),
    op("Expand", "x shape:index", "y", f"{_MATH}/expand", "floats int32 int64 int8 uint8 bool"),
    op("BroadcastTo", "x shape:index", "y", f"{_CONVERSION}/broadcast_to", _BROADCAST),
    op("Tile", "x multiples:index", "y", f"{_MATH}/tile", _TILED),
    op(
        "Fill",
        "dims:index value",
        "y",
        f"{_CONVERSION}/fill",
        "real complex64 complex128 qint8 qint16 qint32 quint8 quint16 bool string",
    ),
    op(
        "Range",
        "start limit delta",
        "y",
        f"{_MATH}/range",
        "floats double int32 int64",
        is_closed=bool_(False),
    ),
]
