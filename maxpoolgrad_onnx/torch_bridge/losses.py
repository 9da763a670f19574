"""PyTorch's loss modules by the names that add_training_step has for them."""

from __future__ import annotations

from typing import Any

import torch

from ..errors import MaxPoolGradError, quoted


def loss_options(loss: str | torch.nn.Module) -> dict[str, Any]:
    """The options of add_training_step that stand for a loss.

    Raises MaxPoolGradError for a module, or a setting of one, that has no such options.
    """
    if isinstance(loss, str):
        return {"loss": loss}
    if isinstance(loss, torch.nn.CrossEntropyLoss):
        return _cross_entropy(loss)
    raise MaxPoolGradError(
        f"loss is a {type(loss).__name__}; give torch.nn.CrossEntropyLoss, or the name of a loss",
        code="E10001",
    )


def _cross_entropy(loss: torch.nn.CrossEntropyLoss) -> dict[str, Any]:
    _only(loss, "reduction", "mean")
    _only(loss, "weight", None)
    _only(loss, "label_smoothing", 0.0)
    return {"loss": "softmax_cross_entropy"}


def _only(loss: torch.nn.Module, name: str, allowed: object) -> None:
    value = getattr(loss, name)
    if value is not allowed and value != allowed:
        raise MaxPoolGradError(
            f"{type(loss).__name__} has {name} {quoted(value)}; {quoted(allowed)} is allowed", code="E10001"
        )
