"""What Conv and the pools share: windows that slide over height and width."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph_builder import Value
from ..onnx_node import OnnxNode

LAYOUT = "NCHW"


def on_height_and_width(sizes: Sequence[int]) -> list[int]:
    """[h, w] as GE writes it in NCHW: [1, 1, h, w]."""
    return [1, 1, *sizes]


def two(node: OnnxNode, name: str, default: Sequence[int]) -> list[int]:
    """A list attribute [h, w]; any other length is refused."""
    return _of_length(node, name, default)


def onnx_pads(node: OnnxNode, image: Value, window: Sequence[int], strides: Sequence[int]) -> list[int]:
    """Pads [top, left, bottom, right], auto_pad resolved. `window` is its extent, dilation included."""
    auto_pad = node.attr_string("auto_pad", "NOTSET")
    if auto_pad == "NOTSET":
        return _of_length(node, "pads", [0, 0, 0, 0])
    if auto_pad == "VALID":
        return [0, 0, 0, 0]
    if auto_pad not in ("SAME_UPPER", "SAME_LOWER"):
        node.refuse(f"auto_pad is {auto_pad!r}; allowed are NOTSET, VALID, SAME_UPPER and SAME_LOWER")
    sizes = four_dimensions(node, image)[2:]
    if any(extent < 1 for extent in window):
        node.refuse(f"auto_pad is {auto_pad} and the size of its window is not known; write pads")
    if any(size < 0 and stride != 1 for size, stride in zip(sizes, strides, strict=True)):
        node.refuse(
            f"auto_pad is {auto_pad} and height or width is not known; fix the input's shape or write pads"
        )
    totals = [_same_total(*axis) for axis in zip(sizes, window, strides, strict=True)]
    small, large = [total // 2 for total in totals], [total - total // 2 for total in totals]
    return [*small, *large] if auto_pad == "SAME_UPPER" else [*large, *small]


def ge_pads(pads: Sequence[int]) -> list[int]:
    """ONNX's [top, left, bottom, right] in GE's order [top, bottom, left, right]."""
    top, left, bottom, right = pads
    return [top, bottom, left, right]


def four_dimensions(node: OnnxNode, image: Value) -> Sequence[int]:
    """The shape of a 4-D tensor; anything else is refused."""
    if image.shape is None or len(image.shape) != 4:
        found = "of unknown rank" if image.shape is None else f"{len(image.shape)}-D"
        node.refuse(f"its input is {found}; converted are 4-D images [N, C, H, W] only")
    return image.shape


def _same_total(size: int, window: int, stride: int) -> int:
    """How much padding SAME adds to an axis; with stride 1 its size does not matter."""
    if stride == 1:
        return window - 1
    return max((-(-size // stride) - 1) * stride + window - size, 0)


def _of_length(node: OnnxNode, name: str, default: Sequence[int]) -> list[int]:
    values = node.attr_ints(name, default) or []
    if len(values) != len(default):
        node.refuse(f"{name} is {values}; for a 4-D image it has {len(default)} values")
    return values
