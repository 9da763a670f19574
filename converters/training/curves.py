"""Curves of a training, drawn with matplotlib without a display."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from maxpoolgrad_onnx.errors import MaxPoolGradError

from .held_out import HELD_OUT_ACCURACY, HELD_OUT_LOSS
from .loop import History

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STEPS, _TRAINED, _HELD_OUT = "#b9c4cf", "#2f6db3", "#c96a12"
_STYLE: dict[Any, Any] = {"axes.spines.top": False, "axes.spines.right": False, "font.size": 10.5}


def check_curves_can_be_drawn() -> None:
    """Raise MaxPoolGradError where matplotlib is missing, before the work that it is to show."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MaxPoolGradError(
            "the curves need matplotlib, which is not installed; run `pip install matplotlib`, or leave "
            "--curves out"
        ) from error


def curves(history: History) -> bytes:
    """PNG: the loss of each step and each epoch, held-out loss and accuracy where there are."""
    import matplotlib
    from matplotlib.figure import Figure

    accuracies = _figures(history, HELD_OUT_ACCURACY)
    with matplotlib.rc_context(_STYLE):
        figure = Figure((10 if accuracies else 5.5, 4), dpi=120, layout="constrained")
        axes = figure.subplots(1, 2 if accuracies else 1, squeeze=False)[0]
        _draw_losses(axes[0], history)
        if accuracies:
            numbers = np.arange(1, len(accuracies) + 1)
            axes[1].plot(numbers, 100 * np.array(accuracies), color=_HELD_OUT, marker=".")
            axes[1].set(xlabel="epoch", ylabel="held-out accuracy, %")
        for each in axes:
            each.grid(alpha=0.25, linewidth=0.6)
        data = io.BytesIO()
        figure.savefig(data, format="png", metadata={"Software": None})
    return data.getvalue()


def _draw_losses(axes: Axes, history: History) -> None:
    count = len(history.epochs)
    steps = np.arange(1, len(history.losses) + 1) * count / max(len(history.losses), 1)
    axes.plot(steps, history.losses, color=_STEPS, linewidth=0.8, label="each step")
    numbers = np.arange(1, count + 1)
    axes.plot(numbers, [epoch.loss for epoch in history.epochs], color=_TRAINED, marker=".", label="epoch")
    held_out = _figures(history, HELD_OUT_LOSS)
    if held_out:
        axes.plot(numbers, held_out, color=_HELD_OUT, marker=".", label="held out")
    if all(loss > 0 for loss in history.losses):
        axes.set_yscale("log")
    axes.set(xlabel="epoch", ylabel="loss")
    axes.legend(frameon=False)


def _figures(history: History, name: str) -> list[float]:
    return [epoch.figures[name] for epoch in history.epochs if name in epoch.figures]
