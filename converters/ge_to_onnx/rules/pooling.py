"""Pooling, and the gradient of max pooling."""

from __future__ import annotations

from typing import Any

from maxpoolgrad_onnx.contract import ATTRIBUTES, DOMAIN, OP_TYPE, PADDING_MODES
from maxpoolgrad_onnx.errors import quoted

from ..ge_node import GeNode
from ..registry import rule
from .windows import Windows

_AUTO_PAD = {"SAME": "SAME_UPPER", "VALID": "VALID"}


@rule("MaxPoolV3")
def max_pool(node: GeNode) -> None:
    """MaxPoolV3(x) becomes MaxPool(X): "CALCULATED" -> pads and ceil_mode, "SAME" -> SAME_UPPER, "VALID" ->
    VALID.

    With global_pooling it becomes GlobalMaxPool.
    """
    windows = Windows(node)
    attributes = _attributes(node, windows)
    if node.attr("global_pooling"):
        node.add("GlobalMaxPool", [node.input(0)])
    else:
        windows.add("MaxPool", [windows.input(0)], **attributes)


@rule("AvgPoolV2")
def average_pool(node: GeNode) -> None:
    """AvgPoolV2(x) becomes AveragePool(X): attributes as in MaxPool, exclusive -> count_include_pad, its
    opposite.

    With global_pooling it becomes GlobalAveragePool.
    """
    windows = Windows(node)
    attributes = _attributes(node, windows)
    include = int(not node.attr("exclusive"))
    if node.attr("global_pooling"):
        node.add("GlobalAveragePool", [node.input(0)])
    else:
        windows.add("AveragePool", [windows.input(0)], count_include_pad=include, **attributes)


@rule("GlobalAveragePool")
def global_average_pool(node: GeNode) -> None:
    """GlobalAveragePool(x) becomes GlobalAveragePool(X)."""
    node.add("GlobalAveragePool", [node.input(0)])


def _attributes(node: GeNode, windows: Windows) -> dict[str, Any]:
    window = {"kernel_shape": windows.sizes("ksize"), "strides": windows.sizes("strides")}
    mode, pads, ceil_mode = node.attr("padding_mode"), windows.pads(), int(node.attr("ceil_mode"))
    if mode == "CALCULATED":
        return {**window, "pads": pads, "ceil_mode": ceil_mode}
    if mode not in _AUTO_PAD:
        node.refuse(f"padding_mode is {quoted(mode)}; allowed are {', '.join(PADDING_MODES)}")
    return {**window, "auto_pad": _AUTO_PAD[mode]}


@rule(OP_TYPE)
def max_pool_grad(node: GeNode) -> None:
    """MaxPoolV3Grad becomes npu::MaxPoolV3Grad with all seven attributes, bools as 0 or 1."""
    attributes = {name: node.attr(name) for name, _, _, _ in ATTRIBUTES}
    plain = {name: int(value) if isinstance(value, bool) else value for name, value in attributes.items()}
    node.add(OP_TYPE, node.inputs(), DOMAIN, **plain)
