"""Operators that change a tensor's shape, or read it."""

from __future__ import annotations

import numpy as np
import onnx

from ...ge_ir import DataType
from ..ge_node import GeNode
from ..registry import rule


@rule("Reshape")
def reshape(node: GeNode) -> None:
    """Reshape(x, shape) becomes Reshape(data, shape)."""
    node.add("Reshape", [node.input(0), node.as_int64(1, "shape")])


@rule("Expand")
def expand(node: GeNode) -> None:
    """Expand(x, shape) becomes Expand(input, shape)."""
    node.add("Expand", [node.input(0), node.as_int64(1, "shape")])


@rule("Flatten")
def flatten(node: GeNode) -> None:
    """Flatten(x) becomes Flatten(input), the same axis."""
    node.add("Flatten", [node.input(0)], axis=node.attr("axis"))


@rule("Transpose")
def transpose(node: GeNode) -> None:
    """Transpose(x, perm) with a constant perm becomes Transpose(data) with the attribute perm."""
    node.add("Transpose", [node.input(0)], perm=[int(axis) for axis in node.constant(1, "perm").ravel()])


@rule("Shape")
def shape(node: GeNode) -> None:
    """Shape(x) becomes Shape(data); where dtype is int32 a Cast follows."""
    dtype = node.attr("dtype")
    if dtype == DataType.INT64.value:
        node.add("Shape", [node.input(0)])
    elif dtype == DataType.INT32.value:
        node.add("Cast", [node.add_inner("Shape", "int64", [node.input(0)])], to=onnx.TensorProto.INT32)
    else:
        allowed = f"{DataType.INT32.value} (int32) and {DataType.INT64.value} (int64)"
        node.refuse(f"dtype is {dtype}; allowed are {allowed}")


@rule("Unsqueeze")
def unsqueeze(node: GeNode) -> None:
    """Unsqueeze(x) with the attribute axes becomes Unsqueeze(data, axes)."""
    node.add("Unsqueeze", [node.input(0), node.add_constant(np.array(node.attr("axes"), np.int64), "axes")])


@rule("Squeeze")
def squeeze(node: GeNode) -> None:
    """Squeeze(x) with the attribute axis becomes Squeeze(data, axes), or Squeeze(data) where it is empty."""
    axis = node.attr("axis")
    inputs = [node.input(0)]
    node.add("Squeeze", [*inputs, node.add_constant(np.array(axis, np.int64), "axes")] if axis else inputs)


@rule("ConcatD")
def concat(node: GeNode) -> None:
    """ConcatD(x0, x1, ...) along concat_dim becomes Concat(inputs) along axis."""
    if node.attr("N") != node.input_count:
        node.refuse(f"N is {node.attr('N')} but it has {node.input_count} inputs")
    node.add("Concat", node.inputs(), axis=node.attr("concat_dim"))
