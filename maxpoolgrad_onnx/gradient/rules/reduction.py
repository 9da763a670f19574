"""Reductions over axes."""

from __future__ import annotations

from dataclasses import dataclass

import onnx_ir as ir

from ..operations import cast, count, reduce
from ..refusal import refusal
from ..tape import Dim, Tape, dtype_of, shape_of
from .reshaping import with_shape


@dataclass(frozen=True)
class _Reduction:
    x: ir.Value
    axes: list[int]
    kept: list[Dim]
    """The result's shape with every axis of X, those reduced with 1."""


def reduce_sum(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY, repeated along the axes."""
    reduction = _reduction(tape, node)
    return _alone(node, _spread(tape, dy, reduction))


def reduce_mean(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY / (number of elements that were averaged), repeated along the axes."""
    reduction = _reduction(tape, node)
    share = tape.op("Div", [dy, count(tape, reduction.x, reduction.axes, dy)], like=dy)
    return _alone(node, _spread(tape, share, reduction))


def reduce_extremum(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dY goes to the elements of X that equal Y, in equal parts, as in torch.amax."""
    reduction = _reduction(tape, node)
    return _alone(node, share_among_equals(tape, node, dy, reduction.axes))


def share_among_equals(tape: Tape, node: ir.Node, dy: ir.Value, axes: list[int]) -> ir.Value:
    """dX of an extremum over axes: (X == Y) dY / count(X == Y)."""
    x = node.inputs[0]
    assert x is not None
    kept = _kept(x, axes)
    y = with_shape(tape, node.outputs[0], kept, x, axes)
    equal = tape.op("Equal", [x, y], like=x, dtype=ir.DataType.BOOL)
    hits = cast(tape, equal, dtype_of(x))
    number = reduce(tape, "ReduceSum", hits, axes, keepdims=True)
    share = tape.op("Div", [with_shape(tape, dy, kept, x, axes), number], like=number)
    return tape.op("Mul", [hits, share], like=x)


def spread(tape: Tape, value: ir.Value, like: ir.Value) -> ir.Value:
    """`value`, whose axes are those of `like` or 1, repeated to the shape of `like`."""
    if shape_of(value) == shape_of(like):
        return value
    return tape.op("Expand", [value, tape.shape_tensor(like)], like=like)


def _spread(tape: Tape, value: ir.Value, reduction: _Reduction) -> ir.Value:
    x = reduction.x
    return spread(tape, with_shape(tape, value, reduction.kept, x, reduction.axes), x)


def _reduction(tape: Tape, node: ir.Node) -> _Reduction:
    x = node.inputs[0]
    assert x is not None
    given = node.inputs[1] if len(node.inputs) > 1 else None
    rank = len(shape_of(x))
    axes = node.attributes.get_ints("axes", ())
    if given is not None:
        elements = tape.constant_of(given)
        if elements is None:
            raise refusal(node, "its axes are computed while the model runs", "make them constant")
        axes = [int(axis) for axis in elements]
    if not axes:
        axes = [] if node.attributes.get_int("noop_with_empty_axes", 0) else range(rank)
    over = sorted(axis % rank for axis in axes)
    return _Reduction(x, over, _kept(x, over))


def _kept(x: ir.Value, axes: list[int]) -> list[Dim]:
    return [1 if axis in axes else dim for axis, dim in enumerate(shape_of(x))]


def _alone(node: ir.Node, dx: ir.Value) -> list[ir.Value | None]:
    return [dx, *[None for _ in node.inputs[1:]]]
