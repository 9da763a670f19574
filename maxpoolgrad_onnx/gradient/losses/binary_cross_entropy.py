"""Binary cross-entropy of logits."""

from __future__ import annotations

from dataclasses import dataclass

import onnx_ir as ir

from .. import interface
from ..tape import Dim, Tape
from .loss import element_count, given, targets_of, widened


@dataclass(frozen=True)
class BinaryCrossEntropy:
    """L = mean(max(X, 0) - X T + log(1 + exp(-|X|))), dX = (sigmoid(X) - T) / n.

    As torch.nn.functional.binary_cross_entropy_with_logits, in the form that does not overflow. X is the
    model's output, before any sigmoid; T, from 0 to 1, is the input `targets`, of its dtype and shape.
    """

    def target(self, output: ir.Value, dims: tuple[Dim, ...]) -> ir.Value:
        """`targets`, as the output."""
        return targets_of(interface.TARGETS, output, dims)

    def write(self, tape: Tape, output: ir.Value, target: ir.Value | None) -> tuple[ir.Value, ir.Value]:
        """The loss, and the output's gradient."""
        x, t = widened(tape, output), widened(tape, given(target))
        above = tape.op("Relu", [x], like=x)
        hit = tape.op("Mul", [x, t], like=x)
        size = tape.op("Abs", [x], like=x)
        decay = tape.op("Exp", [tape.op("Neg", [size], like=x)], like=x)
        one = tape.scalar(1, x, "one")
        rest = tape.op("Log", [tape.op("Add", [decay, one], like=x)], like=x)
        each = tape.op("Add", [tape.op("Sub", [above, hit], like=x), rest], like=x)
        loss = tape.op("ReduceMean", [each], like=x, shape=[], attributes={"keepdims": 0})
        off = tape.op("Sub", [tape.op("Sigmoid", [x], like=x), t], like=x)
        return loss, tape.op("Div", [off, element_count(tape, output, x)], like=x)
