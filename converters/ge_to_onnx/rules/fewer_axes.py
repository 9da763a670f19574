"""Operators that ONNX has for fewer axes than GE: on the way there they got Unsqueeze and Squeeze around."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...ge_ops.forms import FEWER_AXES
from ..ge_node import GeNode
from ..registry import part
from .reserve import only_gives_statistics

_HEIGHT, _HEIGHT_AND_WIDTH = [2], [2, 3]
_LISTS = ("ksize", "strides", "dilations")
_IMAGE_PORTS: Mapping[str, Sequence[int]] = {
    "AvgPoolV2": (0,),
    "BatchNorm": (0,),
    "BatchNormGrad": (0, 1),
    "Conv2D": (0, 1),
    "Conv2DTranspose": (1, 2),
    "MaxPoolV3": (0,),
}
"""The inputs that are images, and lines [N, C, L] (BatchNorm and its gradient: or rows [N, C]) in ONNX."""
_VECTORS: Mapping[tuple[int, ...], Mapping[int, list[int]]] = {
    (-2,): {0: [0]},
    (-1,): {1: [1]},
    (-2, -1): {0: [0], 1: [1]},
}
"""Of a matrix product: the axes that the result loses, and what its inputs got for them."""


@dataclass(frozen=True)
class FewerAxes:
    """The Squeeze behind an operator, and by input of the operator the axes that an Unsqueeze added."""

    end: GeNode
    added: Mapping[int, list[int]]

    @classmethod
    def of(cls, node: GeNode) -> FewerAxes | None:
        """What makes the operator one for fewer axes: it is marked so, stands between such nodes, and no
        value of it needs the axes. Else None."""
        if node.onnx_form != FEWER_AXES or node.consumer_ports() != [("Squeeze", 0)]:
            return None
        end = node.consumers()[0]
        added = _added(node, end.attr("axis"))
        if added is None or not all(_is_raised(node, port, axes) for port, axes in added.items()):
            return None
        return cls(end, added)

    def input(self, node: GeNode, index: int) -> str:
        """The ONNX name of an input of the operator without the axes that were added."""
        if index not in self.added:
            return node.input(index)
        elements = node.optional_constant(index)
        if elements is not None:
            return node.add_constant(np.squeeze(elements, tuple(self.added[index])), f"input{index}")
        return node.producer(index).input(0)


@part("Unsqueeze")
def _only_adds_axes(node: GeNode) -> bool:
    """Whether all that take it become operators for fewer axes, or nothing."""
    ends = node.consumer_ends()
    return bool(ends) and all(_takes_less(user, port) for user, port in ends)


@part("Squeeze")
def _only_ends(node: GeNode) -> bool:
    """Whether the operator before it becomes one for fewer axes."""
    return FewerAxes.of(node.producer(0)) is not None


def _takes_less(node: GeNode, port: int) -> bool:
    if node.type == "BatchNorm" and only_gives_statistics(node):
        return True
    found = FewerAxes.of(node)
    return found is not None and port in found.added


def _added(node: GeNode, lost: list[int]) -> Mapping[int, list[int]] | None:
    """By input: the axes that it got, where the result loses these; None where that cannot be."""
    if node.type == "BatchMatMulV2":
        return _VECTORS.get(tuple(lost))
    rows = node.type in ("BatchNorm", "BatchNormGrad") and lost == _HEIGHT_AND_WIDTH
    if node.type not in _IMAGE_PORTS or not (rows or lost == _HEIGHT):
        return None
    flat = all(node.attr(name)[2:3] == [1] for name in _LISTS if node.has_attr(name))
    unpadded = not node.has_attr("pads") or node.attr("pads")[:2] == [0, 0]
    return dict.fromkeys(_IMAGE_PORTS[node.type], lost) if flat and unpadded else None


def _is_raised(node: GeNode, index: int, axes: list[int]) -> bool:
    """Whether an Unsqueeze gave an input its axes, or it is a constant that can do without."""
    elements = node.optional_constant(index) if node.has_input(index) else None
    if elements is not None:
        return elements.ndim > max(axes) and all(elements.shape[axis] == 1 for axis in axes)
    source = node.producer(index)
    return source.type == "Unsqueeze" and source.attr("axes") == axes
