"""Slice: what was left out gets zeros."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx_ir as ir

from ...errors import quoted
from ..refusal import refusal
from ..tape import Dim, Tape, shape_of
from .broadcasting import reshaped
from .parts import padded


@dataclass(frozen=True)
class _Span:
    """What is taken of an axis: `count` elements from `first` on by `step`, which is not 0."""

    size: int
    first: int
    count: int
    step: int

    @property
    def lowest(self) -> int:
        return min(self.first, self.first + (self.count - 1) * self.step)

    @property
    def pads(self) -> tuple[int, int]:
        """Zeros before and behind; below 0 where the zeros behind the last element go past the axis."""
        return self.lowest, self.size - self.lowest - self.count * abs(self.step)


def slice_(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY where it was taken from, else 0: a Pad.

    Axes walked backwards are turned first (Slice by -1). With a step s above 1, dY gets s - 1 zeros behind
    each element: Reshape to (n, 1), Pad to (n, s), Reshape to n s.
    """
    x = node.inputs[0]
    assert x is not None
    others: list[ir.Value | None] = [None for _ in node.inputs[1:]]
    spans = _spans(tape, node, x)
    if any(span.count == 0 for span in spans.values()):
        raise refusal(node, "it takes nothing, so that no gradient comes back", "remove it")
    value = _turned(tape, dy, [axis for axis, span in spans.items() if span.step < 0])
    value = _spaced(tape, node, value, {axis: abs(span.step) for axis, span in spans.items()})
    pads = np.zeros((2, len(shape_of(x))), np.int64)
    cut = {axis: span.size - span.lowest for axis, span in spans.items() if span.pads[1] < 0}
    value = _cut(tape, value, cut)
    for axis, span in spans.items():
        pads[:, axis] = np.maximum(span.pads, 0)
    return [padded(tape, value, pads, x), *others]


def _turned(tape: Tape, value: ir.Value, axes: list[int]) -> ir.Value:
    if not axes:
        return value
    bounds = [[-1] * len(axes), [-(2**31)] * len(axes), axes, [-1] * len(axes)]
    return tape.op("Slice", [value, *(tape.ints(part, "bounds") for part in bounds)], like=value)


def _spaced(tape: Tape, node: ir.Node, value: ir.Value, steps: dict[int, int]) -> ir.Value:
    """Zeros behind each element along the axes whose step is above 1."""
    wide = {axis: step for axis, step in steps.items() if step > 1}
    if not wide:
        return value
    dims = shape_of(value)
    cut: list[Dim] = []
    filled: list[Dim] = []
    pads: list[int] = []
    for axis, dim in enumerate(dims):
        cut.append(dim)
        filled.append(dim)
        pads.append(0)
        if axis in wide:
            cut.append(1)
            filled.append(wide[axis])
            pads.append(wide[axis] - 1)
    apart = reshaped(tape, node, value, cut)
    spaced = tape.op("Pad", [apart, tape.ints([*[0] * len(pads), *pads], "pads")], like=value, shape=filled)
    together = [dim * wide.get(axis, 1) if isinstance(dim, int) else dim for axis, dim in enumerate(dims)]
    return reshaped(tape, node, spaced, together)


def _cut(tape: Tape, value: ir.Value, ends: dict[int, int]) -> ir.Value:
    if not ends:
        return value
    dims = [ends.get(axis, dim) for axis, dim in enumerate(shape_of(value))]
    bounds = [[0] * len(ends), list(ends.values()), list(ends)]
    return tape.op("Slice", [value, *(tape.ints(part, "bounds") for part in bounds)], like=value, shape=dims)


def _spans(tape: Tape, node: ir.Node, x: ir.Value) -> dict[int, _Span]:
    dims = shape_of(x)
    starts, ends, axes, steps = (_bound(tape, node, index) for index in range(1, 5))
    assert starts is not None
    assert ends is not None
    over = range(len(starts)) if axes is None else axes
    by = [1] * len(starts) if steps is None else steps
    spans = {}
    for start, end, axis, step in zip(starts, ends, over, by, strict=True):
        size = dims[axis]
        if not isinstance(size, int):
            if start == 0 and step == 1 and end >= 2**31 - 1:
                continue  # the whole axis
            raise refusal(
                node,
                f"it takes a part of dimension {axis % len(dims)} of {quoted(x.name)}, which is unknown",
                "fix it in the model's inputs",
            )
        taken = range(size)[slice(start, None if step < 0 and end < -size else end, step)]
        spans[axis % len(dims)] = _Span(size, taken[0] if taken else 0, len(taken), step)
    return spans


def _bound(tape: Tape, node: ir.Node, index: int) -> list[int] | None:
    value = node.inputs[index] if index < len(node.inputs) else None
    if value is None:
        return None
    elements = tape.constant_of(value)
    if elements is None:
        raise refusal(
            node, f"its bounds {quoted(value.name)} are computed while the model runs", "make them constant"
        )
    return [int(element) for element in elements]
