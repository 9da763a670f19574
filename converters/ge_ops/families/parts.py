"""Parts of tensors: joined, split, cut out, padded."""

from __future__ import annotations

from ..notation import bool_, int_, op, string

_CONVERSION = "ops-math/conversion"
_JOINED = (
    "floats double int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 "
    "float8_e4m3fn float8_e5m2 hifloat8 float8_e8m0 float4_e1m2 float4_e2m1"
)
_SPLIT = (
    "floats double int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128 "
    "qint8 quint8 qint16 quint16 qint32"
)
_CUT = "basic hifloat8 float8_e5m2 float8_e4m3fn"
_MASKS = {
    name: int_(0) for name in ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
}

OPERATORS = [
    op("ConcatD", "x*", "y", f"{_CONVERSION}/concat_d", _JOINED, concat_dim=int_(), N=int_(1)),
    op("Split", "split_dim:int32 x", "y*", f"{_CONVERSION}/split", _SPLIT, num_split=int_()),
    op(
        "SplitV",
        "x size_splits:index split_dim:index",
        "y*",
        f"{_CONVERSION}/split_v",
        f"{_SPLIT} string",
        num_split=int_(),
    ),
    op(
        "StridedSlice",
        "x begin:index end:index strides:index",
        "y",
        f"{_CONVERSION}/strided_slice",
        _CUT,
        **_MASKS,
    ),
    op(
        "StridedSliceV2",
        "x begin:index end:index axes?:index strides?:index",
        "y",
        f"{_CONVERSION}/strided_slice_v2",
        f"{_CUT} bool float8_e8m0",
        **_MASKS,
    ),
    op(
        "PadV3",
        "x paddings:index constant_values?",
        "y",
        f"{_CONVERSION}/pad_v3",
        f"{_CUT} bool float8_e8m0 float4_e2m1 float4_e1m2",
        mode=string("constant"),
        paddings_contiguous=bool_(True),
    ),
]
