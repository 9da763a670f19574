"""Softmax and its logarithm. The activations without attributes stand in the table DIRECT."""

from __future__ import annotations

from ..onnx_node import OnnxNode
from ..registry import rule


@rule("Softmax")
def softmax(node: OnnxNode) -> None:
    """Softmax(x) over `axis` becomes SoftmaxV2(x) with axes = [axis]; half_to_float stays false."""
    node.add("SoftmaxV2", [node.input(0)], {"axes": [_axis(node)]})


@rule("LogSoftmax")
def log_softmax(node: OnnxNode) -> None:
    """LogSoftmax(x) over `axis` becomes LogSoftmaxV2(logits) with axes = [axis]."""
    node.add("LogSoftmaxV2", [node.input(0)], {"axes": [_axis(node)]})


def _axis(node: OnnxNode) -> int:
    """The one axis. Before opset 13 the operator ran over `axis` and all axes behind it; alike only for the
    last."""
    axis = node.attr_int("axis", -1 if node.opset >= 13 else 1)
    shape = node.input(0).shape
    if node.opset < 13 and axis != -1 and (shape is None or axis not in (len(shape) - 1, -1)):
        node.refuse(
            f"axis is {axis}; below opset 13 it runs over that axis and all behind it, "
            "and only the last axis is converted: bring the model to opset 13"
        )
    return axis
