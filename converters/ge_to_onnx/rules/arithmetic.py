"""Arithmetic and casts that GE spells in its own way."""

from __future__ import annotations

import onnx

from ...ge_ir import DataType
from ..ge_node import GeNode
from ..registry import rule

_ONNX = {"RealDiv": "Div", "Maximum": "Max", "Minimum": "Min"}


@rule(*_ONNX)
def binary(node: GeNode) -> None:
    """RealDiv, Maximum, Minimum (x1, x2) become Div, Max, Min of the same inputs."""
    node.add(_ONNX[node.type], node.inputs())


@rule("AccumulateNV2")
def accumulate(node: GeNode) -> None:
    """AccumulateNV2(x0, x1, ...) becomes Sum of the same inputs."""
    if node.attr("N") != node.input_count:
        node.refuse(f"N is {node.attr('N')} but it has {node.input_count} inputs")
    node.add("Sum", node.inputs())


@rule("Cast")
def cast(node: GeNode) -> None:
    """Cast(x) with dst_type, a number of ge::DataType, becomes Cast(x) to ONNX's type."""
    number = node.attr("dst_type")
    dtype = next((dtype.numpy for dtype in DataType if dtype.value == number), None)
    if dtype is None:
        node.refuse(f"dst_type is {number}, a data type that the host lacks")
    node.add("Cast", [node.input(0)], to=onnx.helper.np_dtype_to_tensor_dtype(dtype))
