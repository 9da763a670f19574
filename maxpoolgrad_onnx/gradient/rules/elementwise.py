"""Elementwise arithmetic."""

from __future__ import annotations

import onnx_ir as ir

from ..tape import Tape
from .broadcasting import sum_to_operand


def add(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dA = dY, dB = dY, each summed over the axes along which that operand was broadcast."""
    return [
        sum_to_operand(tape, node, dy, operand) if operand is not None and tape.needs(operand) else None
        for operand in node.inputs
    ]
