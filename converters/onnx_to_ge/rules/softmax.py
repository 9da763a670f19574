"""Softmax and its logarithm."""

from __future__ import annotations

import math

from ...ge_ir import DataType, Shape
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule

_SINCE = 13
"""The opset from which on Softmax runs over `axis` alone."""


@rule("Softmax")
def softmax(node: OnnxNode) -> None:
    """Softmax(input) over `axis` becomes SoftmaxV2(x) with axes = [axis]; half_to_float stays false.

    Below opset 13 it runs over `axis` and all axes behind it: where that is more than one axis, the input is
    reshaped to a matrix first, SoftmaxV2 runs over its rows (axes [-1]), and the result is reshaped back.
    """
    _over_axis(node, "SoftmaxV2")


@rule("LogSoftmax")
def log_softmax(node: OnnxNode) -> None:
    """LogSoftmax(input) over `axis` becomes LogSoftmaxV2(logits) with axes = [axis]; below opset 13 as
    Softmax."""
    _over_axis(node, "LogSoftmaxV2")


def _over_axis(node: OnnxNode, type_: str) -> None:
    x = node.input(0)
    axis = node.attr_int("axis", -1 if node.opset >= _SINCE else 1)
    if node.opset >= _SINCE or axis == -1 or (x.shape is not None and axis == len(x.shape) - 1):
        node.add(type_, [x], {"axes": [axis]})
        return
    if x.shape is None:
        node.refuse(
            f"axis is {axis} and the rank of its input is not known; below opset 13 it runs over all axes "
            "behind it too: give the model's inputs a shape"
        )
    matrix = _matrix(node, x.shape, axis)
    rows = node.add_inner("Reshape", "matrix", [x, node.add_constant(matrix, "rows")], (x.dtype, matrix))
    result = node.add_inner(type_, "rows", [rows], (x.dtype, matrix), {"axes": [-1]})
    node.add("Reshape", [result, _shape_of(node, x, x.shape)])


def _matrix(node: OnnxNode, shape: Shape, axis: int) -> Shape:
    """[size of the axes before, size of the others], the unknown one as -1."""
    axis = axis + len(shape) if axis < 0 else axis
    sizes = [-1 if -1 in part else math.prod(part) for part in (shape[:axis], shape[axis:])]
    if 0 in sizes or sizes == [-1, -1]:
        node.refuse(
            f"its input has the shape {list(shape)}; below opset 13 the axes before axis {axis}, and the "
            "others, are made one, and only one of the two may be unknown: fix the shapes, or use opset 13"
        )
    return tuple(sizes)


def _shape_of(node: OnnxNode, x: Value, shape: Shape) -> Value:
    if shape.count(-1) <= 1:
        return node.add_constant(shape, "shape")
    output = (DataType.INT64, (len(shape),))
    return node.add_inner("Shape", "shape", [x], output, {"dtype": DataType.INT64.value})
