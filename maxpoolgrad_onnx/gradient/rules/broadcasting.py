"""The transpose of broadcasting: a sum over the axes along which an operand was repeated."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from ...errors import quoted
from ..operations import reduce
from ..refusal import refusal
from ..tape import Dim, Tape, shape_of


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
        return reduce(tape, "ReduceSum", gradient, axes, keepdims=True)
    total = reduce(tape, "ReduceSum", gradient, axes, keepdims=False)
    return restore_shape(tape, total, operand) if repeated else total


def restore_shape(tape: Tape, gradient: ir.Value, like: ir.Value) -> ir.Value:
    """`gradient` with the shape of `like`: by a constant where at most one dimension is unknown."""
    dims = shape_of(like)
    unknown = [dim for dim in dims if not isinstance(dim, int)]
    if len(unknown) == 1 and 0 not in dims:
        target = tape.ints([dim if isinstance(dim, int) else -1 for dim in dims], "shape")
    else:
        target = tape.shape_tensor(like)
    return tape.op("Reshape", [gradient, target], like=like)


def reshaped(tape: Tape, node: ir.Node, value: ir.Value, dims: Sequence[Dim]) -> ir.Value:
    """`value` with these dimensions, of which one at most may be unknown."""
    if len([dim for dim in dims if not isinstance(dim, int)]) > 1:
        raise refusal(
            node,
            f"its gradient is reshaped, and more than one dimension of {list(map(str, dims))} is unknown",
            "fix them in the model's inputs",
        )
    target = tape.ints([dim if isinstance(dim, int) else -1 for dim in dims], "shape")
    return tape.op("Reshape", [value, target], like=value, shape=dims)


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
