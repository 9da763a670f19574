"""Operators that put tensors together and take them apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from ...errors import quoted
from ..refusal import refusal
from ..tape import Tape, shape_of


def concat(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX_i = the part of dY that X_i became: one Split, or a Slice where one part alone is needed."""
    axis = node.attributes.get_int("axis", 0) % len(shape_of(dy))
    if len(node.inputs) == 1:
        return [dy]
    wanted = [value for value in node.inputs if tape.needs(value)]
    sizes = _sizes(node, node.inputs, axis)
    if len(wanted) == 1:
        index = node.inputs.index(wanted[0])
        start = sum(sizes[:index])
        bounds = [[start], [start + sizes[index]], [axis]]
        inputs = [dy, *(tape.ints(values, "bounds") for values in bounds)]
        part = tape.op("Slice", inputs, like=wanted[0])
        return [part if value is wanted[0] else None for value in node.inputs]
    results = [(dy.dtype or ir.DataType.FLOAT, shape_of(value)) for value in node.inputs]
    parts = tape.ops("Split", [dy, tape.ints(sizes, "sizes")], results, attributes={"axis": axis})
    return [part if tape.needs(value) else None for part, value in zip(parts, node.inputs, strict=True)]


def split(tape: Tape, node: ir.Node, *dys: ir.Value | None) -> list[ir.Value | None]:
    """dX = the gradients of the parts put together, zeros for a part without one."""
    x = node.inputs[0]
    assert x is not None
    axis = node.attributes.get_int("axis", 0) % len(shape_of(x))
    others: list[ir.Value | None] = [None for _ in node.inputs[1:]]
    given = [index for index, dy in enumerate(dys) if dy is not None]
    sizes = _sizes(node, node.outputs, axis) if len(given) < len(dys) else []
    if len(given) == 1:
        only = dys[given[0]]
        assert only is not None
        pads = np.zeros((2, len(shape_of(x))), np.int64)
        pads[:, axis] = sum(sizes[: given[0]]), sum(sizes[given[0] + 1 :])
        return [padded(tape, only, pads, x), *others]
    parts = [zeros_like(tape, part) if dy is None else dy for dy, part in zip(dys, node.outputs, strict=True)]
    return [tape.op("Concat", parts, like=x, attributes={"axis": axis}), *others]


def padded(tape: Tape, value: ir.Value, pads: np.ndarray, like: ir.Value) -> ir.Value:
    """`value` with zeros around it, [begins, ends] for each axis, to the shape of `like`."""
    if not pads.any():
        return value
    return tape.op("Pad", [value, tape.ints(pads.ravel().tolist(), "pads")], like=like)


def zeros_like(tape: Tape, value: ir.Value) -> ir.Value:
    """Zeros of the shape and type of `value`."""
    return tape.op("Expand", [tape.scalar(0, value, "zero"), tape.shape_tensor(value)], like=value)


def _sizes(node: ir.Node, values: Sequence[ir.Value | None], axis: int) -> list[int]:
    sizes = []
    for value in values:
        size = shape_of(value)[axis]
        if not isinstance(size, int):
            raise refusal(
                node,
                f"dimension {axis} of {quoted(value and value.name)} is unknown",
                "fix it in the model's inputs",
            )
        sizes.append(size)
    return sizes
