"""Relu's gradient: a node of domain npu that is GE's own training operator."""

from __future__ import annotations

from maxpoolgrad_onnx.contract import DOMAIN
from maxpoolgrad_onnx.relu_gradient import RELU_GRAD

from ..onnx_node import OnnxNode
from ..registry import rule


@rule(RELU_GRAD, domain=DOMAIN)
def relu_gradient(node: OnnxNode) -> None:
    """ReluGrad(gradients, features) becomes GE's operator of that name, ports alike."""
    node.add("ReluGrad", [node.input(0), node.input(1)])
