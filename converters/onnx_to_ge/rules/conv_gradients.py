"""Convolution's gradients: nodes of domain npu that are GE's own training operators."""

from __future__ import annotations

from typing import Any

import numpy as np

from maxpoolgrad_onnx.contract import DOMAIN
from maxpoolgrad_onnx.conv_gradients import (
    CONV_FILTER_GRAD,
    CONV_GRAD,
    CONV_GRAD_WITHOUT_BIAS,
    CONV_INPUT_GRAD,
)
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
    _check_filter_type(node, 0)
    inputs = [node.input(0), _size(node, 1), node.input(2)]
    for value in (inputs[0], inputs[2]):
        four_dimensions(node, value)
    node.add("Conv2DBackpropFilter", inputs, _attributes(node, written_pads(node)))


@rule(CONV_GRAD, CONV_GRAD_WITHOUT_BIAS, domain=DOMAIN)
def all_gradients(node: OnnxNode) -> None:
    """ConvGrad(dY, X, W) becomes an operator for each gradient that is used; attributes as in Conv:

    | gradient | GE                                             |
    |----------|------------------------------------------------|
    | dX       | Conv2DBackpropInput(X's size, W, dY)           |
    | dW       | Conv2DBackpropFilter(X, W's size, dY), float32 |
    | dB       | ReduceSum(dY, axes [0, 2, 3])                  |

    ConvGradWithoutBias has no dB. The sizes are constants of int32, or Shape with dtype 3 (int32).
    """
    dy, x, w = (node.input(index) for index in range(3))
    if node.input_count != 3:
        node.refuse(f"it has {node.input_count} inputs; {node.proto.op_type} takes 3")
    for value in (dy, x, w):
        four_dimensions(node, value)
    attributes = _attributes(node, written_pads(node))
    gradients = [x, w, dy]  # in the place of one that nobody reads
    if node.has_output(0):
        inputs = [_size_of(node, x, "input_size"), w, dy]
        gradients[0] = node.add_inner("Conv2DBackpropInput", "input", inputs, node.output_type(0), attributes)
    if node.has_output(1):
        _check_filter_type(node, 1)
        inputs = [x, _size_of(node, w, "filter_size"), dy]
        gradients[1] = node.add_inner(
            "Conv2DBackpropFilter", "filter", inputs, node.output_type(1), attributes
        )
    if node.has_output(2):
        axes = node.add_constant([0, 2, 3], "axes")
        form = {"keep_dims": False, "noop_with_empty_axes": False}
        gradients[2] = node.add_inner("ReduceSum", "bias", [dy, axes], node.output_type(2), form)
    node.give(*gradients)


def _check_filter_type(node: OnnxNode, output: int) -> None:
    dtype, _ = node.output_type(output)
    if dtype is not DataType.FLOAT:
        what = "its result" if output == 0 else "the filter's gradient"
        node.refuse(
            f"{what} is {dtype.label}; it is DT_FLOAT whatever its inputs are: make the model again with "
            "maxpoolgrad grad, or put a Cast behind the node"
        )


def _size_of(node: OnnxNode, value: Value, suffix: str) -> Value:
    if value.shape is not None and -1 not in value.shape:
        return node.add_constant(value.shape, suffix, np.int32)
    dtype = DataType.INT32
    return node.add_inner("Shape", suffix, [value], (dtype, (4,)), {"dtype": dtype.value})


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
