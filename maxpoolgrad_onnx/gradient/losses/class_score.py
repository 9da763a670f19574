"""The score of a class: what a saliency map is the gradient of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx_ir as ir

from .. import interface
from ..tape import Dim, Tape, dtype_of, shape_of
from .loss import given, labels_of, total, widened


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
        depth = tape.constant(np.array(shape_of(x)[1], np.int64), "classes")
        off_on = tape.constant(np.array([0, 1], dtype_of(x).numpy()), "off_on")
        chosen = tape.op("OneHot", [given(target), depth, off_on], like=x, attributes={"axis": 1})
        return total(tape, tape.op("Mul", [x, chosen], like=x)), chosen
