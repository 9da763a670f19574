"""Constants that are computed."""

from __future__ import annotations

import onnx

from ..ge_node import GeNode
from ..registry import rule


@rule("Fill")
def fill(node: GeNode) -> None:
    """Fill(dims, value) with a constant value becomes ConstantOfShape(dims) with the attribute value."""
    value = node.constant(1, "value").reshape(1)
    node.add("ConstantOfShape", [node.as_int64(0, "dims")], value=onnx.numpy_helper.from_array(value))
