"""Windows of ONNX's convolutions and pools for PyTorch: pads that are written out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.nn import functional

Tensor = torch.Tensor


def per_axis(attributes: Mapping[str, Any], name: str, axes: int, missing: int = 1) -> list[int]:
    """An attribute with a number for each axis of the window."""
    return list(attributes.get(name, [missing] * axes))


def explicit_pads(
    attributes: Mapping[str, Any], x: Tensor, window: Sequence[int], strides: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Begins and ends; auto_pad's resolved."""
    auto_pad, axes = attributes.get("auto_pad", b"NOTSET").decode(), x.dim() - 2
    if not auto_pad.startswith("SAME"):
        pads = list(attributes.get("pads", [0] * 2 * axes))
        return pads[:axes], pads[axes:]
    begins, ends = [], []
    for size, kernel, stride in zip(x.shape[2:], window, strides, strict=True):
        total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
        begins.append(total // 2 if auto_pad == "SAME_UPPER" else (total + 1) // 2)
        ends.append(total - begins[-1])
    return begins, ends


def crop_or_pad(x: Tensor, begins: Sequence[int], ends: Sequence[int], value: float) -> Tensor:
    """The last axes with these pads; a negative one crops."""
    flat = [pad for pair in reversed(list(zip(begins, ends, strict=True))) for pad in pair]
    return functional.pad(x, flat, value=value)
