"""Operators that change a tensor's shape and leave its elements in order, or repeat them."""

from __future__ import annotations

import numpy as np

from ..ge_node import GeNode
from ..registry import rule


@rule("Reshape")
def reshape(node: GeNode) -> None:
    """Reshape(x, shape) becomes Reshape(data, shape)."""
    node.add("Reshape", [node.input(0), node.as_int64(1, "shape")])


@rule("Expand", "BroadcastTo")
def expand(node: GeNode) -> None:
    """Expand(x, shape) and BroadcastTo(x, shape) become Expand(input, shape)."""
    node.add("Expand", [node.input(0), node.as_int64(1, "shape")])


@rule("Tile")
def tile(node: GeNode) -> None:
    """Tile(x, multiples) becomes Tile(input, repeats)."""
    node.add("Tile", [node.input(0), node.as_int64(1, "repeats")])


@rule("Flatten")
def flatten(node: GeNode) -> None:
    """Flatten(x) becomes Flatten(input), the same axis."""
    node.add("Flatten", [node.input(0)], axis=node.attr("axis"))


@rule("Transpose")
def transpose(node: GeNode) -> None:
    """Transpose(x, perm) with a constant perm becomes Transpose(data) with the attribute perm."""
    node.add("Transpose", [node.input(0)], perm=node.integers(1, "perm").tolist())


@rule("Unsqueeze")
def unsqueeze(node: GeNode) -> None:
    """Unsqueeze(x) with the attribute axes becomes Unsqueeze(data, axes)."""
    node.add("Unsqueeze", [node.input(0), node.add_constant(np.array(node.attr("axes"), np.int64), "axes")])


@rule("Squeeze")
def squeeze(node: GeNode) -> None:
    """Squeeze(x) with the attribute axis becomes Squeeze(data, axes), or Squeeze(data) where it is empty."""
    axis = node.attr("axis")
    inputs = [node.input(0)]
    node.add("Squeeze", [*inputs, node.add_constant(np.array(axis, np.int64), "axes")] if axis else inputs)


@rule("UnsqueezeV3", "SqueezeV3")
def by_computed_axes(node: GeNode) -> None:
    """UnsqueezeV3(x, axes) and SqueezeV3(x, axes) become Unsqueeze(data, axes) and Squeeze(data, axes)."""
    node.add(node.type.removesuffix("V3"), node.inputs())
