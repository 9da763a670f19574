"""Nodes that rules write often: casts, reductions and counts of elements."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import onnx_ir as ir

from .tape import Dim, Tape, dtype_of, shape_of

_AXES_ARE_AN_INPUT_SINCE = 18  # of ReduceMean, ReduceMax and ReduceProd


def cast(tape: Tape, value: ir.Value, dtype: ir.DataType) -> ir.Value:
    """`value` as another type, or itself where it has that type."""
    if dtype_of(value) == dtype:
        return value
    return tape.op("Cast", [value], like=value, dtype=dtype, attributes={"to": int(dtype)})


def reduce(tape: Tape, op_type: str, value: ir.Value, axes: Iterable[int], *, keepdims: bool) -> ir.Value:
    """ReduceSum, ReduceMean or ReduceProd over axes counted from the front, in the step's opset."""
    over, dims = sorted(axes), shape_of(value)
    kept: list[Dim] = [1 if axis in over else dim for axis, dim in enumerate(dims)]
    shape = kept if keepdims else [dim for axis, dim in enumerate(dims) if axis not in over]
    attributes: dict[str, Any] = {"keepdims": int(keepdims)}
    inputs = [value]
    if op_type == "ReduceSum" or tape.opset >= _AXES_ARE_AN_INPUT_SINCE:
        inputs.append(tape.ints(over, "axes"))
    else:
        attributes["axes"] = over
    return tape.op(op_type, inputs, like=value, shape=shape, attributes=attributes)


def count(tape: Tape, value: ir.Value, axes: Iterable[int], like: ir.Value) -> ir.Value:
    """How many elements some axes of `value` hold, as a scalar of the type of `like`."""
    over = list(axes)
    sizes = [shape_of(value)[axis] for axis in over]
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) == len(sizes):
        return tape.scalar(math.prod(known), like, "count")
    picked = tape.op(
        "Gather",
        [tape.shape_tensor(value), tape.ints(over, "axes")],
        dtype=ir.DataType.INT64,
        shape=[len(over)],
        attributes={"axis": 0},
    )
    return cast(tape, reduce(tape, "ReduceProd", picked, [0], keepdims=False), dtype_of(like))
