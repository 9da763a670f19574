"""Reading by index."""

from __future__ import annotations

import numpy as np

from ...ge_ir import DataType
from ..onnx_node import OnnxNode
from ..registry import rule


@rule("Gather")
def gather(node: OnnxNode) -> None:
    """Gather(data, indices) along `axis` becomes GatherV2(x, indices, axis): axis a constant int64 scalar.

    batch_dims 0; negative_index_support true, as ONNX counts negative indices from the end.
    """
    axis = node.add_constant(node.attr_int("axis", 0), "axis")
    node.add("GatherV2", [node.input(0), node.input(1), axis], {"negative_index_support": True})


@rule("OneHot")
def one_hot(node: OnnxNode) -> None:
    """OneHot(indices, depth, values) becomes OneHot(x, depth, on_value, off_value) with the same axis.

    depth becomes a scalar; values must be constant and are split into two scalars. GE gives negative indices
    off_value, while ONNX counts them from the end: they are brought to the range first, by Less, Add and
    SelectV2.
    """
    indices = node.input(0)
    if indices.dtype not in (DataType.INT32, DataType.INT64):
        node.refuse(f"indices are {indices.dtype.label}; GE's OneHot takes int32 and int64: cast them first")
    depth = node.constant_list(1, "depth", 1)[0]
    off, on = node.constant_list(2, "values", 2)
    dtype = indices.dtype.numpy
    count = node.add_constant(depth, "count", dtype)
    below = node.add_inner(
        "Less", "negative", [indices, node.add_constant(0, "zero", dtype)], (DataType.BOOL, indices.shape)
    )
    from_end = node.add_inner("Add", "from_end", [indices, count], (indices.dtype, indices.shape))
    x = node.add_inner("SelectV2", "index", [below, from_end, indices], (indices.dtype, indices.shape))
    node.add(
        "OneHot",
        [
            x,
            node.add_constant(depth, "depth", np.int64),
            node.add_constant(on, "on", on.dtype),
            node.add_constant(off, "off", off.dtype),
        ],
        {"axis": node.attr_int("axis", -1)},
    )
