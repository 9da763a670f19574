"""Activations that have attributes."""

from __future__ import annotations

from ..ge_node import GeNode
from ..registry import rule


@rule("LeakyRelu")
def leaky_relu(node: GeNode) -> None:
    """LeakyRelu(x) becomes LeakyRelu(X), negative_slope -> alpha."""
    node.add("LeakyRelu", [node.input(0)], alpha=node.attr("negative_slope"))


@rule("HardSigmoid")
def hard_sigmoid(node: GeNode) -> None:
    """HardSigmoid(input_x) becomes HardSigmoid(X), alpha and beta alike.

    In float16, ONNX Runtime computes it and HardSwish in float32 below opset 18, and by their definitions in
    18, which is written: in models of an older opset the last bit may be another.
    """
    node.add("HardSigmoid", [node.input(0)], alpha=node.attr("alpha"), beta=node.attr("beta"))


@rule("ClipByValue")
def clip(node: GeNode) -> None:
    """ClipByValue(x, clip_value_min, clip_value_max) becomes Clip(input, min, max).

    Bounds of several elements, which ONNX's Clip does not take, make it Min(Max(x, min), max).
    """
    low, high = _bound(node, 1, "min"), _bound(node, 2, "max")
    if low is None or high is None:
        raised = node.add_inner("Max", "raised", [node.input(0), node.input(1)])
        node.add("Min", [raised, node.input(2)])
        return
    node.add("Clip", [node.input(0), low, high])


def _bound(node: GeNode, index: int, suffix: str) -> str | None:
    """The ONNX name of a bound of one element, a constant one as a scalar; None for another."""
    elements = node.optional_constant(index)
    if elements is not None and elements.shape and elements.size == 1:
        return node.add_constant(elements.reshape(()), suffix)
    shape = node.input_desc(index).shape
    several = shape is not None and any(size != 1 for size in shape)
    return None if several else node.input(index)
