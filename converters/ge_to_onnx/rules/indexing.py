"""Reading by index."""

from __future__ import annotations

import numpy as np

from ..ge_node import GeNode
from ..registry import rule


@rule("GatherV2")
def gather(node: GeNode) -> None:
    """GatherV2(x, indices, axis), axis a constant, becomes Gather(data, indices) with the attribute axis."""
    node.attr("negative_index_support")
    node.add("Gather", [node.input(0), node.input(1)], axis=int(node.scalar(2, "axis")))


_SCALARS = ("depth", "on_value", "off_value")


@rule("OneHot")
def one_hot(node: GeNode) -> None:
    """OneHot(x, depth, on_value, off_value) becomes OneHot(indices, depth, values), values = [off, on].

    GE gives negative indices off_value, ONNX counts them from the end: Less and Where make them depth first.
    """
    depth, on, off = (node.scalar(i, name) for i, name in enumerate(_SCALARS, 1))
    dtype = node.input_dtype(0)
    zero = node.add_constant(np.zeros((), dtype), "zero")
    count = node.add_constant(depth.astype(dtype), "count")
    negative = node.add_inner("Less", "negative", [node.input(0), zero])
    indices = node.add_inner("Where", "indices", [negative, count, node.input(0)])
    values = node.add_constant(np.stack([off, on]), "values")
    node.add("OneHot", [indices, node.as_int64(1, "depth"), values], axis=node.attr("axis"))
