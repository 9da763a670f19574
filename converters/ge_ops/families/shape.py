"""Operators that change a tensor's shape, or read it."""

from __future__ import annotations

from ..notation import int_, ints, op

_CONVERSION = "ops-math/conversion"

OPERATORS = [
    op("Reshape", "x shape", "y", f"{_CONVERSION}/reshape", axis=int_(0), num_axes=int_(-1)),
    op("Flatten", "x", "y", "ops-math/common/op_graph", axis=int_(1)),
    op("Transpose", "x perm", "y", f"{_CONVERSION}/transpose"),
    op("Shape", "x", "y", "ops-math/math/shape", dtype=int_(3)),
    op("Unsqueeze", "x", "y", f"{_CONVERSION}/unsqueeze", axes=ints(())),
    op("Squeeze", "x", "y", f"{_CONVERSION}/squeeze", axis=ints(())),
    op("Expand", "x shape", "y", "ops-math/math/expand"),
    op("ConcatD", "x*", "y", f"{_CONVERSION}/concat_d", concat_dim=int_(), N=int_(1)),
    op("Fill", "dims value", "y", f"{_CONVERSION}/fill"),
]
