"""Reading and writing by index."""

from __future__ import annotations

import numpy as np

from maxpoolgrad_onnx.errors import quoted

from ..ge_node import GeNode
from ..registry import rule

_REDUCTIONS = ("none", "add", "mul")
_EXACT_FLOATS = 1 << 24


@rule("GatherV2")
def gather(node: GeNode) -> None:
    """GatherV2(x, indices, axis), axis a constant, becomes Gather(data, indices) with the attribute axis."""
    node.attr("negative_index_support")
    node.add("Gather", [node.input(0), node.input(1)], axis=node.integer(2, "axis"))


@rule("GatherElements")
def gather_elements(node: GeNode) -> None:
    """GatherElements(x, index) becomes GatherElements(data, indices), dim -> axis."""
    node.add("GatherElements", node.inputs(), axis=node.attr("dim"))


@rule("GatherNd")
def gather_nd(node: GeNode) -> None:
    """GatherNd(x, indices) becomes GatherND(data, indices)."""
    node.attr("negative_index_support")
    node.add("GatherND", [node.input(0), node.as_int64(1, "indices")])


@rule("ScatterElements")
def scatter_elements(node: GeNode) -> None:
    """ScatterElements(data, indices, updates) becomes ONNX's operator of that name, ports alike."""
    reduction = node.attr("reduction")
    if reduction not in _REDUCTIONS:
        node.refuse(f"reduction is {quoted(reduction)}; allowed are {', '.join(_REDUCTIONS)}")
    node.add("ScatterElements", node.inputs(), axis=node.attr("axis"), reduction=reduction)


@rule("OneHot")
def one_hot(node: GeNode) -> None:
    """OneHot(x, depth, on_value, off_value) becomes OneHot(indices, depth, values), values = [off, on].

    GE gives negative indices off_value, ONNX counts them from the end: Less and Where make them depth first.
    """
    depth = node.integer(1, "depth")
    on, off = node.scalar(2, "on_value"), node.scalar(3, "off_value")
    dtype = node.input_dtype(0)
    zero = node.add_constant(np.zeros((), dtype), "zero")
    count = node.add_constant(np.array(depth).astype(dtype), "count")
    negative = node.add_inner("Less", "negative", [node.input(0), zero])
    indices = node.add_inner("Where", "indices", [negative, count, node.input(0)])
    values = node.add_constant(np.stack([off, on]), "values")
    # ONNX Runtime has a kernel for int32 values with a depth in float32 only.
    as_float = on.dtype == np.int32 and depth < _EXACT_FLOATS
    depths = node.add_constant(np.array(depth, np.float32 if as_float else np.int64), "depth")
    node.add("OneHot", [indices, depths, values], axis=node.attr("axis"))
