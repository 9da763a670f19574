"""Operators that give the same elements another shape or order, or repeat them."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from ...errors import quoted
from ..operations import reduce
from ..refusal import refusal
from ..tape import Dim, Tape, shape_of
from .broadcasting import reshaped, restore_shape, sum_to_operand


def reshape(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY with the shape of X."""
    x = node.inputs[0]
    assert x is not None
    return _alone(node, restore_shape(tape, dy, x))


def transpose(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY transposed back: by the inverse of perm."""
    x = node.inputs[0]
    assert x is not None
    rank = len(shape_of(x))
    perm = list(node.attributes.get_ints("perm", range(rank - 1, -1, -1)))
    inverse = [perm.index(axis) for axis in range(rank)]
    return [tape.op("Transpose", [dy], like=x, attributes={"perm": inverse})]


def expand(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY summed over the axes along which X was repeated."""
    x = node.inputs[0]
    assert x is not None
    return _alone(node, sum_to_operand(tape, node, dy, x))


def tile(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = the sum of dY's tiles: each axis is cut into (repeats, size) and summed over the repeats."""
    x, repeats = node.inputs
    assert x is not None
    counts = tape.constant_of(repeats)
    if counts is None:
        raise refusal(
            node, f"its repeats {quoted(repeats and repeats.name)} are computed", "make them constant"
        )
    cut: list[Dim] = []
    axes: list[int] = []
    for count, dim in zip(counts.tolist(), shape_of(x), strict=True):
        if count != 1:
            axes.append(len(cut))
            cut.append(count)
        cut.append(dim)
    if not axes:
        return [dy, None]
    tiles = reshaped(tape, node, dy, cut)
    return [reduce(tape, "ReduceSum", tiles, axes, keepdims=False), None]


def with_shape(
    tape: Tape, value: ir.Value, shape: Sequence[Dim], like: ir.Value, axes: Sequence[int]
) -> ir.Value:
    """`value` with the axes of 1 that a reduction over `axes` took away, if it did."""
    if len(shape_of(value)) == len(shape):
        return value
    return tape.op("Unsqueeze", [value, tape.ints(axes, "axes")], like=like, shape=shape)


def _alone(node: ir.Node, dx: ir.Value) -> list[ir.Value | None]:
    return [dx, *[None for _ in node.inputs[1:]]]
