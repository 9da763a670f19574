"""Reading and writing by index."""

from __future__ import annotations

import numpy as np

from maxpoolgrad_onnx.errors import quoted

from ...ge_ir import DataType
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule

_REDUCTIONS = ("none", "add", "mul")


@rule("Gather")
def gather(node: OnnxNode) -> None:
    """Gather(data, indices) along `axis` becomes GatherV2(x, indices, axis): axis a constant int64 scalar.

    batch_dims 0; negative_index_support true, as ONNX counts negative indices from the end.
    """
    axis = node.add_constant(node.attr_int("axis", 0), "axis")
    node.add("GatherV2", [node.input(0), node.input(1), axis], {"negative_index_support": True})


@rule("GatherElements")
def gather_elements(node: OnnxNode) -> None:
    """GatherElements(data, indices) along `axis` becomes GatherElements(x, index) with dim = axis.

    GE's documents know no negative indices here: they are brought to the range first, constants at once,
    others by Less, Add and SelectV2.
    """
    x, axis = node.input(0), node.attr_int("axis", 0)
    node.add("GatherElements", [x, _from_the_front(node, x, axis, node.input(1))], {"dim": axis})


@rule("GatherND")
def gather_nd(node: OnnxNode) -> None:
    """GatherND(data, indices) becomes GatherNd(x, indices) with negative_index_support true.

    Refused: batch_dims other than 0, which GE does not have.
    """
    batch_dims = node.attr_int("batch_dims", 0)
    if batch_dims:
        node.refuse(f"batch_dims is {batch_dims}; GatherNd has none: only 0 is converted")
    node.add("GatherNd", [node.input(0), node.input(1)], {"negative_index_support": True})


@rule("ScatterElements")
def scatter_elements(node: OnnxNode) -> None:
    """ScatterElements(data, indices, updates) along `axis` becomes GE's operator of that name, ports alike.

    reduction none, add and mul stay what they are; negative indices as in GatherElements. Refused: max and
    min, which GE does not have.
    """
    data, axis, reduction = node.input(0), node.attr_int("axis", 0), node.attr_string("reduction", "none")
    if reduction not in _REDUCTIONS:
        node.refuse(f"reduction is {quoted(reduction)}; GE's ScatterElements has {', '.join(_REDUCTIONS)}")
    indices = _from_the_front(node, data, axis, node.input(1))
    node.add("ScatterElements", [data, indices, node.input(2)], {"axis": axis, "reduction": reduction})


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
    count = node.add_constant(depth, "count", indices.dtype.numpy)
    node.add(
        "OneHot",
        [
            _counted_from_the_front(node, indices, count),
            node.add_constant(depth, "depth", np.int64),
            node.add_constant(on, "on", on.dtype),
            node.add_constant(off, "off", off.dtype),
        ],
        {"axis": node.attr_int("axis", -1)},
    )


def _from_the_front(node: OnnxNode, x: Value, axis: int, indices: Value) -> Value:
    """Indices along an axis of x, none of them negative."""
    known = x.shape is not None and x.shape[axis] >= 0
    if indices.constant is not None and not (indices.constant < 0).any():
        return indices
    if x.shape is not None and known and indices.constant is not None:
        counted = np.where(indices.constant < 0, indices.constant + x.shape[axis], indices.constant)
        return node.add_constant(counted, "index", indices.constant.dtype)
    if x.shape is not None and known:
        count = node.add_constant(x.shape[axis], "count", indices.dtype.numpy)
    else:
        count = _size_of_axis(node, x, axis, indices.dtype)
    return _counted_from_the_front(node, indices, count)


def _size_of_axis(node: OnnxNode, x: Value, axis: int, dtype: DataType) -> Value:
    """The size of an axis, read while the model runs, as one element of a type."""
    if axis < 0 and x.shape is None:
        node.refuse(f"axis is {axis} and the rank of its input is not known; give the model's inputs a shape")
    rank = -1 if x.shape is None else len(x.shape)
    shape = node.add_inner("Shape", "shape", [x], (DataType.INT64, (rank,)), {"dtype": DataType.INT64.value})
    place, zero = node.add_constant([axis % rank if rank > 0 else axis], "place"), node.add_constant(0, "at")
    size = node.add_inner("GatherV2", "size", [shape, place, zero], (DataType.INT64, (1,)))
    return node.add_inner("Cast", "count", [size], (dtype, (1,)), {"dst_type": dtype.value})


def _counted_from_the_front(node: OnnxNode, indices: Value, count: Value) -> Value:
    zero = node.add_constant(0, "zero", indices.dtype.numpy)
    below = node.add_inner("Less", "negative", [indices, zero], (DataType.BOOL, indices.shape))
    from_end = node.add_inner("Add", "from_end", [indices, count], (indices.dtype, indices.shape))
    return node.add_inner("SelectV2", "index", [below, from_end, indices], (indices.dtype, indices.shape))
