"""The measurements as a picture: the other libraries' times by ours, and the share of the roof."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from maxpoolgrad_onnx.errors import MaxPoolGradError

from .measure import Measurement
from .names import OURS, ROOF

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = {
    "torch NCHW": "#2f6db3",
    "torch channels_last": "#9cc3e6",
    "torch with indices": "#c96a12",
    "tensorflow": "#7a5ea8",
    "jax": "#efbd8b",
}
_INK, _GRID = "#1f2933", "#dfe3e8"


def draw(measurements: Sequence[Measurement], title: str) -> bytes:
    """PNG: above, a group of bars a workload, a bar a library, ours the line at 1; below, our share.

    Raises MaxPoolGradError where matplotlib is missing.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MaxPoolGradError(
            f"the picture needs matplotlib, which cannot be imported ({error}); install it, "
            "or give no --output"
        ) from error
    figure = Figure(figsize=(max(6.0, 1.3 * len(measurements) + 2), 6.0), layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    _ratios(above, measurements)
    _shares(below, measurements)
    figure.suptitle(f"MaxPoolV3Grad, {title}", color=_INK)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=144)
    return buffer.getvalue()


def _ratios(axes: Axes, measurements: Sequence[Measurement]) -> None:
    names = [name for name in _COLOURS if any(name in m.times for m in measurements)]
    width = 0.8 / max(1, len(names))
    for index, name in enumerate(names):
        shown = [(at, m.ratio(name)) for at, m in enumerate(measurements) if name in m.times]
        places = [at + (index - (len(names) - 1) / 2) * width for at, _ in shown]
        axes.bar(places, [ratio for _, ratio in shown], width, color=_COLOURS[name], label=name)
    axes.axhline(1, color=_INK, linewidth=1)
    axes.set_yscale("log")
    axes.set_ylabel(f"time / {OURS}'s")
    axes.grid(axis="y", color=_GRID)
    axes.set_axisbelow(True)
    if names:
        axes.legend(fontsize=8, frameon=False, ncols=len(names))


def _shares(axes: Axes, measurements: Sequence[Measurement]) -> None:
    axes.bar(range(len(measurements)), [100 * m.share_of_roof for m in measurements], 0.6, color="#5b8c5a")
    axes.set_ylabel(f"% of the {ROOF}")
    axes.grid(axis="y", color=_GRID)
    axes.set_axisbelow(True)
    axes.set_xticks(range(len(measurements)), [m.workload.name.replace(" ", "\n", 1) for m in measurements])
    axes.tick_params(axis="x", labelsize=7)
