"""Arithmetic and casts that GE spells in its own way."""

from __future__ import annotations

import numpy as np
import onnx

from ...ge_ir import DataType, Shape
from ..onnx_node import OnnxNode
from ..registry import rule

_FLOATS = (DataType.FLOAT, DataType.FLOAT16, DataType.BF16, DataType.DOUBLE)


@rule("Div")
def div(node: OnnxNode) -> None:
    """Div(A, B) becomes RealDiv(x1, x2).

    Refused for integers: ONNX cuts the quotient off towards zero, and RealDiv says nothing of the kind.
    """
    a, b = node.input(0), node.input(1)
    if a.dtype not in _FLOATS:
        node.refuse(
            f"divides {a.dtype.label}; RealDiv is exact for floating-point types only: cast to float first"
        )
    node.add("RealDiv", [a, b])


@rule("Max")
def maximum(node: OnnxNode) -> None:
    """Max(a, b, c) becomes Maximum(Maximum(a, b), c), and so on; Max(a) becomes Identity(x)."""
    _chain(node, "Maximum")


@rule("Min")
def minimum(node: OnnxNode) -> None:
    """Min(a, b, c) becomes Minimum(Minimum(a, b), c), and so on; Min(a) becomes Identity(x)."""
    _chain(node, "Minimum")


@rule("Sum")
def sum_(node: OnnxNode) -> None:
    """Sum(inputs) becomes AccumulateNV2(x0, x1, ...) with N inputs; Sum(a) becomes Identity(x).

    Refused: inputs of different shapes, which AccumulateNV2 does not spread.
    """
    inputs = node.inputs()
    if len(inputs) == 1:
        node.add("Identity", inputs)
        return
    shapes = {value.shape for value in inputs}
    if len(shapes) > 1:
        node.refuse(f"its inputs have the shapes {sorted(map(str, shapes))}; use Add, which spreads them")
    node.add("AccumulateNV2", inputs, {"N": len(inputs)})


@rule("Cast")
def cast(node: OnnxNode) -> None:
    """Cast(x) to a type becomes Cast(x) with dst_type, the type's number in ge::DataType."""
    wanted = node.attr_int("to", 0)
    try:
        target = DataType.of(onnx.helper.tensor_dtype_to_np_dtype(wanted))
    except KeyError:
        node.refuse(f"to is {wanted}, which GE has no data type for; cast to a numeric type or bool")
    node.add("Cast", [node.input(0)], {"dst_type": target.value})


def _chain(node: OnnxNode, type_: str) -> None:
    result, *others = node.inputs()
    if not others:
        node.add("Identity", [result])
        return
    for number, value in enumerate(others[:-1]):
        shape = _spread(node, result.shape, value.shape)
        result = node.add_inner(type_, f"{number}", [result, value], (result.dtype, shape))
    node.add(type_, [result, others[-1]])


def _spread(node: OnnxNode, a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape that two tensors spread over; None (unknown rank) where a size is unknown."""
    if a is None or b is None or -1 in a or -1 in b:
        return None
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        node.refuse(f"its inputs have the shapes {a} and {b}, which do not spread to one; correct them")
