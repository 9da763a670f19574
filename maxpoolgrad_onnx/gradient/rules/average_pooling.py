"""Average pooling, and the pools that take the whole plane."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from ...arrays import Array
from ..operations import count
from ..refusal import refusal
from ..tape import Tape, dtype_of, shape_of
from .conv import input_gradient
from .reduction import spread
from .windows import check_rank, window_attributes, with_height


def average_pool(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = Conv2DBackpropInput(X's size, ones [C, 1, kH, kW], dY / counts), one group for each channel.

    A window's count is kH kW; of those that reach over an edge it is the number of elements inside the input,
    or with count_include_pad those inside the padded one. Where all are alike, the filter holds 1 / count.
    """
    x = node.inputs[0]
    assert x is not None
    check_rank(node, x)
    kernel = node.attributes.get_ints("kernel_shape")
    assert kernel is not None
    channels = shape_of(x)[1]
    if not isinstance(channels, int):
        raise refusal(node, "the number of its channels is unknown", "fix it in the model's inputs")
    geometry = {**window_attributes(node, x, kernel), "group": channels}
    window = with_height(kernel, 1)
    counts = _counts(node, x, window, geometry["strides"], geometry["pads"])
    kind = dtype_of(dy).numpy()
    geometry["pads"] = _reaching(x, node.outputs[0], window, geometry["strides"], geometry["pads"])
    height = [1] * (4 - len(shape_of(x)))
    size = (channels, 1, *window[len(height) :])
    if counts.min() == counts.max():
        filters = tape.constant(np.full(size, 1 / counts.max(), kind), "average")
        return [input_gradient(tape, filters, dy, x, geometry)]
    table = (1 / counts).astype(kind).reshape(1, 1, *counts.shape[len(height) :])
    share = tape.op("Mul", [dy, tape.constant(table, "shares")], like=dy)
    filters = tape.constant(np.ones(size, kind), "ones")
    return [input_gradient(tape, filters, share, x, geometry)]


def global_average_pool(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = dY / (number of elements of the plane), repeated over the plane."""
    x = node.inputs[0]
    assert x is not None
    size = count(tape, x, range(2, len(shape_of(x))), dy)
    share = tape.op("Div", [dy, size], like=dy)
    return [spread(tape, share, x)]


def _counts(
    node: ir.Node, x: ir.Value, window: Sequence[int], strides: Sequence[int], pads: Sequence[int]
) -> Array:
    """How many elements each window averages, [oH, oW]; [1, 1] where they are all alike."""
    include = bool(node.attributes.get_int("count_include_pad", 0))
    reaches_out = bool(node.attributes.get_int("ceil_mode", 0)) or (any(pads) and not include)
    if not reaches_out:
        return np.array([[math.prod(window)]])
    sizes = [*with_height(shape_of(x)[2:], 1), *with_height(shape_of(node.outputs[0])[2:], 1)]
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < 4:
        raise refusal(
            node,
            "windows that reach over an edge average fewer elements, and a size of its input is unknown",
            "fix it in the model's inputs, or pool without ceil_mode and with count_include_pad 1",
        )
    axes = []
    for axis in (0, 1):
        size, begin, end = known[axis], pads[axis], pads[axis + 2]
        starts = np.arange(known[axis + 2]) * strides[axis] - begin
        if starts[-1] >= size:
            raise refusal(
                node,
                "its last window begins past the input, and runtimes disagree about such a one in ceil_mode",
                "pool without ceil_mode, or with count_include_pad 0",
            )
        ends = np.minimum(starts + window[axis], size + (end if include else 0))
        axes.append(ends - (starts if include else np.maximum(starts, 0)))
    return np.outer(*axes)


def _reaching(
    x: ir.Value, y: ir.Value, window: Sequence[int], strides: Sequence[int], pads: Sequence[int]
) -> list[int]:
    """Pads that reach as far as the last window does in ceil_mode."""
    ends = []
    sizes, windows = (with_height(shape_of(value)[2:], 1) for value in (x, y))
    for axis, (size, number) in enumerate(zip(sizes, windows, strict=True)):
        end = pads[axis + 2]
        if isinstance(size, int) and isinstance(number, int):
            end = max(end, (number - 1) * strides[axis] + window[axis] - size - pads[axis])
        ends.append(end)
    return [*pads[:2], *ends]
