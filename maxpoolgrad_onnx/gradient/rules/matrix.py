"""Matrix products."""

from __future__ import annotations

import math
from collections.abc import Sequence

import onnx_ir as ir

from ..tape import Dim, Tape, shape_of
from .broadcasting import reshaped, restore_shape, sum_to_operand


def gemm(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """Y = alpha A' B' + beta C, where a prime is a transposition if the node says so.

    dA' = alpha dY B'^T, dB' = alpha A'^T dY, each transposed back; dC = beta dY, summed as C was broadcast.
    """
    a, b, c = (*node.inputs, None)[:3]
    assert a is not None
    assert b is not None
    trans_a, trans_b = (bool(node.attributes.get_int(name, 0)) for name in ("transA", "transB"))
    alpha, beta = (node.attributes.get_float(name, 1.0) for name in ("alpha", "beta"))
    da = db = dc = None
    if tape.needs(a):
        left, right = (b, dy) if trans_a else (dy, b)
        flags = (trans_b, True) if trans_a else (False, not trans_b)
        da = _product(tape, left, right, *flags, alpha, a)
    if tape.needs(b):
        left, right = (dy, a) if trans_b else (a, dy)
        flags = (True, trans_a) if trans_b else (not trans_a, False)
        db = _product(tape, left, right, *flags, alpha, b)
    if c is not None and tape.needs(c):
        scaled = dy if beta == 1.0 else tape.op("Mul", [dy, tape.scalar(beta, dy, "beta")], like=dy)
        dc = sum_to_operand(tape, node, scaled, c)
    return [da, db, dc][: len(node.inputs)]


def matmul(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dA = dY B^T, dB = A^T dY on the last two axes, each summed over leading axes that were repeated.

    A vector A is a row and a vector B a column, as in ONNX. Where B is one matrix for all of a stack A, dB is
    one product of the stack's rows.
    """
    a, b = node.inputs
    assert a is not None
    assert b is not None
    rows, columns = _matrix(tape, a, front=True), _matrix(tape, b, front=False)
    stack = shape_of(node.outputs[0])[: max(len(shape_of(rows)), len(shape_of(columns))) - 2]
    grown = dy
    if len(shape_of(a)) == 1 or len(shape_of(b)) == 1:
        full = [*stack, shape_of(rows)[-2], shape_of(columns)[-1]]
        grown = reshaped(tape, node, dy, full)
    da = db = None
    if tape.needs(a):
        da = _restored(tape, _left(tape, node, grown, rows, columns), a)
    if tape.needs(b):
        db = _restored(tape, _right(tape, node, grown, rows, columns), b)
    return [da, db]


def _matrix(tape: Tape, value: ir.Value, *, front: bool) -> ir.Value:
    """A vector [K] as [1, K] (`front`) or [K, 1]; anything else as it is."""
    dims = shape_of(value)
    if len(dims) != 1:
        return value
    axes, shape = ([0], [1, dims[0]]) if front else ([1], [dims[0], 1])
    return tape.op("Unsqueeze", [value, tape.ints(axes, "axes")], like=value, shape=shape)


def _restored(tape: Tape, gradient: ir.Value, operand: ir.Value) -> ir.Value:
    return gradient if len(shape_of(operand)) != 1 else restore_shape(tape, gradient, operand)


def _left(tape: Tape, node: ir.Node, dy: ir.Value, a: ir.Value, b: ir.Value) -> ir.Value:
    """dA."""
    if len(shape_of(dy)) == 2:
        return _product(tape, dy, b, False, True, 1.0, a)
    return _batched(tape, node, dy, _transposed(tape, b), a, shape_of(dy)[:-2])


def _right(tape: Tape, node: ir.Node, dy: ir.Value, a: ir.Value, b: ir.Value) -> ir.Value:
    """dB."""
    if len(shape_of(dy)) == 2:
        return _product(tape, a, dy, True, False, 1.0, b)
    if len(shape_of(b)) == 2:
        pairs = zip((a, dy), shape_of(b), strict=True)
        rows, results = (reshaped(tape, node, value, [_rows(value), width]) for value, width in pairs)
        return _product(tape, rows, results, True, False, 1.0, b)
    return _batched(tape, node, _transposed(tape, a), dy, b, shape_of(dy)[:-2])


def _rows(value: ir.Value) -> Dim:
    """The number of rows in a stack of matrices."""
    known = [dim for dim in shape_of(value)[:-1] if isinstance(dim, int)]
    return math.prod(known) if len(known) == len(shape_of(value)) - 1 else ir.SymbolicDim(None)


def _product(
    tape: Tape,
    left: ir.Value,
    right: ir.Value,
    trans_left: bool,
    trans_right: bool,
    alpha: float,
    like: ir.Value,
) -> ir.Value:
    """alpha left' right' for two matrices: a Gemm, which transposes for nothing."""
    flags = {"transA": int(trans_left), "transB": int(trans_right)}
    attributes = {name: value for name, value in flags.items() if value}
    scale = {} if alpha == 1.0 else {"alpha": alpha}
    return tape.op("Gemm", [left, right], like=like, attributes={**attributes, **scale})


def _batched(
    tape: Tape,
    node: ir.Node,
    left: ir.Value,
    right: ir.Value,
    operand: ir.Value,
    stack: Sequence[Dim],
) -> ir.Value:
    """left right, a stack of matrices, summed to the stack of `operand`."""
    full = [*stack, *shape_of(operand)[-2:]]
    return sum_to_operand(tape, node, tape.op("MatMul", [left, right], like=operand, shape=full), operand)


def _transposed(tape: Tape, value: ir.Value) -> ir.Value:
    dims = shape_of(value)
    axes = [*range(len(dims) - 2), len(dims) - 1, len(dims) - 2]
    return tape.op(
        "Transpose", [value], like=value, shape=[dims[axis] for axis in axes], attributes={"perm": axes}
    )
