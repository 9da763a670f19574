"""Slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from maxpoolgrad_onnx.arrays import Array

from ...ge_ops.prototypes import PROTOTYPES
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule

_FAR = np.iinfo(np.int32).max
"""A bound this far out means the end of the axis, whatever its size."""


@rule("Slice")
def slice_(node: OnnxNode) -> None:
    """Slice(data, starts, ends, axes, steps), attributes below opset 10, becomes StridedSlice or
    StridedSliceV2.

    Constant bounds of a tensor of known rank become StridedSlice(x, begin, end, strides) over all axes: its
    public document names every product, that of StridedSliceV2 the 950 alone. Bounds are brought into the
    axis; what runs to an end of it is a bit of begin_mask or end_mask. Computed bounds, bool, an unknown
    rank, and a negative start on an axis of unknown size that is walked backwards become StridedSliceV2(x,
    begin, end, axes, strides), the same inputs in the same order, axes and steps written out. Refused: a
    constant end far past an axis that is walked backwards.
    """
    x = node.input(0)
    starts, ends, axes, steps = _bounds(node)
    known = [value.constant for value in (starts, ends, axes, steps)]
    if x.shape is not None and all(constant is not None for constant in known):
        spans = _spans(node, x.shape, [constant for constant in known if constant is not None])
        fits = PROTOTYPES["StridedSlice"].unfit([x.dtype]) is None
        if fits and all(span.is_like_tensorflow for span in spans):
            _strided_slice(node, x, spans)
            return
    node.add("StridedSliceV2", [x, starts, ends, axes, steps])


@dataclass(frozen=True)
class _Span:
    """What is taken of an axis: from `begin` (None: its first end) to `end` (None: its last) by `step`."""

    begin: int | None = None
    end: int | None = None
    step: int = 1
    is_like_tensorflow: bool = True


def _strided_slice(node: OnnxNode, x: Value, spans: Sequence[_Span]) -> None:
    begin = node.add_constant([span.begin or 0 for span in spans], "begin")
    end = node.add_constant([span.end or 0 for span in spans], "end")
    strides = node.add_constant([span.step for span in spans], "strides")
    masks = {
        "begin_mask": sum(1 << axis for axis, span in enumerate(spans) if span.begin is None),
        "end_mask": sum(1 << axis for axis, span in enumerate(spans) if span.end is None),
    }
    node.add("StridedSlice", [x, begin, end, strides], masks)


def _bounds(node: OnnxNode) -> tuple[Value, Value, Value, Value]:
    """starts, ends, axes and steps, none left out."""
    if node.opset < 10:
        listed = {name: node.attr_ints(name) for name in ("starts", "ends", "axes")}
        starts, ends = (node.add_constant(listed[name] or [], name) for name in ("starts", "ends"))
        axes = None if listed["axes"] is None else node.add_constant(listed["axes"], "axes")
        steps = None
    else:
        starts, ends = node.input(1), node.input(2)
        axes, steps = node.optional_input(3), node.optional_input(4)
    if starts.shape is None or len(starts.shape) != 1 or starts.shape[0] < 0:
        node.refuse("the number of its starts is not known; fix the shape of that input")
    count, dtype = starts.shape[0], starts.dtype.numpy
    if axes is None:
        axes = node.add_constant(range(count), "axes", dtype)
    if steps is None:
        steps = node.add_constant([1] * count, "steps", dtype)
    if any(value.shape != (count,) for value in (ends, axes, steps)):
        node.refuse(f"it has {count} starts and not as many ends, axes and steps")
    return starts, ends, axes, steps


def _spans(node: OnnxNode, shape: Sequence[int], bounds: Sequence[Array]) -> list[_Span]:
    spans = [_Span()] * len(shape)
    for start, end, axis, step in zip(*(bound.tolist() for bound in bounds), strict=True):
        if not -len(shape) <= axis < len(shape) or step == 0:
            node.refuse(f"axes has {axis} and steps {step} for a tensor of {len(shape)} axes")
        if step < 0 and end >= _FAR:
            node.refuse(
                f"ends has {end} for a step of {step}, of which ONNX takes nothing and ONNX Runtime all down "
                f"to the first element; for that write {-end}"
            )
        spans[axis] = _span(shape[axis], start, end, step)
    return spans


def _span(size: int, start: int, end: int, step: int) -> _Span:
    """Bounds as ONNX clamps them: a start into the axis, an end to just beside it."""
    first, last = (0, size) if step > 0 else (0, size - 1)
    if size >= 0:
        begin = min(max(start + size if start < 0 else start, first), last)
        stop = min(max(end + size if end < 0 else end, 0 if step > 0 else -1), last if step > 0 else size - 1)
        return _Span(begin, None if stop < 0 else stop, step)
    # TensorFlow, whose operator StridedSlice is, lets a start before the axis begin before it when walked
    # backwards, where ONNX begins with its first element.
    alike = step > 0 or start >= -1
    far_start, far_end = (step < 0 and start >= _FAR), (end >= _FAR if step > 0 else end <= -_FAR)
    return _Span(None if far_start else start, None if far_end else end, step, alike or far_start)
