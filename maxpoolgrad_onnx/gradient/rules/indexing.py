"""Reading and writing by index."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from ...errors import quoted
from ..refusal import refusal
from ..tape import Dim, Tape, shape_of
from .broadcasting import reshaped
from .parts import padded, zeros_like

_ADDS_SINCE = 16  # ScatterElements with a reduction


def gather(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = the sum of dY's slices over the indices that they were read at.

    | indices                                    | dX                                                     |
    |--------------------------------------------|--------------------------------------------------------|
    | constant, from one position upwards        | dY with zeros around it: Pad                           |
    | constant, each position once               | Gather(dY, inverse)                                    |
    | any other                                  | ScatterElements(0, indices, dY), reduction add         |

    Indices of no or of several dimensions are made one first, by a Reshape of dY.
    """
    x, indices = node.inputs
    assert x is not None
    assert indices is not None
    axis = node.attributes.get_int("axis", 0) % len(shape_of(x))
    known = tape.constant_of(indices)
    dims = shape_of(x)
    count: Dim = _length(indices)
    flat_dims = [*dims[:axis], count, *dims[axis + 1 :]]
    flat = dy
    if len(shape_of(indices)) != 1:
        flat = reshaped(tape, node, dy, flat_dims)
    size = dims[axis]
    if known is None or not isinstance(size, int):
        return [_scattered(tape, node, flat, indices, axis, x), None]
    positions = np.where(known < 0, known + size, known).ravel()
    if np.array_equal(positions, np.arange(len(positions)) + positions[0]):
        pads = np.zeros((2, len(dims)), np.int64)
        pads[:, axis] = positions[0], size - positions[-1] - 1
        return [padded(tape, flat, pads, x), None]
    if len(positions) == size == len(set(positions.tolist())):
        inverse = tape.ints(np.argsort(positions).tolist(), "inverse")
        return [tape.op("Gather", [flat, inverse], like=x, attributes={"axis": axis}), None]
    constant = tape.constant(positions.astype(np.int64), "indices")
    return [_scattered(tape, node, flat, constant, axis, x), None]


def gather_elements(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = ScatterElements(0, indices, dY), reduction add."""
    x, indices = node.inputs
    assert x is not None
    axis = node.attributes.get_int("axis", 0)
    return [_scatter(tape, node, indices, dy, axis, x), None]


def scatter_elements(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dU = GatherElements(dY, indices) for the updates; dX = dY, with zeros at the indices where reduction is
    none. With it, no position may be written twice."""
    x, indices, updates = node.inputs
    assert x is not None
    assert indices is not None
    assert updates is not None
    reduction = node.attributes.get_string("reduction", "none")
    axis = node.attributes.get_int("axis", 0)
    if reduction not in ("none", "add"):
        raise refusal(node, f"reduction is {quoted(reduction)}", "there is a rule for none and add")
    dx = du = None
    if tape.needs(x):
        dx = dy
        if reduction == "none":
            inputs = [dy, indices, zeros_like(tape, updates)]
            dx = tape.op("ScatterElements", inputs, like=x, attributes={"axis": axis})
    if tape.needs(updates):
        du = tape.op("GatherElements", [dy, indices], like=updates, attributes={"axis": axis})
    return [dx, None, du]


def _length(indices: ir.Value) -> Dim:
    """How many positions indices of any shape have."""
    count = 1
    for dim in shape_of(indices):
        if not isinstance(dim, int):
            return ir.SymbolicDim(None) if len(shape_of(indices)) > 1 else dim
        count *= dim
    return count


def _scattered(
    tape: Tape, node: ir.Node, flat: ir.Value, indices: ir.Value, axis: int, x: ir.Value
) -> ir.Value:
    """Slices of `flat` along the axis added at the indices, which are repeated over the other axes."""
    rank = len(shape_of(flat))
    column: list[Dim] = [1] * rank
    column[axis] = shape_of(flat)[axis]
    target = tape.ints([-1 if place == axis else 1 for place in range(rank)], "shape")
    upright = tape.op("Reshape", [indices, target], like=indices, shape=column)
    whole = tape.op("Expand", [upright, tape.shape_tensor(flat)], like=indices, shape=shape_of(flat))
    return _scatter(tape, node, whole, flat, axis, x)


def _scatter(
    tape: Tape, node: ir.Node, indices: ir.Value | None, updates: ir.Value, axis: int, x: ir.Value
) -> ir.Value:
    if tape.opset < _ADDS_SINCE:
        raise refusal(
            node,
            f"its gradient is a sum over indices (ScatterElements), which opset {tape.opset} does not have",
            f"export with opset {_ADDS_SINCE} to 18, or read each position once by constant indices",
        )
    inputs = [zeros_like(tape, x), indices, updates]
    return tape.op("ScatterElements", inputs, like=x, attributes={"axis": axis, "reduction": "add"})
