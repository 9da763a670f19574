"""Constants that are computed."""

from __future__ import annotations

import numpy as np
import onnx

from ..ge_node import GeNode
from ..registry import rule


@rule("Fill")
def fill(node: GeNode) -> None:
    """Fill(dims, value) with a constant value becomes ConstantOfShape(dims) with the attribute value."""
    value = np.reshape(node.scalar(1, "value"), 1)
    node.add("ConstantOfShape", [node.as_int64(0, "dims")], value=onnx.numpy_helper.from_array(value))
