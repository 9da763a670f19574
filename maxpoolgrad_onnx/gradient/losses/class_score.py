"""The score of a class: what a saliency map is the gradient of."""

from __future__ import annotations

from dataclasses import dataclass

import onnx_ir as ir

from .. import interface
from ..tape import Dim, Tape
from .loss import given, labels_of, one_hot, total, widened


@dataclass(frozen=True)
class ClassScore:
    """L = sum of X[n, labels[n]], dX = one-hot labels: Simonyan, Vedaldi and Zisserman (2014), section 3.

    A sum, no mean, and no softmax: each example's gradient is that of its own score, whatever the batch.
    """

    def target(self, output: ir.Value, dims: tuple[Dim, ...]) -> ir.Value:
        """`labels`, int64."""
        return labels_of(interface.LABELS, output, dims)

    def write(self, tape: Tape, output: ir.Value, target: ir.Value | None) -> tuple[ir.Value, ir.Value]:
        """The score, and the output's gradient."""
        x = widened(tape, output)
        chosen = one_hot(tape, given(target), x)
        return total(tape, tape.op("Mul", [x, chosen], like=x)), chosen
