"""Transposed convolution: the convolution whose input gradient it is, read the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx_ir as ir

from ..refusal import refusal
from ..tape import Tape, shape_of
from .conv import bias_gradient, filter_gradient
from .windows import check_rank, extents, pads_with_height, with_height


def conv_transpose(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = Conv(dY, W), dW = Conv2DBackpropFilter(dY, W's size, X), dB = sum of dY.

    strides, pads, dilations and group as the node has them; auto_pad and output_shape as the pads they come
    to. What output_padding adds behind the last window is left over, as rows of a convolution are; one as
    wide as a stride is refused, as in ONNX Runtime.
    """
    x, w, b = (*node.inputs, None)[:3]
    assert x is not None
    assert w is not None
    check_rank(node, x)
    geometry = _geometry(node, x, w)
    dx = dw = None
    if tape.needs(x):
        dx = tape.op("Conv", [dy, w], like=x, attributes=_for_rank(geometry, len(shape_of(x))))
    if tape.needs(w):
        dw = filter_gradient(tape, dy, x, w, geometry)
    return [dx, dw, bias_gradient(tape, b, dy)][: len(node.inputs)]


def _for_rank(geometry: dict[str, Any], rank: int) -> dict[str, Any]:
    if rank == 4:
        return geometry
    lines = {name: geometry[name][1:] for name in ("strides", "dilations")}
    return {**geometry, **lines, "pads": geometry["pads"][1::2]}


def _geometry(node: ir.Node, x: ir.Value, w: ir.Value) -> dict[str, Any]:
    """strides, pads, dilations and group."""
    axes = len(shape_of(x)) - 2
    strides = with_height(node.attributes.get_ints("strides", [1] * axes), 1)
    dilations = with_height(node.attributes.get_ints("dilations", [1] * axes), 1)
    behind = with_height(node.attributes.get_ints("output_padding", [0] * axes), 0)
    auto_pad = node.attributes.get_string("auto_pad", "NOTSET")
    pads = pads_with_height(node.attributes.get_ints("pads", [0] * 2 * axes))
    wanted = node.attributes.get_ints("output_shape", ())
    if wanted or auto_pad.startswith("SAME"):
        window = extents(node, shape_of(w)[2:], dilations)
        if wanted:
            totals = _cut(node, x, window, strides, behind, with_height(wanted[-axes:], 1))
        else:
            totals = [max(extent - stride, 0) for extent, stride in zip(window, strides, strict=True)]
        behind = [more + max(-total, 0) for more, total in zip(behind, totals, strict=True)]
        small = [max(total, 0) // 2 for total in totals]
        large = [max(total, 0) - part for total, part in zip(totals, small, strict=True)]
        pads = [*small, *large] if auto_pad == "SAME_UPPER" else [*large, *small]
    elif auto_pad == "VALID":
        pads = [0, 0, 0, 0]
    if any(more >= stride for more, stride in zip(behind, strides, strict=True)):
        raise refusal(
            node,
            f"{behind} rows and columns are added behind its last window, and strides is {strides}",
            "make output_padding or output_shape smaller, and add the rest with Pad",
        )
    group = node.attributes.get_int("group", 1)
    return {"strides": strides, "pads": pads, "dilations": dilations, "group": group}


def _cut(
    node: ir.Node,
    x: ir.Value,
    window: Sequence[int],
    strides: Sequence[int],
    behind: Sequence[int],
    wanted: Sequence[int],
) -> list[int]:
    """By how much the windows reach beyond output_shape, below 0 where they do not."""
    sizes = with_height(shape_of(x)[2:], 1)
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < 2:
        raise refusal(
            node,
            "output_shape is written and a size of its input is unknown",
            "fix the sizes in the model's inputs, or write pads",
        )
    reach = np.multiply(np.subtract(known, 1), strides) + window + behind
    return [int(total) for total in reach - np.array(wanted)]
