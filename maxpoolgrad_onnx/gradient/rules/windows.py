"""Paddings that ONNX leaves to auto_pad, for Conv and MaxPool."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from ..refusal import refusal


def same_pads(
    node: ir.Node, auto_pad: str, sizes: Sequence[object], window: Sequence[int], strides: Sequence[int]
) -> tuple[int, ...]:
    """The pads [top, left, bottom, right] that auto_pad SAME_UPPER or SAME_LOWER stands for.

    On each axis max((ceil(size / stride) - 1) stride + window - size, 0) in total; an odd one is longer at
    the end in SAME_UPPER and at the beginning in SAME_LOWER (ONNX, Conv and MaxPool). With stride 1 the total
    is window - 1 for any size; otherwise an unknown size is refused.
    """
    begins, ends = [], []
    for size, kernel, stride in zip(sizes, window, strides, strict=True):
        total = _total(node, auto_pad, size, kernel, stride)
        begin = total // 2 if auto_pad == "SAME_UPPER" else total - total // 2
        begins.append(begin)
        ends.append(total - begin)
    return (*begins, *ends)


def _total(node: ir.Node, auto_pad: str, size: object, kernel: int, stride: int) -> int:
    if stride == 1:
        return kernel - 1
    if not isinstance(size, int):
        raise refusal(
            node,
            f"auto_pad {auto_pad} with stride {stride} needs the input's size, and {size} is not known",
            "fix it in the model's inputs, or write pads",
        )
    return max((-(-size // stride) - 1) * stride + kernel - size, 0)
