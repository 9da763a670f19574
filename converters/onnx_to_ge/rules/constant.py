"""Constants."""

from __future__ import annotations

import math

import numpy as np
from onnx import SparseTensorProto

from maxpoolgrad_onnx.arrays import Array

from ..elements import elements_of
from ..onnx_node import OnnxNode
from ..registry import rule

_LISTS = {
    "value_float": np.float32,
    "value_floats": np.float32,
    "value_int": np.int64,
    "value_ints": np.int64,
}
_LARGEST_DENSE = 1 << 28
"""Bytes that a sparse constant may have when it is written out."""


@rule("Constant")
def constant(node: OnnxNode) -> None:
    """Constant becomes Const with the attribute value: the tensor value, value_int(s) or value_float(s) as
    one, or sparse_value written out. Refused: strings, and sparse values that would take 256 MiB and more."""
    tensor = node.attr_tensor("value")
    if tensor is not None:
        node.give_constant(tensor)
        return
    names = node.attribute_names()
    if "sparse_value" in names:
        node.give_constant(_dense(node, node.attr_number("sparse_value")))
        return
    lists = sorted(names & set(_LISTS))
    if not lists:
        node.refuse("it holds a string; GE's Const takes numeric tensors only")
    node.give_constant(np.array(node.attr_number(lists[0]), _LISTS[lists[0]]))


def _dense(node: OnnxNode, sparse: SparseTensorProto) -> Array:
    """A sparse tensor written out. Its indices are places, [n], or coordinates, [n, rank]."""
    try:
        values, indices = elements_of(sparse.values), elements_of(sparse.indices)
    except ValueError as error:
        node.refuse(f"its sparse_value {error}")
    shape, count = tuple(sparse.dims), math.prod(sparse.dims)
    if count * values.itemsize >= _LARGEST_DENSE:
        node.refuse(f"its sparse_value of shape {list(shape)} is too large to be written out")
    dense = np.zeros(count, values.dtype)
    try:
        places = indices if indices.ndim == 1 else np.ravel_multi_index(tuple(indices.T), shape)
        dense[places] = values
    except (IndexError, ValueError) as error:
        node.refuse(f"its sparse_value does not fit its shape {list(shape)}: {error}")
    return dense.reshape(shape)


@rule("ConstantOfShape")
def constant_of_shape(node: OnnxNode) -> None:
    """ConstantOfShape(input) becomes Fill(dims, value), value a constant scalar (float 0 where it is left
    out)."""
    value = node.attr_tensor("value")
    if value is not None and value.size != 1:
        node.refuse(f"its value has {value.size} elements; it must have one")
    scalar = np.zeros((), np.float32) if value is None else value.reshape(())
    node.add("Fill", [node.input(0), node.add_constant(scalar, "value", scalar.dtype)])
