"""Reading and writing by index."""

from __future__ import annotations

from ..notation import bool_, int_, op, string

_INDEX = "ops-nn/index"
_GATHERED = "real complex64 complex128 qint8 qint16 qint32 quint8 quint16 bool string"
_FLOAT8 = "float8_e5m2 float8_e8m0 float8_e4m3fn"

OPERATORS = [
    op(
        "GatherV2",
        "x indices:index axis:index",
        "y",
        f"{_INDEX}/gather_v2",
        f"{_GATHERED} {_FLOAT8}",
        batch_dims=int_(0),
        is_preprocessed=bool_(False),
        negative_index_support=bool_(False),
    ),
    op(
        "GatherElements",
        "x index:index",
        "y",
        f"{_INDEX}/gather_elements",
        f"real bool {_FLOAT8}",
        dim=int_(0),
    ),
    op(
        "GatherNd",
        "x indices:index",
        "y",
        f"{_INDEX}/gather_nd",
        _GATHERED,
        negative_index_support=bool_(False),
    ),
    op(
        "ScatterElements",
        "data indices:index updates",
        "y",
        f"{_INDEX}/scatter_elements",
        "number",
        axis=int_(0),
        reduction=string("none"),
    ),
    op(
        "OneHot",
        "x:uint8,int32,int64 depth:index on_value off_value",
        "y",
        "ops-math/math/one_hot",
        "basic",
        axis=int_(-1),
    ),
]
