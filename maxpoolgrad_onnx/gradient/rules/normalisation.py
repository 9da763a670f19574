"""Batch normalisation, with given statistics and with the batch's own.

Where an expression is an affine function of a tensor for each channel, it is written as one
BatchNormalization: batch_norm(X; s, b, m, v, e) = s (X - m) / sqrt(v + e) + b.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx_ir as ir

from ...errors import quoted
from ..operations import cast, count, reduce
from ..refusal import refusal
from ..tape import Tape, dtype_of, shape_of
from .conv import per_channel


def batch_normalization(
    tape: Tape, node: ir.Node, dy: ir.Value | None, *others: ir.Value | None
) -> list[ir.Value | None]:
    """Given statistics (training_mode 0): dX = batch_norm(dY; scale, 0, 0, var).

    The batch's own (training_mode 1, the running ones being outputs), mean and var those of the batch:
    dX = batch_norm(dY - (x mean(dY x) + mean(dY)); scale, 0, 0, var).

    In both, x = batch_norm(X; 1, 0, mean, var), dscale = sum(dY x), dB = sum(dY), over all axes but the
    channels'; mean and var have no gradient.
    """
    used = [value.name for value, given in zip(node.outputs[1:], others, strict=True) if given is not None]
    if used:
        raise refusal(
            node, f"the loss depends on its output {quoted(used[0])}", "let it depend on the first one alone"
        )
    assert dy is not None
    x, scale = node.inputs[:2]
    assert x is not None
    assert scale is not None
    constants = _Constants(tape, scale, node.inputs[3], node.attributes.get_float("epsilon", 1e-5))
    if node.attributes.get_int("training_mode", 0):
        return _of_the_batch(tape, node, dy, constants)
    if len(node.outputs) > 1:
        raise refusal(
            node,
            f"it has {len(node.outputs)} outputs and no training_mode, which is training before opset 14",
            "export the model again with opset 14 or later",
        )
    return _of_given_statistics(tape, node, dy, constants)


@dataclass(frozen=True)
class _Constants:
    """Constant vectors with an element for each channel: of scale's type, and of the statistics'."""

    tape: Tape
    scale: ir.Value
    mean: ir.Value | None
    epsilon: float

    def of(self, number: float, like: ir.Value | None) -> ir.Value:
        assert like is not None
        elements = np.full(self.channels, number, dtype_of(like).numpy())
        return self.tape.constant(elements, "zeros" if number == 0 else "ones")

    @property
    def channels(self) -> int:
        count = shape_of(self.scale)[0]
        assert isinstance(count, int), self.scale.name
        return count

    def affine(
        self,
        value: ir.Value,
        *,
        var: ir.Value | None,
        scale: ir.Value | None = None,
        bias: ir.Value | None = None,
        mean: ir.Value | None = None,
        epsilon: float | None = None,
    ) -> ir.Value:
        """batch_norm(value; scale, bias, mean, var), with 1 for a scale and 0 for what else is left out."""
        inputs = [
            value,
            self.of(1, self.scale) if scale is None else scale,
            self.of(0, self.scale) if bias is None else bias,
            self.of(0, self.mean) if mean is None else mean,
            self.of(1, self.mean) if var is None else var,
        ]
        chosen = self.epsilon if epsilon is None else epsilon
        return self.tape.op("BatchNormalization", inputs, like=value, attributes={"epsilon": chosen})


def _of_given_statistics(
    tape: Tape, node: ir.Node, dy: ir.Value, constants: _Constants
) -> list[ir.Value | None]:
    x, scale, b, mean, var = node.inputs
    assert x is not None
    assert b is not None
    dx = dscale = db = None
    if tape.needs(x):
        dx = constants.affine(dy, scale=scale, var=var)
    if tape.needs(scale):
        normal = constants.affine(x, mean=mean, var=var)
        product = tape.op("Mul", [dy, normal], like=dy)
        dscale = _like(tape, reduce(tape, "ReduceSum", product, per_channel(x), keepdims=False), scale)
    if tape.needs(b):
        db = _like(tape, reduce(tape, "ReduceSum", dy, per_channel(x), keepdims=False), b)
    return [dx, dscale, db, None, None]


def _of_the_batch(tape: Tape, node: ir.Node, dy: ir.Value, constants: _Constants) -> list[ir.Value | None]:
    x, scale, b = node.inputs[:3]
    assert x is not None
    assert scale is not None
    assert b is not None
    normal, batch_var = _normal(tape, x, constants)
    axes = per_channel(x)
    product = tape.op("Mul", [dy, normal], like=dy)
    if not tape.needs(x):
        sums = (reduce(tape, "ReduceSum", value, axes, keepdims=False) for value in (product, dy))
        return [None, *(_like(tape, total, scale) for total in sums), None, None]
    mean_product, mean_dy = (
        _like(tape, reduce(tape, "ReduceMean", value, axes, keepdims=False), scale) for value in (product, dy)
    )
    projection = constants.affine(normal, scale=mean_product, bias=mean_dy, var=None, epsilon=0.0)
    rest = tape.op("Sub", [dy, projection], like=dy)
    dx = constants.affine(rest, scale=scale, var=batch_var)
    size = count(tape, x, axes, scale)
    dscale = tape.op("Mul", [mean_product, size], like=mean_product) if tape.needs(scale) else None
    db = tape.op("Mul", [mean_dy, size], like=mean_dy) if tape.needs(b) else None
    return [dx, dscale, db, None, None]


def _normal(tape: Tape, x: ir.Value, constants: _Constants) -> tuple[ir.Value, ir.Value]:
    """X normalised by the batch's statistics, and the batch's variance.

    Another BatchNormalization in training form would give both, but ONNX Runtime lets its running statistics
    overwrite the constants that it reads, where they are no outputs of the model.
    """
    axes = per_channel(x)
    centred = tape.op("Sub", [x, reduce(tape, "ReduceMean", x, axes, keepdims=True)], like=x)
    squares = tape.op("Mul", [centred, centred], like=x)
    var = _like(tape, reduce(tape, "ReduceMean", squares, axes, keepdims=False), constants.mean)
    return constants.affine(centred, var=var), var


def _like(tape: Tape, value: ir.Value, like: ir.Value | None) -> ir.Value:
    return cast(tape, value, dtype_of(like))
