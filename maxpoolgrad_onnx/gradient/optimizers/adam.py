"""Adam, and AdamW with its weight decay apart from the gradient."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx_ir as ir

from ...errors import MaxPoolGradError
from .. import interface
from ..options import number, positive
from ..tape import Tape, dtype_of
from .optimizer import Rule, decayed


@dataclass(frozen=True)
class Adam:
    """As torch.optim.Adam; Kingma and Ba (2015), algorithm 1, in the order of the end of its section 2.

        g' = g + weight_decay p
        m' = b1 m + (1 - b1) g'
        v' = b2 v + (1 - b2) g'^2
        p' = p - learning_rate sqrt(c2) / c1  m' / (sqrt(v') + eps sqrt(c2)),  c = 1 - b^t, t the step from 1

    The slots are `<parameter>.exp_avg`, m, and `<parameter>.exp_avg_sq`, v.
    """

    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8
    weight_decay: float = 0.0

    def __post_init__(self) -> None:
        """Check the options. Raises MaxPoolGradError (E10001)."""
        if len(self.betas) != 2:
            raise MaxPoolGradError(
                f"betas is {self.betas!r}; it must be two numbers, 0 or more and less than 1", code="E10001"
            )
        for beta in self.betas:
            number("a beta", beta, below=1.0)
        positive("eps", self.eps)
        number("weight_decay", self.weight_decay)

    @property
    def slots(self) -> Sequence[str]:
        """m and v."""
        return [interface.EXP_AVG, interface.EXP_AVG_SQ]

    @property
    def counts_steps(self) -> bool:
        """For c1 and c2."""
        return True

    def rule(self, tape: Tape, rate: ir.Value, count: ir.Value | None) -> Rule:
        """Twelve nodes a tensor, and two more with weight decay."""
        return _rule(self, tape, rate, count)

    def before(
        self, tape: Tape, p: ir.Value, g: ir.Value, kept: ir.Value | None
    ) -> tuple[ir.Value, ir.Value]:
        """Parameter and gradient with weight decay."""
        return p, decayed(tape, p, g, self.weight_decay)

    def kept(self, tape: Tape, rate: ir.Value) -> ir.Value | None:
        """What share of a parameter weight decay leaves, where it is not the gradient's matter."""
        return None


@dataclass(frozen=True)
class AdamW(Adam):
    """As torch.optim.AdamW; Loshchilov and Hutter (2019), algorithm 2.

    As Adam with g' = g, and with (1 - learning_rate weight_decay) p in the place of p.
    """

    weight_decay: float = 0.01

    def before(
        self, tape: Tape, p: ir.Value, g: ir.Value, kept: ir.Value | None
    ) -> tuple[ir.Value, ir.Value]:
        """Parameter and gradient with weight decay."""
        return (p if kept is None else tape.op("Mul", [p, kept], like=p)), g

    def kept(self, tape: Tape, rate: ir.Value) -> ir.Value | None:
        """1 - learning_rate weight_decay."""
        if self.weight_decay == 0:
            return None
        lost = tape.op("Mul", [rate, tape.scalar(self.weight_decay, rate, "weight_decay")], like=rate)
        return tape.op("Sub", [tape.scalar(1, rate, "one"), lost], like=rate)


def _rule(adam: Adam, tape: Tape, rate: ir.Value, count: ir.Value | None) -> Rule:
    assert count is not None
    b1, b2 = adam.betas
    c1, c2 = (_one_minus_power(tape, beta, count) for beta in adam.betas)
    root = tape.op("Sqrt", [c2], like=c2)
    size = tape.op("Div", [tape.op("Mul", [rate, root], like=rate), c1], like=rate)
    eps = tape.op("Mul", [root, tape.scalar(adam.eps, rate, "eps")], like=rate)
    kept = adam.kept(tape, rate)

    def mean(p: ir.Value, old: ir.Value, new: ir.Value, beta: float) -> ir.Value:
        old = tape.op("Mul", [old, tape.scalar(beta, p, "beta")], like=p)
        new = tape.op("Mul", [new, tape.scalar(1 - beta, p, "rest")], like=p)
        return tape.op("Add", [old, new], like=p)

    def update(p: ir.Value, gradient: ir.Value, slots: Sequence[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
        p, g = adam.before(tape, p, gradient, kept)
        m = mean(p, slots[0], g, b1)
        v = mean(p, slots[1], tape.op("Mul", [g, g], like=p), b2)
        length = tape.op("Add", [tape.op("Sqrt", [v], like=p), eps], like=p)
        step = tape.op("Mul", [tape.op("Div", [m, length], like=p), size], like=p)
        return tape.op("Sub", [p, step], like=p), [m, v]

    return update


def _one_minus_power(tape: Tape, beta: float, count: ir.Value) -> ir.Value:
    """1 - beta^t without cancellation: 2 T / (1 + T), T = tanh(-t ln(beta) / 2).

    In float32, 1 - 0.999^1 computed as it is written is off by 1e-5 of itself and more.
    """
    if beta == 0:
        return tape.constant(np.array(1, dtype_of(count).numpy()), "one")
    half = tape.op("Mul", [count, tape.scalar(-math.log(beta) / 2, count, "half_log")], like=count)
    tangent = tape.op("Tanh", [half], like=count)
    twice = tape.op("Add", [tangent, tangent], like=count)
    return tape.op(
        "Div", [twice, tape.op("Add", [tangent, tape.scalar(1, count, "one")], like=count)], like=count
    )
