"""Softmax and its logarithm."""

from __future__ import annotations

from ..ge_node import GeNode
from ..registry import rule

_ONNX = {"SoftmaxV2": "Softmax", "LogSoftmaxV2": "LogSoftmax"}


@rule(*_ONNX)
def softmax(node: GeNode) -> None:
    """SoftmaxV2(x) / LogSoftmaxV2(logits) over one axis becomes Softmax / LogSoftmax over it."""
    axes = node.attr("axes")
    if len(axes) != 1:
        node.refuse(f"axes is {axes}; ONNX has one axis")
    node.add(_ONNX[node.type], [node.input(0)], axis=axes[0])
