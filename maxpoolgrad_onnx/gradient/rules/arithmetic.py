"""Arithmetic of two operands, each of which may be broadcast to the result's shape."""

from __future__ import annotations

import onnx_ir as ir

from ..operations import cast
from ..tape import Tape, dtype_of
from .broadcasting import sum_to_operand


def add(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dA = dY for every operand, summed over the axes along which it was broadcast."""
    return [
        sum_to_operand(tape, node, dy, operand) if operand is not None and tape.needs(operand) else None
        for operand in node.inputs
    ]


def sub(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dA = dY, dB = -dY, each summed over the axes along which that operand was broadcast."""
    da, db = add(tape, node, dy)
    return [da, None if db is None else tape.op("Neg", [db], like=db)]


def mul(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dA = dY B, dB = dY A, each summed over the axes along which that operand was broadcast."""
    a, b = node.inputs
    assert a is not None
    assert b is not None
    return [
        sum_to_operand(tape, node, tape.op("Mul", [dy, other], like=dy), operand)
        if tape.needs(operand)
        else None
        for operand, other in ((a, b), (b, a))
    ]


def div(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dA = dY / B, dB = -(dY / B) Y, each summed over the axes along which that operand was broadcast."""
    a, b = node.inputs
    assert a is not None
    assert b is not None
    share = tape.op("Div", [dy, b], like=dy)
    da = sum_to_operand(tape, node, share, a) if tape.needs(a) else None
    db = None
    if tape.needs(b):
        total = sum_to_operand(tape, node, tape.op("Mul", [share, node.outputs[0]], like=dy), b)
        db = tape.op("Neg", [total], like=total)
    return [da, db]


def power(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """Y = X^E: dX = dY E X^(E - 1), and 0 where E is 0; dE = dY Y log X, and 0 where X is 0.

    E = 2 needs no power, nor does E = 1 or 0.5. Each is summed over the axes along which it was broadcast.
    """
    x, exponent = node.inputs
    assert x is not None
    assert exponent is not None
    dx = de = None
    if tape.needs(x):
        dx = sum_to_operand(tape, node, _times_slope(tape, node, dy, x, exponent), x)
    if tape.needs(exponent):
        total = sum_to_operand(tape, node, _times_logarithm(tape, node, dy, x), exponent)
        de = cast(tape, total, dtype_of(exponent))
    return [dx, de]


def _times_slope(tape: Tape, node: ir.Node, dy: ir.Value, x: ir.Value, exponent: ir.Value) -> ir.Value:
    known = tape.constant_of(exponent)
    number = None if known is None or known.size != 1 else float(known.item())
    if number == 1:
        return dy
    if number == 0.5:
        return tape.op(
            "Div", [tape.op("Mul", [dy, tape.scalar(0.5, x, "half")], like=dy), node.outputs[0]], like=dy
        )
    if number is not None:
        factor = tape.op("Mul", [x, tape.scalar(2, x, "two")], like=x) if number == 2 else None
        if factor is None:
            lower = tape.op("Pow", [x, tape.scalar(number - 1, x, "exponent")], like=x)
            factor = tape.op("Mul", [lower, tape.scalar(number, x, "factor")], like=x)
        return tape.op("Mul", [dy, factor], like=dy)
    same = cast(tape, exponent, dtype_of(x))
    zero, one = tape.scalar(0, x, "zero"), tape.scalar(1, x, "one")
    is_zero = tape.op("Equal", [same, zero], like=same, dtype=ir.DataType.BOOL)
    lowered = tape.op("Sub", [same, tape.op("Where", [is_zero, same, one], like=same)], like=same)
    power_below = tape.op("Pow", [x, lowered], like=dy)
    return tape.op("Mul", [dy, tape.op("Mul", [same, power_below], like=dy)], like=dy)


def _times_logarithm(tape: Tape, node: ir.Node, dy: ir.Value, x: ir.Value) -> ir.Value:
    zero, one = tape.scalar(0, x, "zero"), tape.scalar(1, x, "one")
    is_zero = tape.op("Equal", [x, zero], like=x, dtype=ir.DataType.BOOL)
    logarithm = tape.op("Log", [tape.op("Where", [is_zero, one, x], like=x)], like=x)
    return tape.op("Mul", [dy, tape.op("Mul", [node.outputs[0], logarithm], like=dy)], like=dy)


def where(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dA = dY where C, else 0; dB = 0 where C, else dY; each summed as that operand was broadcast."""
    condition, a, b = node.inputs
    assert a is not None
    assert b is not None
    zero = tape.scalar(0, dy, "zero")
    da = db = None
    if tape.needs(a):
        da = sum_to_operand(tape, node, tape.op("Where", [condition, dy, zero], like=dy), a)
    if tape.needs(b):
        db = sum_to_operand(tape, node, tape.op("Where", [condition, zero, dy], like=dy), b)
    return [None, da, db]


def extremum(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dY goes to the operands that equal Y, in equal parts."""
    y = node.outputs[0]
    if len(node.inputs) == 1:
        return [dy]
    hits: list[ir.Value] = []
    for operand in node.inputs:
        assert operand is not None
        equal = tape.op("Equal", [operand, y], like=y, dtype=ir.DataType.BOOL)
        hits.append(cast(tape, equal, dtype_of(y)))
    share = tape.op("Div", [dy, tape.add(hits, like=y)], like=y)
    return [
        sum_to_operand(tape, node, tape.op("Mul", [share, hit], like=y), operand)
        if operand is not None and tape.needs(operand)
        else None
        for operand, hit in zip(node.inputs, hits, strict=True)
    ]
