"""The ends of a graph, and what hands a tensor on."""

from __future__ import annotations

from ..notation import OLD, int_, op, tensor

OPERATORS = [
    op("Data", "x", "y", f"{OLD}/array_ops.h", index=int_(0)),
    op("Const", "", "y", f"{OLD}/array_ops.h", value=tensor()),
    op("Identity", "x", "y", "ops-math/conversion/identity"),
]
