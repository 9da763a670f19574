"""Sizes of tensors, and sequences that are counted out."""

from __future__ import annotations

import onnx

from ...ge_ir import DataType
from ..ge_node import GeNode
from ..registry import rule


@rule("Shape", "Size")
def size(node: GeNode) -> None:
    """Shape(x) and Size(x) become Shape(data) and Size(data); where dtype is int32 a Cast follows."""
    dtype = node.attr("dtype")
    if dtype == DataType.INT64.value:
        node.add(node.type, [node.input(0)])
    elif dtype == DataType.INT32.value:
        node.add("Cast", [node.add_inner(node.type, "int64", [node.input(0)])], to=onnx.TensorProto.INT32)
    else:
        allowed = f"{DataType.INT32.value} (int32) and {DataType.INT64.value} (int64)"
        node.refuse(f"dtype is {dtype}; allowed are {allowed}")


@rule("Range")
def range_(node: GeNode) -> None:
    """Range(start, limit, delta) becomes Range(start, limit, delta); a closed one is refused."""
    node.add("Range", [node.input(0), node.input(1), node.input(2)])
