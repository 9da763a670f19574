"""MaxPoolV3 and its gradient."""

from __future__ import annotations

from maxpoolgrad_onnx.contract import ATTRIBUTES, DOMAIN, OP_TYPE, PADDING_MODES
from maxpoolgrad_onnx.errors import quoted

from ..ge_node import GeNode
from ..registry import rule
from .windows import check_layout, height_and_width, onnx_pads

_AUTO_PAD = {"SAME": "SAME_UPPER", "VALID": "VALID"}


@rule("MaxPoolV3")
def max_pool(node: GeNode) -> None:
    """MaxPoolV3(x) becomes MaxPool(X): "CALCULATED" -> pads and ceil_mode, "SAME" -> SAME_UPPER, "VALID" ->
    VALID.

    With global_pooling it becomes GlobalMaxPool.
    """
    check_layout(node)
    kernel, strides = height_and_width(node, "ksize"), height_and_width(node, "strides")
    mode, pads, ceil_mode = node.attr("padding_mode"), onnx_pads(node), node.attr("ceil_mode")
    if node.attr("global_pooling"):
        node.add("GlobalMaxPool", [node.input(0)])
    elif mode == "CALCULATED":
        ceil = int(ceil_mode)
        node.add("MaxPool", [node.input(0)], kernel_shape=kernel, strides=strides, pads=pads, ceil_mode=ceil)
    elif mode in _AUTO_PAD:
        node.add("MaxPool", [node.input(0)], kernel_shape=kernel, strides=strides, auto_pad=_AUTO_PAD[mode])
    else:
        node.refuse(f"padding_mode is {quoted(mode)}; allowed are {', '.join(PADDING_MODES)}")


@rule(OP_TYPE)
def max_pool_grad(node: GeNode) -> None:
    """MaxPoolV3Grad becomes npu::MaxPoolV3Grad with all seven attributes, bools as 0 or 1."""
    attributes = {name: node.attr(name) for name, _, _, _ in ATTRIBUTES}
    plain = {name: int(value) if isinstance(value, bool) else value for name, value in attributes.items()}
    node.add(OP_TYPE, node.inputs(), DOMAIN, **plain)
