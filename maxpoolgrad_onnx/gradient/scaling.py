"""Loss scaling: float16 gradients kept from vanishing, and steps skipped whose gradients overflowed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx_ir as ir

from ..errors import MaxPoolGradError
from . import interface
from .tape import Tape

LossScale = float | str
"""A number, or DYNAMIC."""

DYNAMIC = "dynamic"
_GROWTH_INTERVAL = 2000
_LEAST, _MOST = 1.0, 2.0**24


@dataclass(frozen=True)
class Scaling:
    """A loss scale as a value, and what it becomes after the step where it is a state."""

    value: ir.Value
    inputs: tuple[ir.Value, ...] = ()

    @classmethod
    def of(cls, tape: Tape, loss_scale: LossScale) -> Scaling:
        """A constant, or an input called `loss_scale`: float32 scalars."""
        if loss_scale == DYNAMIC:
            scale = _scalar(interface.LOSS_SCALE, ir.DataType.FLOAT)
            return cls(scale, (scale,))
        return cls(tape.constant(np.array(loss_scale, np.float32), "loss_scale"))

    def after(self, tape: Tape, finite: ir.Value) -> tuple[list[ir.Value], list[ir.Value]]:
        """The states of a dynamic scale, before and after the step; none of a constant one.

        As torch.amp.GradScaler: doubled after 2000 steps without an overflow, halved after one with it; and
        kept from 1 to 2^24.
        """
        if not self.inputs:
            return [], []
        scale, good = self.value, _scalar(interface.GOOD_STEPS, ir.DataType.INT64)
        grown = tape.op("Add", [good, _int(tape, 1)], like=good)
        due = tape.op("Equal", [grown, _int(tape, _GROWTH_INTERVAL)], like=good, dtype=ir.DataType.BOOL)
        larger = tape.op("Mul", [scale, tape.scalar(2, scale, "two")], like=scale)
        larger = tape.op("Min", [larger, tape.scalar(_MOST, scale, "most")], like=scale)
        smaller = tape.op("Mul", [scale, tape.scalar(0.5, scale, "half")], like=scale)
        smaller = tape.op("Max", [smaller, tape.scalar(_LEAST, scale, "least")], like=scale)
        grown_scale = tape.op("Where", [due, larger, scale], like=scale)
        scale_after = tape.op("Where", [finite, grown_scale, smaller], like=scale)
        zero = _int(tape, 0)
        counted = tape.op("Where", [due, zero, grown], like=good)
        good_after = tape.op("Where", [finite, counted, zero], like=good)
        return [scale, good], [scale_after, good_after]


def check_loss_scale(loss_scale: LossScale | None) -> None:
    """Raise MaxPoolGradError (E10001) for what is neither None, "dynamic" nor a number above 0."""
    if loss_scale is None or loss_scale == DYNAMIC:
        return
    if isinstance(loss_scale, str) or not 0 < loss_scale <= _MOST:
        raise MaxPoolGradError(
            f"loss_scale is {loss_scale!r}; it must be {DYNAMIC!r} or a number above 0, {_MOST:g} at most",
            code="E10001",
        )


def _scalar(name: str, dtype: ir.DataType) -> ir.Value:
    return ir.Value(name=name, type=ir.TensorType(dtype), shape=ir.Shape([]))


def _int(tape: Tape, number: int) -> ir.Value:
    return tape.constant(np.array(number, np.int64), "number")
