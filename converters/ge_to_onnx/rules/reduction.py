"""Reductions over axes."""

from __future__ import annotations

from ...ge_ops.forms import GLOBAL_MAX_POOL
from ..ge_node import GeNode
from ..registry import rule


@rule("ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum")
def reduce(node: GeNode) -> None:
    """ReduceX(x, axes) becomes ReduceX(data, axes) with keepdims and noop_with_empty_axes.

    A ReduceMax that is marked as GlobalMaxPool and reduces all axes behind the second becomes that.
    """
    keep_dims, no_op = int(node.attr("keep_dims")), int(node.attr("noop_with_empty_axes"))
    if node.type == "ReduceMax" and keep_dims and _pools(node):
        node.add("GlobalMaxPool", [node.input(0)])
        return
    inputs = [node.input(0), node.as_int64(1, "axes")]
    node.add(node.type, inputs, keepdims=keep_dims, noop_with_empty_axes=no_op)


def _pools(node: GeNode) -> bool:
    axes, shape = node.optional_constant(1), node.input_desc(0).shape
    if node.onnx_form != GLOBAL_MAX_POOL or axes is None or shape is None or len(shape) < 3:
        return False
    return sorted(int(axis) % len(shape) for axis in axes.ravel()) == list(range(2, len(shape)))
