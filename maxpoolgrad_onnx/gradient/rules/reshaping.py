"""Operators that only give the same elements another shape."""

from __future__ import annotations

import onnx_ir as ir

from ..tape import Tape, shape_of


def reshape(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY with the shape of X. (A second input, the target shape, has no gradient.)"""
    x = node.inputs[0]
    assert x is not None
    return [restore_shape(tape, dy, x), *[None for _ in node.inputs[1:]]]


def restore_shape(tape: Tape, gradient: ir.Value, like: ir.Value) -> ir.Value:
    """`gradient` with the shape of `like`: by a constant where at most one dimension is unknown."""
    dims = shape_of(like)
    unknown = [dim for dim in dims if not isinstance(dim, int)]
    if len(unknown) == 1 and 0 not in dims:
        target = tape.ints([dim if isinstance(dim, int) else -1 for dim in dims], "shape")
    else:
        target = tape.shape_tensor(like)
    return tape.op("Reshape", [gradient, target], like=like)
