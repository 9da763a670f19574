"""Slices."""

from __future__ import annotations

import numpy as np

from ..ge_node import GeNode
from ..registry import rule

_FAR = np.iinfo(np.int64)
_BOUNDS = ("begin", "end", "strides")


@rule("StridedSliceV2")
def strided_slice_v2(node: GeNode) -> None:
    """StridedSliceV2(x, begin, end, axes, strides) becomes Slice(data, starts, ends, axes, steps)."""
    names = ("x", "begin", "end", "axes", "strides")
    inputs = [node.as_int64(i, names[i]) if node.has_input(i) else "" for i in range(1, node.input_count)]
    node.add("Slice", [node.input(0), *inputs])


@rule("StridedSlice")
def strided_slice(node: GeNode) -> None:
    """StridedSlice(x, begin, end, strides) becomes Slice(data, starts, ends, axes, steps).

    A bit of begin_mask or end_mask becomes a bound that lies past every axis; an axis with both and stride 1
    is left out. Masks on bounds that are computed are refused.
    """
    begin_mask, end_mask = node.attr("begin_mask"), node.attr("end_mask")
    if not begin_mask and not end_mask:
        starts, ends, steps = (node.as_int64(i, name) for i, name in enumerate(_BOUNDS, 1))
        node.add("Slice", [node.input(0), starts, ends, "", steps])
        return
    begin, end, strides = (node.integers(i, name).tolist() for i, name in enumerate(_BOUNDS, 1))
    if not len(begin) == len(end) == len(strides):
        node.refuse(
            f"{', '.join(_BOUNDS)} have {len(begin)}, {len(end)}, {len(strides)} elements; they must be as "
            "many"
        )
    spans = []
    for axis, (start, stop, step) in enumerate(zip(begin, end, strides, strict=True)):
        from_end, to_end = begin_mask >> axis & 1, end_mask >> axis & 1
        if from_end and to_end and step == 1:
            continue
        first, last = (0, _FAR.max) if step > 0 else (_FAR.max, _FAR.min)
        spans.append((first if from_end else start, last if to_end else stop, axis, step))
    if not spans:
        node.add("Identity", [node.input(0)])
        return
    bounds = zip(("starts", "ends", "axes", "steps"), zip(*spans, strict=True), strict=True)
    inputs = [node.add_constant(np.array(numbers, np.int64), name) for name, numbers in bounds]
    node.add("Slice", [node.input(0), *inputs])
