"""Constants."""

from __future__ import annotations

import numpy as np

from ..onnx_node import OnnxNode
from ..registry import rule

_LISTS = {
    "value_float": np.float32,
    "value_floats": np.float32,
    "value_int": np.int64,
    "value_ints": np.int64,
}


@rule("Constant")
def constant(node: OnnxNode) -> None:
    """Constant becomes Const with the attribute value: the tensor value, or value_int(s) / value_float(s) as
    one."""
    tensor = node.attr_tensor("value")
    if tensor is not None:
        node.give_constant(tensor)
        return
    names = sorted(node.attribute_names() & set(_LISTS))
    if not names:
        node.refuse("it holds a string or a sparse tensor; GE's Const takes dense numeric tensors only")
    node.give_constant(np.array(node.attr_number(names[0]), _LISTS[names[0]]))


@rule("ConstantOfShape")
def constant_of_shape(node: OnnxNode) -> None:
    """ConstantOfShape(input) becomes Fill(dims, value), value a constant scalar (float 0 where it is left
    out)."""
    value = node.attr_tensor("value")
    if value is not None and value.size != 1:
        node.refuse(f"its value has {value.size} elements; it must have one")
    scalar = np.zeros((), np.float32) if value is None else value.reshape(())
    node.add("Fill", [node.input(0), node.add_constant(scalar, "value", scalar.dtype)])
