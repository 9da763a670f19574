"""Matrix products."""

from __future__ import annotations

import onnx_ir as ir

from ...errors import quoted
from ..refusal import refusal
from ..tape import Tape, shape_of
from .broadcasting import sum_to_operand


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
    """dA = dY B^T, dB = A^T dY on the last two axes, each summed over leading axes that were repeated."""
    a, b = node.inputs
    assert a is not None
    assert b is not None
    for operand in (a, b):
        if len(shape_of(operand)) < 2:
            raise refusal(
                node,
                f"{quoted(operand.name)} has {len(shape_of(operand))} dimension",
                "give it a second one (Unsqueeze, or a Reshape to a row or a column)",
            )
    if len(shape_of(a)) == len(shape_of(b)) == 2:
        return [
            _product(tape, dy, b, False, True, 1.0, a) if tape.needs(a) else None,
            _product(tape, a, dy, True, False, 1.0, b) if tape.needs(b) else None,
        ]
    return [
        _batched(tape, node, dy, _transposed(tape, b), a) if tape.needs(a) else None,
        _batched(tape, node, _transposed(tape, a), dy, b) if tape.needs(b) else None,
    ]


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


def _batched(tape: Tape, node: ir.Node, left: ir.Value, right: ir.Value, operand: ir.Value) -> ir.Value:
    """left right for stacks of matrices, summed to the stack of `operand`."""
    stack = shape_of(node.outputs[0])[:-2]
    full = [*stack, *shape_of(operand)[-2:]]
    return sum_to_operand(tape, node, tape.op("MatMul", [left, right], like=operand, shape=full), operand)


def _transposed(tape: Tape, value: ir.Value) -> ir.Value:
    dims = shape_of(value)
    axes = [*range(len(dims) - 2), len(dims) - 1, len(dims) - 2]
    return tape.op(
        "Transpose", [value], like=value, shape=[dims[axis] for axis in axes], attributes={"perm": axes}
    )
