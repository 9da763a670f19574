"""Convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from maxpoolgrad_onnx.contract import STRIDE_MAX

from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule
from .windows import LAYOUT, Windows, checked_pads, extents, four_dimensions, in_nchw, in_range

_KERNEL_MAX, _DILATION_MAX = 511, 255


@rule("Conv")
def conv(node: OnnxNode) -> None:
    """Conv(X, W, B) becomes Conv2D(x, filter, bias), in every opset; of lines [N, C, L] through height 1.

    strides and dilations [h, w] -> [1, 1, h, w]; pads [top, left, bottom, right] -> [top, bottom, left,
    right], auto_pad resolved; group -> groups, depthwise too; data_format "NCHW"; offset_x 0. Refused: 3-D
    convolution, and values beyond those that Conv2D's documentation allows: kernel 1 to 511, strides 1 to 63,
    pads 0 to 255, dilations 1 to 255.
    """
    windows = Windows(node)
    weights = windows.as_image(node.input(1), "filter")
    kernel = four_dimensions(node, weights)[2:]
    strides, dilations = windows.sizes("strides"), windows.sizes("dilations")
    in_range(node, -1, _KERNEL_MAX, kernel=kernel)
    pads = windows.pads(extents(kernel, dilations), strides)
    attributes = window_attributes(node, strides, pads, dilations)
    windows.add("Conv2D", [windows.image, weights, *bias_of(node)], attributes)


def bias_of(node: OnnxNode) -> list[Value]:
    """The third input, if there is one."""
    bias = node.optional_input(2)
    return [] if bias is None else [bias]


def window_attributes(
    node: OnnxNode, strides: Sequence[int], pads: Sequence[int], dilations: Sequence[int]
) -> dict[str, Any]:
    """What both convolutions write; `pads` in ONNX's order."""
    in_range(node, 1, STRIDE_MAX, strides=strides)
    in_range(node, 1, _DILATION_MAX, dilations=dilations)
    return {
        "strides": in_nchw(strides),
        "pads": checked_pads(node, pads),
        "dilations": in_nchw(dilations),
        "groups": node.attr_int("group", 1),
        "data_format": LAYOUT,
    }
