"""Activations."""

from __future__ import annotations

import onnx_ir as ir

from ...contract import DOMAIN
from ...relu_gradient import RELU_GRAD
from ..operations import cast, reduce
from ..tape import Tape, dtype_of


def relu(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = ReluGrad(dY, Y): dY where Y > 0, else 0. An infinite dY where Y is 0 gives NaN."""
    return [tape.op(RELU_GRAD, [dy, node.outputs[0]], like=dy, domain=DOMAIN)]


def leaky_relu(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY where X > 0, else alpha dY."""
    x = node.inputs[0]
    alpha = node.attributes.get_float("alpha", 0.01)
    positive = _compare(tape, "Greater", x, 0)
    slope = _choose(tape, positive, 1, alpha, dy)
    return [tape.op("Mul", [dy, slope], like=dy)]


def sigmoid(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY Y (1 - Y)."""
    y = node.outputs[0]
    rest = tape.op("Sub", [tape.scalar(1, y, "one"), y], like=y)
    return [tape.op("Mul", [dy, tape.op("Mul", [y, rest], like=y)], like=y)]


def tanh(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY (1 - Y^2)."""
    y = node.outputs[0]
    square = tape.op("Mul", [y, y], like=y)
    slope = tape.op("Sub", [tape.scalar(1, y, "one"), square], like=y)
    return [tape.op("Mul", [dy, slope], like=y)]


def clip(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY where Y equals X, else 0; dmin = sum of dY where X < min; dmax = sum of dY where X > max."""
    x, low, high = (*node.inputs, None, None)[:3]
    y = node.outputs[0]
    dx = dlow = dhigh = None
    if tape.needs(x):
        kept = tape.op("Equal", [x, y], like=y, dtype=ir.DataType.BOOL)
        dx = _where_true(tape, kept, dy)
    if low is not None and tape.needs(low):
        dlow = _sum_of_all(tape, _where_true(tape, _compare(tape, "Less", x, low), dy))
    if high is not None and tape.needs(high):
        dhigh = _sum_of_all(tape, _where_true(tape, _compare(tape, "Greater", x, high), dy))
    return [dx, dlow, dhigh][: len(node.inputs)]


def hard_sigmoid(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = alpha dY where 0 < Y < 1, else 0."""
    y = node.outputs[0]
    inside = _between(tape, y, 0, 1)
    slope = _choose(tape, inside, node.attributes.get_float("alpha", 0.2), 0, y)
    return [tape.op("Mul", [dy, slope], like=y)]


def hard_swish(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = 0 where X <= -3, dY where X >= 3, dY (X / 3 + 1 / 2) between."""
    x = node.inputs[0]
    assert x is not None
    third = tape.op("Mul", [x, tape.scalar(1 / 3, x, "third")], like=x)
    line = tape.op("Add", [third, tape.scalar(0.5, x, "half")], like=x)
    from_the_left = tape.op(
        "Where", [_compare(tape, "Greater", x, -3), line, tape.scalar(0, x, "zero")], like=x
    )
    slope = tape.op("Where", [_compare(tape, "Less", x, 3), from_the_left, tape.scalar(1, x, "one")], like=x)
    return [tape.op("Mul", [dy, slope], like=x)]


def _compare(tape: Tape, op_type: str, x: ir.Value | None, bound: float | ir.Value) -> ir.Value:
    assert x is not None
    limit = bound if isinstance(bound, ir.Value) else tape.scalar(bound, x, "bound")
    return tape.op(op_type, [x, limit], like=x, dtype=ir.DataType.BOOL)


def _between(tape: Tape, x: ir.Value, low: float, high: float) -> ir.Value:
    above, below = _compare(tape, "Greater", x, low), _compare(tape, "Less", x, high)
    return tape.op("And", [above, below], like=above)


def _choose(tape: Tape, condition: ir.Value, yes: float, no: float, like: ir.Value) -> ir.Value:
    choices = [tape.scalar(yes, like, "yes"), tape.scalar(no, like, "no")]
    return tape.op("Where", [condition, *choices], like=like)


def _where_true(tape: Tape, condition: ir.Value, dy: ir.Value) -> ir.Value:
    return tape.op("Mul", [dy, cast(tape, condition, dtype_of(dy))], like=dy)


def _sum_of_all(tape: Tape, value: ir.Value) -> ir.Value:
    return reduce(tape, "ReduceSum", value, range(len(value.shape or ())), keepdims=False)
