"""The losses: a class for each, its fields the options; its docstring is the formula.

A loss takes the forward model's output, says which further input it reads (classes or values to hit) and
writes the loss and the output's gradient to the tape, both in float32 where the output is float16.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..options import choice
from .binary_cross_entropy import BinaryCrossEntropy
from .class_score import ClassScore
from .loss import Loss
from .mean_squared_error import MeanSquaredError
from .own import OwnLoss
from .softmax_cross_entropy import SoftmaxCrossEntropy

LOSSES: Mapping[str, type[Loss]] = {
    "softmax_cross_entropy": SoftmaxCrossEntropy,
    "mse": MeanSquaredError,
    "bce_with_logits": BinaryCrossEntropy,
    "class_score": ClassScore,
    "output": OwnLoss,
}


def loss_of(loss: str | Loss) -> Loss:
    """A loss given as itself, or by its name with the options that it has anyway."""
    return LOSSES[choice("loss", loss, LOSSES)]() if isinstance(loss, str) else loss


__all__ = [
    "LOSSES",
    "BinaryCrossEntropy",
    "ClassScore",
    "Loss",
    "MeanSquaredError",
    "OwnLoss",
    "SoftmaxCrossEntropy",
    "loss_of",
]
