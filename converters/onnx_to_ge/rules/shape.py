"""Operators that change a tensor's shape and leave its elements in order, or repeat them."""

from __future__ import annotations

import numpy as np

from ...ge_ops.prototypes import PROTOTYPES
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule


@rule("Reshape")
def reshape(node: OnnxNode) -> None:
    """Reshape(data, shape) becomes Reshape(x, shape) with axis 0, num_axes -1; in both, a 0 keeps the input's
    size.

    With allowzero = 1 a shape that is computed, or has a 0, gives way to the resulting shape, where that is
    known and has one 0 at most, which becomes -1. Refused where it is not: GE has no allowzero.
    """
    x, shape = node.input(0), node.input(1)
    if node.attr_int("allowzero", 0) and (shape.constant is None or 0 in shape.constant):
        shape = _without_zero(node)
    node.add("Reshape", [x, shape])


def _without_zero(node: OnnxNode) -> Value:
    _, result = node.output_type()
    if result is None or -1 in result or result.count(0) > 1:
        node.refuse(
            "allowzero is 1; GE reads a 0 in the shape as the input's own size: write the shape without a 0"
        )
    return node.add_constant([size or -1 for size in result], "shape")


@rule("Expand")
def expand(node: OnnxNode) -> None:
    """Expand(input, shape) becomes Expand(x, shape).

    Types that GE's Expand does not take become BroadcastTo(x, shape) with the whole resulting shape, which
    must be known.
    """
    x, shape = node.input(0), node.input(1)
    if PROTOTYPES["Expand"].unfit([x.dtype, shape.dtype]) is None:
        node.add("Expand", [x, shape])
        return
    _, result = node.output_type()
    if result is None or -1 in result:
        node.refuse(
            f"it expands {x.dtype.label} to a shape that is not known; GE's Expand does not take this type "
            "and BroadcastTo needs the shape: fix the shapes, or cast to float"
        )
    node.add("BroadcastTo", [x, node.add_constant(result, "shape")])


@rule("Tile")
def tile(node: OnnxNode) -> None:
    """Tile(input, repeats) becomes Tile(x, multiples)."""
    node.add("Tile", [node.input(0), node.input(1)])


@rule("Flatten")
def flatten(node: OnnxNode) -> None:
    """Flatten(input) at `axis` becomes Flatten(x) with the same axis."""
    node.add("Flatten", [node.input(0)], {"axis": node.attr_int("axis", 1)})


@rule("Transpose")
def transpose(node: OnnxNode) -> None:
    """Transpose(data) by `perm` becomes Transpose(x, perm), perm a constant int64 input; left out it is the
    reverse."""
    x = node.input(0)
    perm = node.attr_ints("perm")
    if perm is None:
        if x.shape is None:
            node.refuse("perm is missing and the rank of its input is not known; write perm")
        perm = list(reversed(range(len(x.shape))))
    node.add("Transpose", [x, node.add_constant(perm, "perm")])


@rule("Unsqueeze")
def unsqueeze(node: OnnxNode) -> None:
    """Unsqueeze(data, axes) becomes Unsqueeze(x) with the attribute axes, in every opset.

    Axes that are computed become the input of UnsqueezeV3(x, axes).
    """
    axes = _axes(node)
    if isinstance(axes, Value):
        node.add("UnsqueezeV3", [node.input(0), axes])
    else:
        node.add("Unsqueeze", [node.input(0)], {"axes": axes})


@rule("Squeeze")
def squeeze(node: OnnxNode) -> None:
    """Squeeze(data, axes) becomes Squeeze(x) with the attribute axis, in every opset; none given is an empty
    list.

    Axes that are computed become the input of SqueezeV3(x, axes).
    """
    axes = _axes(node)
    if isinstance(axes, Value):
        node.add("SqueezeV3", [node.input(0), axes])
    else:
        node.add("Squeeze", [node.input(0)], {"axis": axes})


def _axes(node: OnnxNode) -> list[int] | Value:
    """The axes, or the value that they are computed as."""
    if node.opset < 13:
        return node.attr_ints("axes") or []
    axes = node.optional_input(1)
    if axes is None:
        return []
    return axes if axes.constant is None else [int(axis) for axis in np.ravel(axes.constant)]
