"""Convolution."""

from __future__ import annotations

from ..onnx_node import OnnxNode
from ..registry import rule
from .windows import LAYOUT, four_dimensions, ge_pads, on_height_and_width, onnx_pads, two


@rule("Conv")
def conv(node: OnnxNode) -> None:
    """Conv(X, W, B) becomes Conv2D(x, filter, bias), 4-D only.

    strides and dilations [h, w] -> [1, 1, h, w]; pads [top, left, bottom, right] -> [top, bottom, left,
    right], auto_pad resolved; group -> groups; data_format "NCHW"; offset_x 0.
    """
    image, weights, bias = node.input(0), node.input(1), node.optional_input(2)
    four_dimensions(node, image)
    kernel = four_dimensions(node, weights)[2:]
    strides, dilations = two(node, "strides", [1, 1]), two(node, "dilations", [1, 1])
    window = [dilation * (size - 1) + 1 for size, dilation in zip(kernel, dilations, strict=True)]
    node.add(
        "Conv2D",
        [image, weights] if bias is None else [image, weights, bias],
        {
            "strides": on_height_and_width(strides),
            "pads": ge_pads(onnx_pads(node, image, window, strides)),
            "dilations": on_height_and_width(dilations),
            "groups": node.attr_int("group", 1),
            "data_format": LAYOUT,
        },
    )
