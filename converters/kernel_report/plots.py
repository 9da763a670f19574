"""The measurements as a picture: a panel a processor, traffic above and vector passes below."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from maxpoolgrad_onnx.errors import MaxPoolGradError

from .measure import Measurement

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = {
    ("NCHW", "float16"): ("#2f6db3", "white"),
    ("NCHW", "float32"): ("#9cc3e6", "#1f2933"),
    ("NHWC", "float16"): ("#c96a12", "white"),
    ("NHWC", "float32"): ("#efbd8b", "#1f2933"),
}
_INK, _MARK, _GRID = "#1f2933", "#b3202c", "#dfe3e8"
_RESOLUTION = 144
_SMALL = 7.5
_PANEL = 6.0, 3.9  # inches


def draw(measurements: Sequence[Measurement]) -> bytes:
    """PNG: for each processor its traffic in multiples of the least, with what CANN's public operators move
    as marks; below it vector passes over each element, with the bounds on paper as marks, where the kernel
    has vector instructions. A group of bars is a pooling, a bar a layout and dtype.

    Raises MaxPoolGradError where matplotlib is missing.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MaxPoolGradError(
            f"the plot needs matplotlib, which cannot be imported ({error}); install it, or ask for no plot"
        ) from error
    processors = list(dict.fromkeys(m.soc_version for m in measurements))
    by_processor = {p: [m for m in measurements if m.soc_version == p] for p in processors}
    with_passes = [p for p in processors if any(m.passes for m in by_processor[p])]
    rows = [(_traffic, processors), *([(_passes, with_passes)] if with_passes else [])]
    width = max(2, len(processors)) * _PANEL[0]
    figure = Figure(figsize=(width, len(rows) * _PANEL[1] + 0.5), layout="constrained")
    FigureCanvasAgg(figure)
    parts = figure.subfigures(len(rows), 1, squeeze=False)[:, 0]
    for part, (panel, shown) in zip(parts, rows, strict=True):
        panels = part.subplots(1, len(shown), sharey=True, squeeze=False)[0]
        for axes, processor in zip(panels, shown, strict=True):
            panel(axes, by_processor[processor])
            axes.label_outer()
    figure.suptitle("MaxPoolV3Grad on the CPU twin", fontweight="bold", color=_INK)
    _legend(figure, measurements)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_RESOLUTION)
    return buffer.getvalue()


def _traffic(axes: Axes, measurements: Sequence[Measurement]) -> None:
    processor, images = measurements[0].soc_version, measurements[0].shape[0]
    axes.set_title(f"Traffic on {processor}, batch {images}", fontsize=10)
    axes.set_ylabel("bytes moved / the least")
    _bars(axes, measurements, lambda m: m.traffic)
    for m in measurements:
        note = axes.annotate(
            f"{m.traffic:.2f}", (_place(measurements, m), 0), (0, 3), textcoords="offset points"
        )
        note.set(
            ha="center", va="bottom", rotation=90, fontsize=_SMALL, color=_COLOURS[_kind(m)][1], zorder=4
        )
    axes.axhline(1, color=_INK, linewidth=0.8, linestyle=(0, (4, 3)))
    labelled = set()
    for m in measurements:
        if m.public is not None:
            _mark(axes, _place(measurements, m), m.public.low, m.public.high, _MARK)
            label = (m.workload, str(m.public))
            if label not in labelled:  # once in a group
                _write(axes, _place(measurements, m), m.public.high, str(m.public), _MARK)
            labelled.add(label)
    axes.margins(y=0.12)


def _passes(axes: Axes, measurements: Sequence[Measurement]) -> None:
    axes.set_title(f"Vector instructions on {measurements[0].soc_version}", fontsize=10)
    axes.set_ylabel("passes over each number of out_grad")
    _bars(axes, measurements, lambda m: m.passes)
    for m in measurements:
        words = f"{m.passes:.1f}"
        if m.bound is not None:
            _mark(axes, _place(measurements, m), m.bound, m.bound, _MARK)
            words += f"\n(bound {m.bound:g})"
        _write(axes, _place(measurements, m), max(m.bound or 0, m.passes), words, _INK)
    axes.margins(y=0.15)


def _bars(axes: Axes, measurements: Sequence[Measurement], height: Callable[[Measurement], float]) -> None:
    width = 0.92 * _bar_width(measurements)
    for m in measurements:
        axes.bar(_place(measurements, m), height(m), width, color=_COLOURS[_kind(m)][0], zorder=2)
    names = _names(measurements)
    axes.set_xticks(range(len(names)), [name.replace(" at ", "\n") for name in names])
    axes.grid(axis="y", color=_GRID, zorder=0)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _mark(axes: Axes, place: float, low: float, high: float, colour: str) -> None:
    """A short line at a value, a box over a range."""
    if low == high:
        axes.plot(place, low, "_", color="white", markersize=17, markeredgewidth=4, zorder=3)
        axes.plot(place, low, "_", color=colour, markersize=15, markeredgewidth=2.2, zorder=3)
    else:
        axes.bar(place, high - low, 0.1, bottom=low, color=colour, edgecolor="white", zorder=3)


def _write(axes: Axes, place: float, height: float, text: str, colour: str) -> None:
    """Words above a height, on white where bars are behind them."""
    from matplotlib.patheffects import withStroke

    note = axes.annotate(text, (place, height), (0, 4), textcoords="offset points", zorder=5)
    note.set(ha="center", va="bottom", fontsize=_SMALL, color=colour)
    note.set_path_effects([withStroke(linewidth=2.5, foreground="white")])


def _legend(figure: Figure, measurements: Sequence[Measurement]) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Patch | Line2D] = [
        Patch(color=_COLOURS[kind][0], label=" ".join(kind)) for kind in _kinds(measurements)
    ]
    marks = {
        f"CANN's {m.public.operator} ({m.public.basis})": _MARK for m in measurements if m.public is not None
    }
    if any(m.bound is not None for m in measurements):
        marks["bound on paper (below)"] = _MARK
    handles += [
        Line2D([], [], marker="_", ls="none", color=colour, markersize=12, markeredgewidth=2.2, label=label)
        for label, colour in marks.items()
    ]
    handles.append(Line2D([], [], ls=(0, (4, 3)), lw=0.8, color=_INK, label="the least: everything once"))
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=8)


def _place(measurements: Sequence[Measurement], m: Measurement) -> float:
    """Where the bar of a measurement stands."""
    kinds = _kinds(measurements)
    offset = kinds.index(_kind(m)) - (len(kinds) - 1) / 2
    return _names(measurements).index(m.workload.name) + offset * _bar_width(measurements)


def _bar_width(measurements: Sequence[Measurement]) -> float:
    return 0.84 / len(_kinds(measurements))


def _names(measurements: Sequence[Measurement]) -> list[str]:
    return list(dict.fromkeys(m.workload.name for m in measurements))


def _kinds(measurements: Sequence[Measurement]) -> list[tuple[str, str]]:
    return list(dict.fromkeys(map(_kind, measurements)))


def _kind(measurement: Measurement) -> tuple[str, str]:
    return measurement.data_format, measurement.dtype
