"""Arithmetic and casts that GE spells in its own way."""

from __future__ import annotations

import onnx

from ...ge_ir import DataType
from ...ge_ops.forms import POWER
from ..ge_node import GeNode
from ..registry import part, rule

_ONNX = {"RealDiv": "Div", "TruncateDiv": "Div", "Maximum": "Max", "Minimum": "Min"}
_DIVIDES = {"RealDiv": "fV", "TruncateDiv": "iu"}
"""The kinds of NumPy dtypes that the two divisions are ONNX's for; V is bfloat16."""


@rule(*_ONNX)
def binary(node: GeNode) -> None:
    """RealDiv, TruncateDiv, Maximum, Minimum (x1, x2) become Div, Div, Max, Min of the same inputs.

    Refused: RealDiv of integers and TruncateDiv of floats, which ONNX has not.
    """
    if node.type in _DIVIDES and node.input_dtype(0).kind not in _DIVIDES[node.type]:
        node.refuse(f"it divides {node.input_dtype(0)}; the host divides floats exactly, integers truncated")
    node.add(_ONNX[node.type], node.inputs())


@rule("Pow")
def power(node: GeNode) -> None:
    """Pow(x1, x2) becomes Pow(X, Y); a Cast behind it that the rule for Pow put there is part of it.

    Where the result has another type than x1 otherwise, x1 is cast to it first.
    """
    cast_behind = _cast_of(node)
    if cast_behind is not None:
        cast_behind.add("Pow", node.inputs())
        return
    inputs = node.inputs()
    if node.input_dtype(0) != node.output_dtype():
        to = onnx.helper.np_dtype_to_tensor_dtype(node.output_dtype())
        inputs[0] = node.add_inner("Cast", "base", [inputs[0]], to=to)
    node.add("Pow", inputs)


@part("Cast")
def _is_of_power(node: GeNode) -> bool:
    source = node.producer(0)
    return source.type == "Pow" and _cast_of(source) is not None


def _cast_of(node: GeNode) -> GeNode | None:
    """The Cast behind a Pow that gives the result the type of the base, as ONNX does."""
    if node.consumer_ports() != [("Cast", 0)]:
        return None
    cast = node.consumers()[0]
    fits = cast.onnx_form == POWER and cast.output_dtype() == node.input_dtype(0)
    return cast if fits else None


@rule("AccumulateNV2")
def accumulate(node: GeNode) -> None:
    """AccumulateNV2(x0, x1, ...) becomes Sum of the same inputs."""
    if node.attr("N") != node.input_count:
        node.refuse(f"N is {node.attr('N')} but it has {node.input_count} inputs")
    node.add("Sum", node.inputs())


@rule("Cast")
def cast(node: GeNode) -> None:
    """Cast(x) with dst_type, a number of ge::DataType, becomes Cast(x) to ONNX's type."""
    number = node.attr("dst_type")
    dtype = next((dtype.numpy for dtype in DataType if dtype.value == number), None)
    if dtype is None:
        node.refuse(f"dst_type is {number}, a data type that the host lacks")
    node.add("Cast", [node.input(0)], to=onnx.helper.np_dtype_to_tensor_dtype(dtype))
