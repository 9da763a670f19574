"""Convolution's two gradients: nodes of domain npu that are GE's own training operators."""

from __future__ import annotations

from typing import Any

import numpy as np

from maxpoolgrad_onnx.contract import DOMAIN
from maxpoolgrad_onnx.conv_gradients import CONV_FILTER_GRAD, CONV_INPUT_GRAD
from maxpoolgrad_onnx.padding import ge_order

from ...ge_ir import DataType
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule
from .windows import LAYOUT, four_dimensions, height_and_width, in_nchw, written_pads


@rule(CONV_INPUT_GRAD, domain=DOMAIN)
def input_gradient(node: OnnxNode) -> None:
    """Conv2DBackpropInput(input_size, filter, out_backprop) becomes GE's operator of that name, ports alike.

    input_size is cast to int32, GE's type for it; attributes as in Conv.
    """
    inputs = [_size(node, 0), node.input(1), node.input(2)]
    for value in inputs[1:]:
        four_dimensions(node, value)
    node.add("Conv2DBackpropInput", inputs, _attributes(node, written_pads(node)))


@rule(CONV_FILTER_GRAD, domain=DOMAIN)
def filter_gradient(node: OnnxNode) -> None:
    """Conv2DBackpropFilter(x, filter_size, out_backprop) becomes GE's operator of that name, ports alike.

    filter_size is cast to int32; attributes as in Conv. The result is float32 whatever the inputs are.
    """
    dtype, _ = node.output_type()
    if dtype is not DataType.FLOAT:
        node.refuse(
            f"its result is {dtype.label}; it is DT_FLOAT whatever its inputs are: make the model again with "
            "maxpoolgrad grad, or put a Cast behind the node"
        )
    inputs = [node.input(0), _size(node, 1), node.input(2)]
    for value in (inputs[0], inputs[2]):
        four_dimensions(node, value)
    node.add("Conv2DBackpropFilter", inputs, _attributes(node, written_pads(node)))


def _attributes(node: OnnxNode, pads: list[int]) -> dict[str, Any]:
    return {
        "strides": in_nchw(height_and_width(node, "strides")),
        "pads": ge_order(pads),
        "dilations": in_nchw(height_and_width(node, "dilations")),
        "groups": node.attr_int("group", 1),
        "data_format": LAYOUT,
    }


def _size(node: OnnxNode, index: int) -> Value:
    size = node.input(index)
    if size.constant is not None:
        return node.add_constant(size.constant, "size", np.int32)
    return node.add_inner(
        "Cast", "size", [size], (DataType.INT32, size.shape), {"dst_type": DataType.INT32.value}
    )
