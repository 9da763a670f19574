"""Stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import onnx_ir as ir

from ...errors import MaxPoolGradError
from .. import interface
from ..options import number
from ..tape import Tape
from .optimizer import Rule, decayed


@dataclass(frozen=True)
class SGD:
    """As torch.optim.SGD without dampening.

        g' = g + weight_decay p
        v' = momentum v + g'
        p' = p - learning_rate d, d = v', or g' + momentum v' with nesterov

    With momentum 0 there is no v, and d = g'. The slot is `<parameter>.momentum`, v.
    """

    momentum: float = 0.9
    nesterov: bool = False
    weight_decay: float = 0.0

    def __post_init__(self) -> None:
        """Check the options. Raises MaxPoolGradError (E10001)."""
        number("momentum", self.momentum)
        number("weight_decay", self.weight_decay)
        if self.nesterov and not self.momentum:
            raise MaxPoolGradError(
                "nesterov is true and momentum is 0; Nesterov's form needs a momentum: give one above 0",
                code="E10001",
            )

    @property
    def slots(self) -> Sequence[str]:
        """v, where there is a momentum."""
        return [interface.MOMENTUM] if self.momentum else []

    @property
    def counts_steps(self) -> bool:
        """Steps are not counted."""
        return False

    def rule(self, tape: Tape, rate: ir.Value, count: ir.Value | None) -> Rule:
        """Four nodes a tensor; two without momentum."""

        def update(
            p: ir.Value, gradient: ir.Value, slots: Sequence[ir.Value]
        ) -> tuple[ir.Value, list[ir.Value]]:
            direction = g = decayed(tape, p, gradient, self.weight_decay)
            after = []
            if self.momentum:
                momentum = tape.scalar(self.momentum, p, "momentum")
                direction = v = tape.op("Add", [tape.op("Mul", [slots[0], momentum], like=p), g], like=p)
                after = [v]
                if self.nesterov:
                    direction = tape.op("Add", [g, tape.op("Mul", [v, momentum], like=p)], like=p)
            step = tape.op("Mul", [direction, rate], like=p)
            return tape.op("Sub", [p, step], like=p), after

        return update
