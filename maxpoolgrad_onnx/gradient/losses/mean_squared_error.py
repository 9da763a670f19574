"""The mean squared error."""

from __future__ import annotations

from dataclasses import dataclass

import onnx_ir as ir

from .. import interface
from ..tape import Dim, Tape
from .loss import element_count, given, targets_of, widened


@dataclass(frozen=True)
class MeanSquaredError:
    """L = mean((Y - T)^2), dY = 2 (Y - T) / n: as torch.nn.functional.mse_loss.

    T is the input `targets`, of the output's dtype and shape; n is the number of its elements.
    """

    def target(self, output: ir.Value, dims: tuple[Dim, ...]) -> ir.Value:
        """`targets`, as the output."""
        return targets_of(interface.TARGETS, output, dims)

    def write(self, tape: Tape, output: ir.Value, target: ir.Value | None) -> tuple[ir.Value, ir.Value]:
        """The loss, and the output's gradient."""
        y, t = widened(tape, output), widened(tape, given(target))
        difference = tape.op("Sub", [y, t], like=y)
        square = tape.op("Mul", [difference, difference], like=y)
        loss = tape.op("ReduceMean", [square], like=y, shape=[], attributes={"keepdims": 0})
        twice = tape.op("Add", [difference, difference], like=y)
        return loss, tape.op("Div", [twice, element_count(tape, output, y)], like=y)
