"""Transposed convolution."""

from __future__ import annotations

from collections.abc import Sequence

from ...ge_ir import Shape
from ..onnx_node import OnnxNode
from ..registry import rule
from .convolution import bias_of, window_attributes
from .windows import Windows, extents, four_dimensions, in_nchw, in_range

_KERNEL_MAX, _SIZE_MAX = 255, 4096


@rule("ConvTranspose")
def conv_transpose(node: OnnxNode) -> None:
    """ConvTranspose(X, W, B) becomes Conv2DTranspose(input_size, x, filter, bias); of lines through height 1.

    Attributes as in Conv; output_padding [h, w] -> [0, 0, h, w]. auto_pad comes to pads of window
    less stride, output_shape to those that it asks for, or to output_padding where it is larger than the
    windows reach; odd ones are longer at the end for SAME_UPPER, else at the beginning. input_size is a
    constant int64 list: the result's shape, or zeros, from which GE infers it, where a size is not known.
    Refused: 3-D, and values beyond those that
    Conv2DTranspose's documentation allows: sizes 1 to 4096, kernel 1 to 255, strides 1 to 63, pads 0 to 255,
    dilations 1 to 255.
    """
    windows = Windows(node)
    weights = windows.as_image(node.input(1), "filter")
    kernel = four_dimensions(node, weights)[2:]
    strides, dilations = windows.sizes("strides"), windows.sizes("dilations")
    in_range(node, -1, _KERNEL_MAX, kernel=kernel)
    pads, padding = _pads(node, windows, extents(kernel, dilations), strides)
    attributes = {
        **window_attributes(node, strides, pads, dilations),
        "output_padding": in_nchw(padding, others=0),
    }
    size = node.add_constant(_input_size(node), "size")
    windows.add("Conv2DTranspose", [size, windows.image, weights, *bias_of(node)], attributes)


def _input_size(node: OnnxNode) -> Shape:
    _, shape = node.output_type()
    if shape is None or -1 in shape or len(shape) not in (3, 4):
        return (0, 0, 0, 0)
    in_range(node, 0, _SIZE_MAX, output_shape=shape[2:])
    return shape if len(shape) == 4 else (*shape[:2], 1, shape[2])


def _pads(
    node: OnnxNode, windows: Windows, window: Sequence[int], strides: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Pads [top, left, bottom, right] and output_padding [h, w]."""
    padding = windows.sizes("output_padding", missing=0, height=0)
    auto_pad = node.attr_string("auto_pad", "NOTSET")
    if "output_shape" in node.attribute_names():
        totals = _cut(node, windows, window, strides, padding)
    elif auto_pad in ("NOTSET", "VALID"):
        return windows.pads(window, strides), padding
    else:
        if any(extent < 1 for extent in window):
            node.refuse(f"auto_pad is {auto_pad} and the size of its filter is not known; write pads")
        totals = [max(extent - stride, 0) for extent, stride in zip(window, strides, strict=True)]
    padding = [size + max(-total, 0) for size, total in zip(padding, totals, strict=True)]
    begins = [max(total, 0) // 2 for total in totals]
    ends = [max(total, 0) - begin for total, begin in zip(totals, begins, strict=True)]
    return ([*begins, *ends] if auto_pad == "SAME_UPPER" else [*ends, *begins]), padding


def _cut(
    node: OnnxNode, windows: Windows, window: Sequence[int], strides: Sequence[int], padding: Sequence[int]
) -> list[int]:
    """By how much the windows reach beyond output_shape, below 0 where they do not."""
    sizes = four_dimensions(node, windows.image)[2:]
    if any(size < 0 for size in (*sizes, *window)):
        node.refuse(
            "output_shape is written and a size of its input or filter is not known; fix the shapes or write "
            "pads"
        )
    wanted = windows.sizes("output_shape", missing=None)
    return [
        (size - 1) * stride + extent + more - target
        for size, stride, extent, more, target in zip(sizes, strides, window, padding, wanted, strict=True)
    ]
