"""What Conv and the pools share: attributes of four in NCHW, and lines [N, C, L] of height 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from maxpoolgrad_onnx.errors import quoted
from maxpoolgrad_onnx.padding import onnx_order

from ..ge_node import GeNode
from .fewer_axes import FewerAxes

LAYOUT = "NCHW"


class Windows:
    """A window operator of GE on its way to ONNX's, for images or for lines (see FewerAxes)."""

    def __init__(self, node: GeNode) -> None:
        """Raises MaxPoolGradError for another layout than NCHW."""
        check_layout(node)
        self._node = node
        self._lines = FewerAxes.of(node)

    def input(self, index: int) -> str:
        """The ONNX name of an input."""
        return self._node.input(index) if self._lines is None else self._lines.input(self._node, index)

    def sizes(self, name: str) -> list[int]:
        """[1, 1, h, w] as ONNX writes it: [h, w], or [w]."""
        return self.axes(height_and_width(self._node, name))

    def pads(self) -> list[int]:
        """GE's [top, bottom, left, right] in ONNX's order [top, left, bottom, right], or [left, right]."""
        pads = onnx_pads(self._node)
        return pads if self._lines is None else pads[1::2]

    def axes(self, values: Sequence[int]) -> list[int]:
        """[h, w], or [w]."""
        return list(values) if self._lines is None else list(values)[1:]

    def add(self, op_type: str, inputs: Sequence[str], **attributes: Any) -> None:
        """The ONNX node whose output is that of the node, or of the Squeeze behind it."""
        target = self._node if self._lines is None else self._lines.end
        target.add(op_type, inputs, **attributes)


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
