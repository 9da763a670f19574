"""Activations."""

from __future__ import annotations

import onnx_ir as ir

from ..tape import Tape, dtype_of


def relu(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY * (Y > 0).

    A mask and a product rather than Where: seven times as fast in ONNX Runtime. An infinite dY where Y is 0
    gives NaN.
    """
    y = node.outputs[0]
    zero = tape.scalar(0.0, y, "zero")
    positive = tape.op("Greater", [y, zero], like=y, dtype=ir.DataType.BOOL)
    mask = tape.op("Cast", [positive], like=y, attributes={"to": dtype_of(y)})
    return [tape.op("Mul", [dy, mask], like=y)]
