"""The transpose of broadcasting: a sum over the axes along which an operand was repeated."""

from __future__ import annotations

import onnx_ir as ir

from ...errors import quoted
from ..refusal import refusal
from ..tape import Tape, shape_of
from .reshaping import restore_shape


def sum_to_operand(tape: Tape, node: ir.Node, gradient: ir.Value, operand: ir.Value) -> ir.Value:
    """The gradient of an operand that a node broadcast to the shape of `gradient`.

    One ReduceSum over all repeated axes, and a Reshape where the operand has fewer dimensions of which some
    were repeated. Raises MaxPoolGradError where unknown dimensions leave open whether an axis is repeated.
    """
    wide, narrow = shape_of(gradient), shape_of(operand)
    extra = len(wide) - len(narrow)
    repeated = [
        extra + axis
        for axis, dim in enumerate(narrow)
        if _is_repeated(node, operand, dim, wide[extra + axis])
    ]
    axes = [*range(extra), *repeated]
    if not axes:
        return gradient
    if extra == 0:
        return tape.op(
            "ReduceSum", [gradient, tape.ints(axes, "axes")], like=operand, attributes={"keepdims": 1}
        )
    kept = [dim for axis, dim in enumerate(wide) if axis not in axes]
    total = tape.op(
        "ReduceSum",
        [gradient, tape.ints(axes, "axes")],
        like=gradient,
        shape=kept,
        attributes={"keepdims": 0},
    )
    return restore_shape(tape, total, operand) if repeated else total


def _is_repeated(node: ir.Node, operand: ir.Value, dim: object, wide: object) -> bool:
    if isinstance(dim, int):
        return dim == 1 and wide != 1
    if isinstance(wide, int):
        raise refusal(
            node,
            f"dimension {dim} of {quoted(operand.name)} meets {wide} in the result: it may or may not be "
            "broadcast",
            "fix the dimension in the model's inputs",
        )
    return False
