"""Arithmetic and casts that GE spells in its own way."""

from __future__ import annotations

import numpy as np
import onnx

from ...ge_ir import DataType, Shape
from ...ge_ops.forms import POWER
from ..onnx_node import OnnxNode
from ..registry import rule

_FLOATS = (DataType.FLOAT, DataType.FLOAT16, DataType.BF16, DataType.DOUBLE)


@rule("Div")
def div(node: OnnxNode) -> None:
    """Div(A, B) becomes RealDiv(x1, x2), and of integers TruncateDiv(x1, x2), towards zero as in ONNX."""
    a, b = node.input(0), node.input(1)
    node.add("RealDiv" if a.dtype in _FLOATS else "TruncateDiv", [a, b])


@rule("Pow")
def power(node: OnnxNode) -> None:
    """Pow(X, Y) becomes Pow(x1, x2), whose result has the type that both promote to.

    Where that is not the type of X, which ONNX gives, a Cast to it follows.
    """
    base, exponent = node.input(0), node.input(1)
    promoted = _promoted(base.dtype, exponent.dtype)
    if promoted is base.dtype:
        node.add("Pow", [base, exponent])
        return
    _, shape = node.output_type()
    result = node.add_inner("Pow", "promoted", [base, exponent], (promoted, shape))
    node.add("Cast", [result], {"dst_type": base.dtype.value}, onnx_form=POWER)


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


def _promoted(a: DataType, b: DataType) -> DataType:
    """The type of a result of two: a float wins over an integer, else the wider one."""
    floats = [dtype for dtype in (a, b) if dtype in _FLOATS]
    if len(floats) == 1:
        return floats[0]
    if a is b or a.numpy is None or b.numpy is None:
        return a
    return DataType.of(np.promote_types(a.numpy, b.numpy))
