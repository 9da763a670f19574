"""Batch normalisation, with given statistics and with the batch's own.

Where an expression is an affine function of a tensor for each channel, it is written as one
BatchNormalization: batch_norm(X; s, b, m, v, e) = s (X - m) / sqrt(v + e) + b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx_ir as ir

from ...batch_norm_gradients import BATCH_NORM_GRAD, BATCH_NORM_INFERENCE_GRAD
from ...contract import DOMAIN
from ...errors import quoted
from ..operations import cast, reduce
from ..refusal import refusal
from ..tape import Tape, dtype_of, shape_of
from .conv import per_channel


def batch_normalization(
    tape: Tape, node: ir.Node, dy: ir.Value | None, *others: ir.Value | None
) -> list[ir.Value | None]:
    """The batch's own statistics (training_mode 1, the running ones being outputs):
    dX, dscale, dB = BatchNormGrad(dY, X, scale).

    Given ones (training_mode 0): dX, dscale, dB = BatchNormInferenceGrad(dY, X, scale, mean, var).

    mean and var have no gradient. Where dX is not needed, and where not all three are needed of given
    statistics, the others are computed alone: dX = batch_norm(dY; scale, 0, 0, var), dscale = sum(dY x) and
    dB = sum(dY) over all axes but the channels', with x = batch_norm(X; 1, 0, mean, var). So are those of
    given statistics in float16. BatchNormGrad computes in float32 there.
    """
    used = [value.name for value, given in zip(node.outputs[1:], others, strict=True) if given is not None]
    if used:
        raise refusal(
            node, f"the loss depends on its output {quoted(used[0])}", "let it depend on the first one alone"
        )
    assert dy is not None
    scale = node.inputs[1]
    assert scale is not None
    constants = _Constants(tape, scale, node.inputs[3], _epsilon(node))
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
        mean: ir.Value | None = None,
    ) -> ir.Value:
        """batch_norm(value; scale, 0, mean, var), with 1 for a scale and 0 for a mean that is left out."""
        inputs = [
            value,
            self.of(1, self.scale) if scale is None else scale,
            self.of(0, self.scale),
            self.of(0, self.mean) if mean is None else mean,
            var,
        ]
        attributes = {"epsilon": self.epsilon}
        return self.tape.op("BatchNormalization", inputs, like=value, attributes=attributes)


def _of_given_statistics(
    tape: Tape, node: ir.Node, dy: ir.Value, constants: _Constants
) -> list[ir.Value | None]:
    x, scale, b, mean, var = node.inputs
    assert x is not None
    if all(map(tape.needs, (x, scale, b))) and dtype_of(x) == _wide(x):
        return [*_in_one(tape, node, BATCH_NORM_INFERENCE_GRAD, [dy, x, scale, mean, var]), None, None]
    dx = constants.affine(dy, scale=scale, var=var) if tape.needs(x) else None
    normal = constants.affine(x, mean=mean, var=var) if tape.needs(scale) else None
    return [dx, *_sums(tape, node, dy, normal), None, None]


def _of_the_batch(tape: Tape, node: ir.Node, dy: ir.Value, constants: _Constants) -> list[ir.Value | None]:
    x, scale = node.inputs[:2]
    assert x is not None
    if tape.needs(x):
        return [*_in_one(tape, node, BATCH_NORM_GRAD, [dy, x, scale]), None, None]
    normal = _normal(tape, x, constants) if tape.needs(scale) else None
    return [None, *_sums(tape, node, dy, normal), None, None]


def _in_one(
    tape: Tape, node: ir.Node, op_type: str, inputs: Sequence[ir.Value | None]
) -> list[ir.Value | None]:
    """dX, dscale and dB by one node, in float32 where X is of a narrower type."""
    x, scale = node.inputs[:2]
    assert x is not None
    wide = _wide(x)
    operands = [cast(tape, value, wide) for value in inputs if value is not None]
    results = [(wide, shape_of(x)), (wide, shape_of(scale)), (wide, shape_of(scale))]
    attributes = {"epsilon": _epsilon(node)}
    gradients = tape.ops(op_type, operands, results, domain=DOMAIN, attributes=attributes)
    return [
        _like(tape, gradient, value) if tape.needs(value) else None
        for gradient, value in zip(gradients, node.inputs[:3], strict=True)
    ]


def _sums(tape: Tape, node: ir.Node, dy: ir.Value, normal: ir.Value | None) -> list[ir.Value | None]:
    """dscale and dB: the sums of dY times X normalised, None where dscale is not needed, and of dY."""
    scale, b = node.inputs[1:3]
    dscale = db = None
    if normal is not None:
        product = tape.op("Mul", [dy, normal], like=dy)
        dscale = _like(tape, reduce(tape, "ReduceSum", product, per_channel(dy), keepdims=False), scale)
    if tape.needs(b):
        db = _like(tape, reduce(tape, "ReduceSum", dy, per_channel(dy), keepdims=False), b)
    return [dscale, db]


def _normal(tape: Tape, x: ir.Value, constants: _Constants) -> ir.Value:
    """X normalised by the batch's statistics.

    Another BatchNormalization in training form would give it, but ONNX Runtime lets its running statistics
    overwrite the constants that it reads, where they are no outputs of the model.
    """
    axes = per_channel(x)
    centred = tape.op("Sub", [x, reduce(tape, "ReduceMean", x, axes, keepdims=True)], like=x)
    squares = tape.op("Mul", [centred, centred], like=x)
    var = _like(tape, reduce(tape, "ReduceMean", squares, axes, keepdims=False), constants.mean)
    return constants.affine(centred, var=var)


def _wide(x: ir.Value) -> ir.DataType:
    return ir.DataType.DOUBLE if dtype_of(x) is ir.DataType.DOUBLE else ir.DataType.FLOAT


def _epsilon(node: ir.Node) -> float:
    return node.attributes.get_float("epsilon", 1e-5)


def _like(tape: Tape, value: ir.Value, like: ir.Value | None) -> ir.Value:
    return cast(tape, value, dtype_of(like))
