"""Functions of one operand, element by element."""

from __future__ import annotations

import math

import onnx_ir as ir

from ..operations import cast
from ..tape import Tape, dtype_of


def _input(node: ir.Node) -> ir.Value:
    x = node.inputs[0]
    assert x is not None
    return x


def identity(
    tape: Tape, node: ir.Node, dy: ir.Value | None, *others: ir.Value | None
) -> list[ir.Value | None]:
    """dX = dY. A Dropout that trains is a product with its mask by then."""
    return [dy, *[None for _ in node.inputs[1:]]]


def no_slope(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """No gradient passes a function that is constant almost everywhere."""
    return [None]


def cast_(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY as X's type."""
    return [cast(tape, dy, dtype_of(_input(node)))]


def neg(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = -dY."""
    return [tape.op("Neg", [dy], like=dy)]


def absolute(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY sign(X)."""
    return [tape.op("Mul", [dy, tape.op("Sign", [_input(node)], like=dy)], like=dy)]


def sqrt(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = (dY / 2) / Y."""
    half = tape.op("Mul", [dy, tape.scalar(0.5, dy, "half")], like=dy)
    return [tape.op("Div", [half, node.outputs[0]], like=dy)]


def reciprocal(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = -(dY Y) Y."""
    y = node.outputs[0]
    product = tape.op("Mul", [tape.op("Mul", [dy, y], like=dy), y], like=dy)
    return [tape.op("Neg", [product], like=dy)]


def exp(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY Y."""
    return [tape.op("Mul", [dy, node.outputs[0]], like=dy)]


def log(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY / X."""
    return [tape.op("Div", [dy, _input(node)], like=dy)]


def erf(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY 2 / sqrt(pi) exp(-X^2)."""
    x = _input(node)
    square = tape.op("Mul", [x, x], like=x)
    bell = tape.op("Exp", [tape.op("Neg", [square], like=x)], like=x)
    scaled = tape.op("Mul", [bell, tape.scalar(2 / math.sqrt(math.pi), x, "two_over_root_pi")], like=x)
    return [tape.op("Mul", [dy, scaled], like=dy)]
