"""What Conv and the pools share: attributes of four in NCHW."""

from __future__ import annotations

from maxpoolgrad_onnx.errors import quoted
from maxpoolgrad_onnx.padding import onnx_order

from ..ge_node import GeNode

LAYOUT = "NCHW"


def height_and_width(node: GeNode, name: str) -> list[int]:
    """[1, 1, h, w] as ONNX writes it: [h, w]."""
    values: list[int] = node.attr(name)
    if len(values) != 4 or values[:2] != [1, 1]:
        node.refuse(f"{name} is {values}; the host runs [1, 1, height, width] only")
    return values[2:]


def onnx_pads(node: GeNode) -> list[int]:
    """GE's [top, bottom, left, right] in ONNX's order [top, left, bottom, right]."""
    values: list[int] = node.attr("pads")
    if len(values) != 4:
        node.refuse(f"pads is {values}; it has 4 values")
    return list(onnx_order(values))


def check_layout(node: GeNode) -> None:
    """Refuse a layout that ONNX's operator does not have."""
    layout = node.attr("data_format")
    if layout != LAYOUT:
        node.refuse(f"data_format is {quoted(layout)}; the host runs {quoted(LAYOUT)} only")
