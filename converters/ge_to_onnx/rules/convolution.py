"""Convolution and transposed convolution."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ge_node import GeNode
from ..registry import rule
from .windows import Windows


@rule("Conv2D")
def conv(node: GeNode) -> None:
    """Conv2D(x, filter, bias) becomes Conv(X, W, B), kernel_shape taken from the filter where its shape is
    known."""
    _check_offset(node, 3)
    windows = Windows(node)
    inputs = [windows.input(0), windows.input(1), *_optional(node, 2)]
    windows.add("Conv", inputs, **_attributes(node, windows, 1))


@rule("Conv2DTranspose")
def conv_transpose(node: GeNode) -> None:
    """Conv2DTranspose(input_size, x, filter, bias) becomes ConvTranspose(X, W, B), attributes as in Conv,
    output_padding [0, 0, h, w] -> [h, w].

    input_size must be a constant that says what the other attributes say, or zeros.
    """
    _check_offset(node, 4)
    windows = Windows(node)
    padding: list[int] = node.attr("output_padding")
    if len(padding) != 4 or padding[:2] != [0, 0]:
        node.refuse(f"output_padding is {padding}; the host runs [0, 0, height, width] only")
    inputs = [windows.input(1), windows.input(2), *_optional(node, 3)]
    attributes = _attributes(node, windows, 2)
    _check_size(node)
    windows.add("ConvTranspose", inputs, output_padding=windows.axes(padding[2:]), **attributes)


def _check_offset(node: GeNode, index: int) -> None:
    if node.has_input(index):
        node.refuse(f"offset_w is connected; the host runs {node.type} without it")


def _optional(node: GeNode, index: int) -> list[str]:
    name = node.optional_input(index)
    return [] if name is None else [name]


def _attributes(node: GeNode, windows: Windows, filter_port: int) -> dict[str, Any]:
    shape = node.input_desc(filter_port).shape
    known = shape is not None and len(shape) == 4 and -1 not in shape[2:]
    return {
        "kernel_shape": windows.axes(shape[2:]) if shape is not None and known else None,
        "strides": windows.sizes("strides"),
        "pads": windows.pads(),
        "dilations": windows.sizes("dilations"),
        "group": node.attr("groups"),
    }


def _check_size(node: GeNode) -> None:
    """Refuse an input_size that is no result of the other attributes."""
    size = node.integers(0, "input_size")
    image, kernel = node.input_desc(1).shape, node.input_desc(2).shape
    if not size.any() or image is None or kernel is None or -1 in (*image[2:], *kernel[2:]):
        return
    if len(image) != 4 or len(kernel) != 4:
        node.refuse(f"x has the shape {list(image)}, filter {list(kernel)}; both have 4 axes")
    strides, dilations, padding = (
        np.array(node.attr(name)[2:]) for name in ("strides", "dilations", "output_padding")
    )
    top, bottom, left, right = node.attr("pads")
    reach = (np.array(image[2:]) - 1) * strides + (np.array(kernel[2:]) - 1) * dilations + 1
    wanted = reach + padding - np.array([top + bottom, left + right])
    if not np.array_equal(size[2:], wanted):
        node.refuse(f"input_size is {size.tolist()}; its other attributes give {wanted.tolist()} at its end")
