"""Learning rates that change from step to step; the rate is an input of the training step."""

from __future__ import annotations

import math
from dataclasses import dataclass

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.gradient.options import choice, number, positive

KINDS = ("constant", "step", "cosine")


@dataclass(frozen=True)
class Schedule:
    """A learning rate by the step: after a warm-up constant, falling in steps, or along half a cosine.

    Attributes:
        rate: the learning rate at its highest.
        kind: one of KINDS.
        warmup: epochs, or a part of one, in which the rate rises in a line to `rate`.
        step_epochs: "step" multiplies by `gamma` after each of as many epochs, as torch.optim's StepLR.
        gamma: what "step" multiplies by.
    """

    rate: float
    kind: str = "constant"
    warmup: float = 0.0
    step_epochs: float = 10.0
    gamma: float = 0.1

    def __post_init__(self) -> None:
        """Check the options. Raises MaxPoolGradError (E10001)."""
        choice("schedule", self.kind, KINDS)
        number("learning_rate", self.rate)
        number("warmup", self.warmup)
        positive("step_epochs", self.step_epochs)
        number("gamma", self.gamma, most=1.0)

    @property
    def needs_end(self) -> bool:
        """Whether the rates depend on how many steps there are in all."""
        return self.kind == "cosine"

    def at(self, step: int, steps: int, per_epoch: int) -> float:
        """The rate of a step, counted from 0, of `steps` in all and `per_epoch` in an epoch.

        Cosine: rate (1 + cos(pi t / T)) / 2, t and T counted after the warm-up: Loshchilov and Hutter (2017),
        equation 5 without restarts, down to 0.
        """
        warm = self.warmup * per_epoch
        if step < warm:
            return self.rate * min(1.0, (step + 1) / warm)
        if self.kind == "step":
            return self.rate * self.gamma ** math.floor(step / (self.step_epochs * per_epoch))
        if self.kind == "cosine":
            return self.rate * 0.5 * (1 + math.cos(math.pi * (step - warm) / (steps - warm)))
        return self.rate

    def __str__(self) -> str:
        """The schedule in words: what it depends on, and nothing else."""
        falls = (
            f" by {float(self.gamma)!r} after {float(self.step_epochs)!r} epochs"
            if self.kind == "step"
            else ""
        )
        return f"{self.kind} {float(self.rate)!r}{falls}, warmup {float(self.warmup)!r}"

    def check_fits(self, epochs: int) -> None:
        """Raise MaxPoolGradError (E10001) where the warm-up is longer than the training."""
        if self.warmup > epochs:
            raise MaxPoolGradError(
                f"warmup is {self.warmup:g} epochs and epochs {epochs}; it must be shorter", code="E10001"
            )
