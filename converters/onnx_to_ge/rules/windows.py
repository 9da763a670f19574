"""What Conv and the pools share: windows that slide over height and width."""

from __future__ import annotations

from collections.abc import Sequence

from maxpoolgrad_onnx.errors import quoted
from maxpoolgrad_onnx.padding import same_pads

from ..graph_builder import Value
from ..onnx_node import OnnxNode

LAYOUT = "NCHW"


def in_nchw(sizes: Sequence[int]) -> list[int]:
    """[h, w] as GE writes it in NCHW: [1, 1, h, w]."""
    return [1, 1, *sizes]


def height_and_width(node: OnnxNode, name: str, default: Sequence[int] = (1, 1)) -> list[int]:
    """A list attribute [h, w]; any other length is refused."""
    return _of_length(node, name, default)


def written_pads(node: OnnxNode) -> list[int]:
    """The attribute pads, [top, left, bottom, right]; any other length is refused."""
    return _of_length(node, "pads", [0, 0, 0, 0])


def onnx_pads(node: OnnxNode, image: Value, window: Sequence[int], strides: Sequence[int]) -> list[int]:
    """Pads [top, left, bottom, right], auto_pad resolved. `window` is its extent, dilation included."""
    auto_pad = node.attr_string("auto_pad", "NOTSET")
    if auto_pad == "NOTSET":
        return written_pads(node)
    if auto_pad == "VALID":
        return [0, 0, 0, 0]
    if auto_pad not in ("SAME_UPPER", "SAME_LOWER"):
        node.refuse(f"auto_pad is {quoted(auto_pad)}; allowed are NOTSET, VALID, SAME_UPPER and SAME_LOWER")
    sizes = [None if size < 0 else size for size in four_dimensions(node, image)[2:]]
    if any(extent < 1 for extent in window):
        node.refuse(f"auto_pad is {auto_pad} and the size of its window is not known; write pads")
    pads = same_pads(auto_pad, sizes, window, strides)
    if pads is None:
        node.refuse(
            f"auto_pad is {auto_pad} and height or width is not known; fix the input's shape or write pads"
        )
    return list(pads)


def four_dimensions(node: OnnxNode, image: Value) -> Sequence[int]:
    """The shape of a 4-D tensor; anything else is refused."""
    if image.shape is None or len(image.shape) != 4:
        found = "of unknown rank" if image.shape is None else f"{len(image.shape)}-D"
        node.refuse(f"its input is {found}; converted are 4-D images [N, C, H, W] only")
    return image.shape


def _of_length(node: OnnxNode, name: str, default: Sequence[int]) -> list[int]:
    values = node.attr_ints(name, default) or []
    if len(values) != len(default):
        node.refuse(f"{name} is {values}; for a 4-D image it has {len(default)} values")
    return values
