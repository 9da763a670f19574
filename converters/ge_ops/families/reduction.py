"""Reductions over axes."""

from __future__ import annotations

from ..notation import bool_, op

_FOLDERS = {
    "ReduceMax": "reduce_max",
    "ReduceMean": "reduce_mean",
    "ReduceMin": "reduce_min",
    "ReduceProd": "reduce_prod",
    "ReduceSum": "reduce_sum",
}

OPERATORS = [
    op(
        type_,
        "x axes:index",
        "y",
        f"ops-math/math/{folder}",
        "number",
        keep_dims=bool_(False),
        noop_with_empty_axes=bool_(True),
    )
    for type_, folder in _FOLDERS.items()
]
