"""Reading and writing by index."""

from __future__ import annotations

from ..notation import bool_, int_, op

OPERATORS = [
    op(
        "GatherV2",
        "x indices axis",
        "y",
        "ops-nn/index/gather_v2",
        batch_dims=int_(0),
        is_preprocessed=bool_(False),
        negative_index_support=bool_(False),
    ),
    op("OneHot", "x depth on_value off_value", "y", "ops-math/math/one_hot", axis=int_(-1)),
]
