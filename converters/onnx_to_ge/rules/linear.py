"""Matrix products."""

from __future__ import annotations

import numpy as np

from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule


@rule("MatMul")
def mat_mul(node: OnnxNode) -> None:
    """MatMul(A, B) becomes BatchMatMulV2(x1, x2) with adj_x1 = adj_x2 = false, for operands of two axes and
    more."""
    a, b = node.input(0), node.input(1)
    for value in (a, b):
        if value.shape is not None and len(value.shape) < 2:
            node.refuse(
                f"an operand is {len(value.shape)}-D; BatchMatMulV2 takes two axes and more: reshape it"
            )
    node.add("BatchMatMulV2", [a, b], {"adj_x1": False, "adj_x2": False})


@rule("Gemm")
def gemm(node: OnnxNode) -> None:
    """Gemm(A, B, C) becomes MatMulV2(x1, x2, bias), transA -> transpose_x1, transB -> transpose_x2.

    Where alpha or beta is not 1, or C is no row [N]: GEMM(a, b, c, alpha, beta), with C expanded to the
    result's shape, alpha and beta as tensors [1]. Refused: alpha other than 1 without C, and a C to expand to
    sizes that are not known.
    """
    a, b, c = node.input(0), node.input(1), node.optional_input(2)
    alpha, beta = node.attr_float("alpha", 1.0), node.attr_float("beta", 1.0)
    transposed = bool(node.attr_int("transA", 0)), bool(node.attr_int("transB", 0))
    if alpha == 1 and (c is None or (beta == 1 and _is_row(node, c))):
        operands = [a, b] if c is None else [a, b, c]
        node.add("MatMulV2", operands, {"transpose_x1": transposed[0], "transpose_x2": transposed[1]})
        return
    if c is None:
        node.refuse(f"alpha is {alpha:g} and C is missing; scale with a Mul instead")
    dtype = c.dtype.numpy
    node.add(
        "GEMM",
        [
            a,
            b,
            _expanded(node, c),
            node.add_constant([alpha], "alpha", dtype),
            node.add_constant([beta], "beta", dtype),
        ],
        {"transpose_a": transposed[0], "transpose_b": transposed[1]},
    )


def _is_row(node: OnnxNode, c: Value) -> bool:
    """Whether C has one axis of N elements, not one element that spreads over a row."""
    _, shape = node.output_type()
    return c.shape is not None and len(c.shape) == 1 and shape is not None and c.shape[0] == shape[1]


def _expanded(node: OnnxNode, c: Value) -> Value:
    dtype, shape = node.output_type()
    if c.shape == shape and shape is not None and -1 not in shape:
        return c
    if shape is None or -1 in shape:
        node.refuse(
            f"C of shape {c.shape} spreads over a result of unknown size; fix the shapes, or add it with Add"
        )
    return node.add_inner("Expand", "c", [c, node.add_constant(shape, "shape", np.int64)], (dtype, shape))
