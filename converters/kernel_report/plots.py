"""The measurements as a picture: traffic and vector passes, a bar for each."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from maxpoolgrad_onnx.errors import MaxPoolGradError

from .measure import Measurement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = ("#2f6db3", "#8fb8de", "#c96a12", "#e5b07a", "#3d7a46", "#9cc3a1", "#7b8794", "#c3cad1")
_INK = "#1f2933"
_RESOLUTION = 144


def draw(measurements: Sequence[Measurement]) -> bytes:
    """PNG: traffic in multiples of the least, with what CANN's own operators move as marks, and below it
    vector passes over each element. A group of bars is a pooling, a bar a processor, layout and dtype.

    Raises MaxPoolGradError where matplotlib is missing.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MaxPoolGradError(
            f"the plot needs matplotlib, which cannot be imported ({error}); install it, or ask for no plot"
        ) from error
    figure = Figure(figsize=(11, 8), layout="constrained")
    FigureCanvasAgg(figure)
    traffic, passes = figure.subplots(2, 1)
    _bars(traffic, measurements, [measurement.traffic for measurement in measurements])
    _marks(traffic, measurements)
    traffic.axhline(1, color=_INK, linewidth=1, linestyle="--")
    traffic.set(
        ylabel="bytes moved, by the least", title="Traffic: 1 reads the inputs once and writes out_grad once"
    )
    traffic.legend(frameon=False, fontsize=8, ncols=3, loc="upper left")
    vector = [measurement for measurement in measurements if measurement.passes]
    if vector:
        _bars(passes, vector, [measurement.passes for measurement in vector])
    passes.set(
        ylabel="passes over each element",
        yscale="log",
        title="Vector instructions: repeats times lanes, by out_grad's elements",
    )
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_RESOLUTION)
    return buffer.getvalue()


def _bars(axes: Axes, measurements: Sequence[Measurement], heights: Sequence[float]) -> None:
    names, kinds = _names(measurements), _kinds(measurements)
    width = 0.8 / len(kinds)
    for number, kind in enumerate(kinds):
        own = [
            (names.index(m.workload.name) + (number - (len(kinds) - 1) / 2) * width, height)
            for m, height in zip(measurements, heights, strict=True)
            if _kind(m) == kind
        ]
        bars = axes.bar(
            [place for place, _ in own],
            [height for _, height in own],
            0.92 * width,
            color=_COLOURS[number % len(_COLOURS)],
            label=kind,
        )
        ink = _INK if number % 2 else "white"
        axes.bar_label(bars, fmt="%.3g", label_type="center", fontsize=7, rotation=90, color=ink)
    axes.set_xticks(range(len(names)), names)
    axes.margins(y=0.25)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _marks(axes: Axes, measurements: Sequence[Measurement]) -> None:
    """What CANN's own operators move, over the bars of the same processor and dtype."""
    names, kinds = _names(measurements), _kinds(measurements)
    width = 0.8 / len(kinds)
    label = "CANN's own operator"
    for m in measurements:
        if m.public is not None:
            place = names.index(m.workload.name) + (kinds.index(_kind(m)) - (len(kinds) - 1) / 2) * width
            middle = (m.public.low + m.public.high) / 2
            axes.plot(
                place,
                middle,
                marker="_",
                color=_INK,
                markersize=12,
                markeredgewidth=2,
                ls="none",
                label=label,
            )
            label = "_"  # once in the legend


def _names(measurements: Sequence[Measurement]) -> list[str]:
    return list(dict.fromkeys(m.workload.name for m in measurements))


def _kinds(measurements: Sequence[Measurement]) -> list[str]:
    return list(dict.fromkeys(map(_kind, measurements)))


def _kind(measurement: Measurement) -> str:
    return f"{measurement.soc_version} {measurement.data_format} {measurement.dtype}"
