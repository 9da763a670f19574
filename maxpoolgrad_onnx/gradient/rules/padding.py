"""Pad."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from ...errors import quoted
from ..refusal import refusal
from ..tape import Tape, dtype_of, shape_of
from .parts import padded

_FOLDING_MODES = ("reflect", "edge")


def pad(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """constant: dX = dY without what was added, and zeros where a negative pad cut X; no gradient for the
    constant.

    reflect, edge: Y = M_h X M_w along the last two axes, M the 0-1 matrices that say which element of X each
    of Y is; dX = M_h' dY M_w', a prime for the transposed.
    """
    x = node.inputs[0]
    assert x is not None
    if len(node.inputs) > 2 and tape.needs(node.inputs[2]):
        raise refusal(
            node, "its constant_value depends on a parameter", "make it constant, or use Concat in its place"
        )
    others: list[ir.Value | None] = [None for _ in node.inputs[1:]]
    pads = _pads(tape, node, x)
    mode = node.attributes.get_string("mode", "constant")
    if mode == "constant":
        return [_inner(tape, dy, pads, x), *others]
    if mode not in _FOLDING_MODES:
        raise refusal(node, f"mode is {quoted(mode)}", f"use constant, {', '.join(_FOLDING_MODES)}")
    return [_folded_back(tape, node, dy, pads, x, mode), *others]


def _inner(tape: Tape, dy: ir.Value, pads: np.ndarray, x: ir.Value) -> ir.Value:
    added = np.maximum(pads, 0)
    axes = [axis for axis in range(pads.shape[1]) if added[:, axis].any()]
    value = dy
    if axes:
        dims = list(shape_of(dy))
        for axis in axes:
            dim = dims[axis]
            inner = dim - int(added[:, axis].sum()) if isinstance(dim, int) else shape_of(x)[axis]
            dims[axis] = inner
        ends = [-int(added[1, axis]) or 2**31 - 1 for axis in axes]
        bounds = [[int(added[0, axis]) for axis in axes], ends, axes]
        value = tape.op("Slice", [dy, *(tape.ints(part, "bounds") for part in bounds)], like=dy, shape=dims)
    return padded(tape, value, np.maximum(-pads, 0), x)


def _folded_back(
    tape: Tape, node: ir.Node, dy: ir.Value, pads: np.ndarray, x: ir.Value, mode: str
) -> ir.Value:
    rank = len(shape_of(x))
    value = dy
    for axis in range(rank):
        if not pads[:, axis].any():
            continue
        size = shape_of(x)[axis]
        if axis < rank - 2 or not isinstance(size, int) or (pads[:, axis] < 0).any():
            raise refusal(
                node,
                f"mode is {mode} and pads of axis {axis} are {pads[:, axis].tolist()}",
                "pad the last two axes alone, of known size and by positive pads, or use mode constant",
            )
        sources = np.pad(np.arange(size), tuple(pads[:, axis].tolist()), mode)  # type: ignore[call-overload]
        matrix = np.equal.outer(np.arange(size), sources).astype(dtype_of(x).numpy())
        value = _times(tape, value, matrix, rank - axis)
    return value


def _times(tape: Tape, value: ir.Value, matrix: np.ndarray, from_the_end: int) -> ir.Value:
    """The matrix [size, padded size] times the value along the last axis but one, or along the last."""
    dims = list(shape_of(value))
    dims[-from_the_end] = matrix.shape[0]
    if from_the_end == 2:
        inputs = [tape.constant(matrix, "folding"), value]
    else:
        inputs = [value, tape.constant(np.ascontiguousarray(matrix.T), "folding")]
    return tape.op("MatMul", inputs, like=value, shape=dims)


def _pads(tape: Tape, node: ir.Node, x: ir.Value) -> np.ndarray:
    """[begins, ends] for every axis."""
    rank = len(shape_of(x))
    given = tape.constant_of(node.inputs[1])
    axes_given = node.inputs[3] if len(node.inputs) > 3 else None
    axes = np.arange(rank) if axes_given is None else tape.constant_of(axes_given)
    if given is None or axes is None:
        raise refusal(node, "its pads are computed while the model runs", "make them constant")
    pads = np.zeros((2, rank), np.int64)
    pads[:, axes] = given.reshape(2, -1)
    return pads
