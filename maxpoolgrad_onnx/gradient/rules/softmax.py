"""Softmax and its logarithm, over one axis (opset 13 and later)."""

from __future__ import annotations

import onnx_ir as ir

from ..operations import reduce
from ..tape import Tape, shape_of


def softmax(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = (dY - sum(dY Y)) Y, the sum over the axis."""
    y = node.outputs[0]
    total = _sum(tape, node, tape.op("Mul", [dy, y], like=y))
    return [tape.op("Mul", [tape.op("Sub", [dy, total], like=y), y], like=y)]


def log_softmax(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY - sum(dY) exp(Y), the sum over the axis."""
    y = node.outputs[0]
    total = _sum(tape, node, dy)
    spread = tape.op("Mul", [tape.op("Exp", [y], like=y), total], like=y)
    return [tape.op("Sub", [dy, spread], like=y)]


def _sum(tape: Tape, node: ir.Node, value: ir.Value) -> ir.Value:
    axis = node.attributes.get_int("axis", -1) % len(shape_of(value))
    return reduce(tape, "ReduceSum", value, [axis], keepdims=True)
