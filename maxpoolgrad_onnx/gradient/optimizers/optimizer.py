"""What every optimizer is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

import onnx_ir as ir

from ..tape import Tape

Rule: TypeAlias = Callable[[ir.Value, ir.Value, Sequence[ir.Value]], tuple[ir.Value, list[ir.Value]]]
"""From a parameter, its gradient and its slots to the updated parameter and slots, elementwise."""


class Optimizer(Protocol):
    """An optimizer with its options."""

    @property
    def slots(self) -> Sequence[str]:
        """What is kept for each parameter, zero at the start: the last part of the slot's name."""

    @property
    def counts_steps(self) -> bool:
        """Whether the update depends on the number of the step."""

    def rule(self, tape: Tape, rate: ir.Value, count: ir.Value | None) -> Rule:
        """Write what all parameters share to the tape.

        `rate` is the learning rate, `count` the number of this step from 1 (where steps are counted): scalars
        of the type that the update is computed in.
        """


def decayed(tape: Tape, parameter: ir.Value, gradient: ir.Value, weight_decay: float) -> ir.Value:
    """g + weight_decay p: the gradient of the loss with L2 regularisation."""
    if weight_decay == 0:
        return gradient
    factor = tape.scalar(weight_decay, parameter, "weight_decay")
    penalty = tape.op("Mul", [parameter, factor], like=parameter)
    return tape.op("Add", [gradient, penalty], like=parameter)
