"""Convolution's two gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx

from maxpoolgrad_onnx.contract import DOMAIN
from maxpoolgrad_onnx.conv_gradients import CONV_FILTER_GRAD, CONV_INPUT_GRAD

from ..ge_node import GeNode
from ..registry import rule
from .windows import check_layout, height_and_width, onnx_pads


@rule("Conv2DBackpropInput")
def input_gradient(node: GeNode) -> None:
    """Conv2DBackpropInput becomes npu::Conv2DBackpropInput, ports alike, input_size int64."""
    inputs = [node.as_int64(0, "input_size"), node.input(1), node.input(2)]
    node.add(CONV_INPUT_GRAD, inputs, DOMAIN, **_attributes(node))


@rule("Conv2DBackpropFilter")
def filter_gradient(node: GeNode) -> None:
    """Conv2DBackpropFilter becomes npu::Conv2DBackpropFilter, ports alike, filter_size int64.

    Its result is float32. Older prototypes of GE allow other types: there a Cast follows.
    """
    inputs = [node.input(0), node.as_int64(1, "filter_size"), node.input(2)]
    if node.output_dtype() == np.float32:
        node.add(CONV_FILTER_GRAD, inputs, DOMAIN, **_attributes(node))
        return
    wide = node.add_inner(CONV_FILTER_GRAD, "wide", inputs, DOMAIN, **_attributes(node))
    node.add("Cast", [wide], to=onnx.helper.np_dtype_to_tensor_dtype(node.output_dtype()))


def _attributes(node: GeNode) -> dict[str, Any]:
    check_layout(node)
    return {
        "strides": height_and_width(node, "strides"),
        "pads": onnx_pads(node),
        "dilations": height_and_width(node, "dilations"),
        "group": node.attr("groups"),
    }
