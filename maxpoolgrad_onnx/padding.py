"""Pads in ONNX's form: what auto_pad comes to, and the order that the operator and GE have them in."""

from __future__ import annotations

from collections.abc import Sequence

Pads = tuple[int, int, int, int]


def same_total(size: int, window: int, stride: int) -> int:
    """(ceil(size / stride) - 1) stride + window - size.

    The padding of SAME on one axis; below 0 where windows leave a margin, and the padding then is 0.
    """
    return (-(-size // stride) - 1) * stride + window - size


def same_pads(
    auto_pad: str, sizes: Sequence[object], window: Sequence[int], strides: Sequence[int]
) -> Pads | None:
    """The pads [top, left, bottom, right] of SAME_UPPER or SAME_LOWER; None where they need an unknown size.

    An odd padding is longer at the end in SAME_UPPER and at the beginning in SAME_LOWER (ONNX, Conv and
    MaxPool). With stride 1 it is window - 1 whatever the size.
    """
    begins, ends = [], []
    for size, kernel, stride in zip(sizes, window, strides, strict=True):
        if not isinstance(size, int) and stride != 1:
            return None
        total = max(same_total(size, kernel, stride), 0) if isinstance(size, int) else kernel - 1
        begins.append(total // 2 if auto_pad == "SAME_UPPER" else total - total // 2)
        ends.append(total - begins[-1])
    top, left, bottom, right = (*begins, *ends)
    return top, left, bottom, right


def ge_order(pads: Sequence[int]) -> Pads:
    """ONNX's [top, left, bottom, right] in the operator's and GE's order, [top, bottom, left, right]."""
    top, left, bottom, right = pads
    return top, bottom, left, right


def onnx_order(pads: Sequence[int]) -> Pads:
    """[top, bottom, left, right] in ONNX's order, [top, left, bottom, right]."""
    top, bottom, left, right = pads
    return top, left, bottom, right
