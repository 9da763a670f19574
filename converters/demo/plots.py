"""Curves and heat maps, drawn with matplotlib without a display."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from maxpoolgrad_onnx.arrays import Array

from .gradients import ParameterGradient, PoolGradient
from .result import TARGET_MEAN, Demo
from .training import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FONT: dict[Any, Any] = {
    "font.size": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.family": "sans-serif",
}
_GREY, _BLUE, _ORANGE, _GREEN = "#7b8794", "#2f6db3", "#c96a12", "#3d7a46"
_STRATIFIED, _FILE_ORDER = "held-out fifth, stratified", "last fifth in file order"
_RESOLUTION = 144


def training_curves(demo: Demo) -> bytes:
    """PNG: loss and held-out accuracy by epoch, a thin line for each seed and a thick one for the mean."""
    import matplotlib

    with matplotlib.rc_context(_FONT):
        figure = _figure(11, 4.4)
        losses, accuracies = figure.subplots(1, 2)
        _curves(losses, [run.losses for run in demo.stratified], _GREY, "training digits, shifted")
        _curves(losses, [run.held_out_losses for run in demo.stratified], _BLUE, _STRATIFIED)
        losses.set(xlabel="epoch", ylabel="mean cross-entropy", yscale="log", title="Loss")
        losses.legend(frameon=False, loc="upper right")
        for runs, colour, label in (
            (demo.stratified, _BLUE, _STRATIFIED),
            (demo.file_order, _ORANGE, _FILE_ORDER),
        ):
            _curves(accuracies, _percents(runs), colour, label)
        accuracies.axhline(100 * TARGET_MEAN, color=_GREEN, linestyle="--", linewidth=1)
        accuracies.annotate(
            f"aim of the mean: {100 * TARGET_MEAN:g} %",
            (1, 100 * TARGET_MEAN),
            xycoords=accuracies.get_yaxis_transform(),
            xytext=(-4, 3),
            textcoords="offset points",
            ha="right",
            color=_GREEN,
            fontsize=9,
        )
        accuracies.set(xlabel="epoch", ylabel="accuracy, %", title="Accuracy on digits held out")
        accuracies.set_ylim(_lowest_shown(demo), 100.2)
        accuracies.legend(frameon=False, loc="lower right")
        for axes in (losses, accuracies):
            axes.grid(alpha=0.25, linewidth=0.6)
            axes.set_xlim(1, max(2, len(demo.stratified[0].losses)))
            axes.xaxis.get_major_locator().set_params(integer=True)
        return _png(figure)


def _percents(runs: Sequence[Run]) -> list[list[float]]:
    return [[100 * value for value in run.accuracies] for run in runs]


def _lowest_shown(demo: Demo) -> float:
    """In percent: below it lie only the first epochs, whose rise would flatten all that follows."""
    runs = (*demo.stratified, *demo.file_order)
    lowest = min(min(run.accuracies[len(run.accuracies) // 5 :]) for run in runs)
    return max(0.0, float(np.floor(100 * lowest)) - 1)


def pool_maps(pool: PoolGradient) -> bytes:
    """PNG: one plane of a MaxPoolV3Grad node: inputs, what step.om and the oracle give, the difference."""
    import matplotlib

    plane = np.unravel_index(int(np.abs(pool.out_grad).max((2, 3)).argmax()), pool.out_grad.shape[:2])
    out, oracle = pool.out_grad[plane], pool.oracle[plane]
    panels = [
        ("orig_input", pool.orig_input[plane], "Greys"),
        ("orig_output", pool.orig_output[plane], "Greys"),
        ("grad", pool.grad[plane], "RdBu_r"),
        ("out_grad, step.om", out, "RdBu_r"),
        ("out_grad, oracle", oracle, "RdBu_r"),
        ("difference", out - oracle, "RdBu_r"),
    ]
    gradient_size = float(max(np.abs(out).max(), np.abs(pool.grad[plane]).max()))
    with matplotlib.rc_context(_FONT):
        figure = _figure(11, 2.35)
        for axes, (title, values, colours) in zip(figure.subplots(1, 6), panels, strict=True):
            low, high = (0.0, float(values.max())) if colours == "Greys" else (-gradient_size, gradient_size)
            _heat_map(figure, axes, values, title, colours, low, high)
            axes.set_aspect("equal")
        return _png(figure)


def parameter_maps(parameters: Sequence[ParameterGradient]) -> bytes:
    """PNG: the gradients of weights by step.om and by NumPy, and the difference, on a scale of its own."""
    import matplotlib

    with matplotlib.rc_context(_FONT):
        figure = _figure(11, 2.3 * len(parameters))
        rows = figure.subplots(len(parameters), 3, squeeze=False)
        for row, parameter in zip(rows, parameters, strict=True):
            step, numpy = _flat(parameter.step), _flat(parameter.numpy)
            size, small = float(np.abs(numpy).max()), float(np.abs(step - numpy).max())
            for axes, values, title, limit in (
                (row[0], step, "step.om, float32", size),
                (row[1], numpy, "NumPy, float64", size),
                (row[2], step - numpy, "difference, scaled up", small or size),
            ):
                _heat_map(figure, axes, values, title, "RdBu_r", -limit, limit)
            row[0].set_ylabel(parameter.name)
        return _png(figure)


def digit_image(image: Array) -> bytes:
    """PNG of a digit, dark ink on white, a pixel a pixel."""
    from matplotlib import image as matplotlib_image

    data = io.BytesIO()
    matplotlib_image.imsave(data, image, cmap="Greys", vmin=0, vmax=1, format="png")
    return data.getvalue()


def _flat(values: Array) -> Array:
    """A weight as a picture: a row for each output channel or class."""
    return values.reshape(len(values), -1) if values.ndim == 4 else values.T


def _curves(axes: Axes, series: Sequence[Sequence[float]], colour: str, label: str) -> None:
    epochs = np.arange(1, len(series[0]) + 1)
    for values in series:
        axes.plot(epochs, values, color=colour, alpha=0.3, linewidth=0.8)
    axes.plot(epochs, np.mean(series, axis=0), color=colour, linewidth=2, label=label)


def _heat_map(
    figure: Figure, axes: Axes, values: Array, title: str, colours: str, low: float, high: float
) -> None:
    picture = axes.imshow(values, cmap=colours, vmin=low, vmax=high, interpolation="nearest", aspect="auto")
    axes.set_title(title, fontsize=10)
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color("#cbd2d9")
    bar = figure.colorbar(picture, ax=axes, orientation="horizontal", pad=0.05, fraction=0.07)
    bar.set_ticks([low, high] if low >= 0 else [low, 0, high])
    bar.ax.set_xticklabels([f"{tick:.2g}" for tick in bar.get_ticks()], fontsize=8)
    bar.outline.set_visible(False)


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure((width, height), dpi=_RESOLUTION, layout="constrained")


def _png(figure: Figure) -> bytes:
    data = io.BytesIO()
    figure.savefig(data, format="png", metadata={"Software": None})
    return data.getvalue()
