"""PyTorch's losses by those of training steps."""

from __future__ import annotations

from typing import Any

import torch

from ..errors import MaxPoolGradError, quoted
from ..gradient.losses import BinaryCrossEntropy, Loss, MeanSquaredError, SoftmaxCrossEntropy


def loss_of(loss: str | Loss | torch.nn.Module) -> str | Loss:
    """The loss of a training step that stands for one of torch.nn; what add_training_step takes stays.

    Raises MaxPoolGradError for a module, or a setting of one, that no loss of a training step stands for.
    """
    if not isinstance(loss, torch.nn.Module):
        return loss
    _only(loss, "reduction", "mean")
    if isinstance(loss, torch.nn.CrossEntropyLoss):
        weights = None if loss.weight is None else tuple(loss.weight.tolist())
        return SoftmaxCrossEntropy(
            class_weights=weights, label_smoothing=loss.label_smoothing, ignore_index=loss.ignore_index
        )
    if isinstance(loss, torch.nn.MSELoss):
        return MeanSquaredError()
    if isinstance(loss, torch.nn.BCEWithLogitsLoss):
        _only(loss, "weight", None)
        _only(loss, "pos_weight", None)
        return BinaryCrossEntropy()
    raise MaxPoolGradError(
        f"loss is a {type(loss).__name__}; give a CrossEntropyLoss, MSELoss or BCEWithLogitsLoss of "
        "torch.nn, or the name of a loss",
        code="E10001",
    )


def _only(loss: torch.nn.Module, name: str, allowed: Any) -> None:
    value = getattr(loss, name, allowed)
    if value is not allowed and value != allowed:
        raise MaxPoolGradError(
            f"{type(loss).__name__} has {name} {quoted(value)}; {quoted(allowed)} is allowed", code="E10001"
        )
