"""Reading by index."""

from __future__ import annotations

import numpy as np

from ..ge_node import GeNode
from ..registry import rule


@rule("GatherV2")
def gather(node: GeNode) -> None:
    """GatherV2(x, indices, axis), axis a constant, becomes Gather(data, indices) with the attribute axis."""
    node.attr("negative_index_support")
    node.add("Gather", [node.input(0), node.input(1)], axis=int(node.constant(2, "axis").reshape(())))


@rule("OneHot")
def one_hot(node: GeNode) -> None:
    """OneHot(x, depth, on_value, off_value) becomes OneHot(indices, depth, values), values = [off, on]."""
    off, on = (np.ravel(node.constant(i, name))[0] for i, name in ((3, "off_value"), (2, "on_value")))
    values = np.stack([off, on])
    depth = node.as_int64(1, "depth")
    node.add("OneHot", [node.input(0), depth, node.add_constant(values, "values")], axis=node.attr("axis"))
