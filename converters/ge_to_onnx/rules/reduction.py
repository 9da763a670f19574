"""Reductions over axes."""

from __future__ import annotations

from ..ge_node import GeNode
from ..registry import rule


@rule("ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum")
def reduce(node: GeNode) -> None:
    """ReduceX(x, axes) becomes ReduceX(data, axes) with keepdims and noop_with_empty_axes."""
    keep_dims, no_op = int(node.attr("keep_dims")), int(node.attr("noop_with_empty_axes"))
    inputs = [node.input(0), node.as_int64(1, "axes")]
    node.add(node.type, inputs, keepdims=keep_dims, noop_with_empty_axes=no_op)
