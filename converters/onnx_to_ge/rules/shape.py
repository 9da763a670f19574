"""Operators that change a tensor's shape, or read it."""

from __future__ import annotations

import numpy as np

from ...ge_ir import DataType
from ..onnx_node import OnnxNode
from ..registry import rule


@rule("Reshape")
def reshape(node: OnnxNode) -> None:
    """Reshape(data, shape) becomes Reshape(x, shape) with axis 0, num_axes -1; in both, a 0 keeps the input's
    size.

    Refused: allowzero = 1, unless the shape is a constant without a 0.
    """
    x, shape = node.input(0), node.input(1)
    if node.attr_int("allowzero", 0) and (shape.constant is None or 0 in shape.constant):
        node.refuse(
            "allowzero is 1; GE reads a 0 in the shape as the input's own size: write the shape without a 0"
        )
    node.add("Reshape", [x, shape])


@rule("Expand")
def expand(node: OnnxNode) -> None:
    """Expand(input, shape) becomes Expand(x, shape)."""
    node.add("Expand", [node.input(0), node.input(1)])


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


@rule("Shape")
def shape(node: OnnxNode) -> None:
    """Shape(data) of a tensor whose sizes are known becomes Const; else Shape(x) with dtype 9 (int64).

    Refused: start or end where a size is unknown.
    """
    x = node.input(0)
    start = node.attr_int("start", 0)
    if x.shape is not None and -1 not in x.shape:
        stop = node.attr_int("end", len(x.shape))
        node.give_constant(np.array(x.shape, np.int64)[start:stop])
        return
    if start or "end" in node.attribute_names():
        node.refuse(
            "start or end is written and the sizes are not known; fix the input's shape, or slice the Shape"
        )
    node.add("Shape", [x], {"dtype": DataType.INT64.value})


@rule("Unsqueeze")
def unsqueeze(node: OnnxNode) -> None:
    """Unsqueeze(data, axes) becomes Unsqueeze(x) with the attribute axes, in every opset. axes must be
    constant."""
    node.add("Unsqueeze", [node.input(0)], {"axes": _axes(node) or []})


@rule("Squeeze")
def squeeze(node: OnnxNode) -> None:
    """Squeeze(data, axes) becomes Squeeze(x) with the attribute axis, in every opset; none given is an empty
    list."""
    node.add("Squeeze", [node.input(0)], {"axis": _axes(node) or []})


def _axes(node: OnnxNode) -> list[int] | None:
    if node.opset < 13:
        return node.attr_ints("axes")
    if node.optional_input(1) is None:
        return None
    return [int(axis) for axis in node.constant(1, "axes").ravel()]


@rule("Concat")
def concat(node: OnnxNode) -> None:
    """Concat(inputs) along `axis` becomes ConcatD(x0, x1, ...) with concat_dim = axis and N inputs; one is
    Identity(x)."""
    inputs = node.inputs()
    if len(inputs) == 1:
        node.add("Identity", inputs)
        return
    node.add("ConcatD", inputs, {"concat_dim": node.attr_int("axis", 0), "N": len(inputs)})
