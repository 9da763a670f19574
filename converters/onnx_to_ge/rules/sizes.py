"""Sizes of tensors, and sequences that are counted out."""

from __future__ import annotations

import math

import numpy as np

from ...ge_ir import DataType
from ..onnx_node import OnnxNode
from ..registry import rule

_INT64 = {"dtype": DataType.INT64.value}


@rule("Shape")
def shape(node: OnnxNode) -> None:
    """Shape(data) of a tensor whose sizes are known becomes Const; else Shape(x) with dtype 9 (int64).

    start and end become a StridedSlice of that.
    """
    x, start = node.input(0), node.attr_int("start", 0)
    if x.shape is not None and -1 not in x.shape:
        stop = node.attr_int("end", len(x.shape))
        node.give_constant(np.array(x.shape, np.int64)[start:stop])
        return
    if not start and "end" not in node.attribute_names():
        node.add("Shape", [x], _INT64)
        return
    if x.shape is None:
        node.refuse("start or end is written and the rank is not known; give the model's inputs a shape")
    rank = len(x.shape)
    begin, end, _ = slice(start, node.attr_int("end", rank)).indices(rank)
    whole = node.add_inner("Shape", "whole", [x], (DataType.INT64, (rank,)), _INT64)
    bounds = [
        node.add_constant([number], name) for number, name in ((begin, "begin"), (end, "end"), (1, "step"))
    ]
    node.add("StridedSlice", [whole, *bounds])


@rule("Size")
def size(node: OnnxNode) -> None:
    """Size(data) of a tensor whose sizes are known becomes Const; else Size(x) with dtype 9 (int64)."""
    x = node.input(0)
    if x.shape is not None and -1 not in x.shape:
        node.give_constant(np.array(math.prod(x.shape), np.int64))
    else:
        node.add("Size", [x], _INT64)


@rule("Range")
def range_(node: OnnxNode) -> None:
    """Range(start, limit, delta) becomes Range(start, limit, delta), is_closed false."""
    node.add("Range", [node.input(0), node.input(1), node.input(2)], {"is_closed": False})
