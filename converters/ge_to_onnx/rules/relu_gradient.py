"""Relu's gradient."""

from __future__ import annotations

from maxpoolgrad_onnx.contract import DOMAIN
from maxpoolgrad_onnx.relu_gradient import RELU_GRAD

from ..ge_node import GeNode
from ..registry import rule


@rule("ReluGrad")
def relu_gradient(node: GeNode) -> None:
    """ReluGrad becomes npu::ReluGrad, ports alike."""
    node.add(RELU_GRAD, [node.input(0), node.input(1)], DOMAIN)
