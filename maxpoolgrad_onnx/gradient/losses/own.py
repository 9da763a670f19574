"""The user's own loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx_ir as ir

from ...errors import MaxPoolGradError, quoted
from ..tape import Dim, Tape, dtype_of
from .loss import FLOATS, widened


@dataclass(frozen=True)
class OwnLoss:
    """L = Y, dY = 1: the forward model's output is the loss itself, a single floating-point number."""

    def target(self, output: ir.Value, dims: tuple[Dim, ...]) -> None:
        """None: what the loss reads, the forward model has as an input."""
        if output.dtype not in FLOATS or any(dim != 1 for dim in dims):
            raise MaxPoolGradError(
                f"output {quoted(output.name)} is {output.dtype} {output.shape}; with loss 'output' it is "
                "the loss, one float16, float32 or double: end the model with a ReduceMean or ReduceSum"
            )

    def write(self, tape: Tape, output: ir.Value, target: ir.Value | None) -> tuple[ir.Value, ir.Value]:
        """The output as a scalar, and 1."""
        loss = widened(tape, output)
        if output.shape is not None and len(output.shape):
            loss = tape.op("Reshape", [loss, tape.ints([], "scalar")], like=loss, shape=[])
        else:  # the loss has a name of its own, and the output's nodes keep theirs
            loss = tape.op("Identity", [loss], like=loss)
        seed = np.ones([1] * len(output.shape or ()), dtype_of(loss).numpy())
        return loss, tape.constant(seed, "one")
