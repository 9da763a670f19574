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

    Without C, alpha other than 1 becomes a Muls(x) behind it with value = alpha. With C, where alpha or beta
    is not 1 or C is no row [N]: GEMM(a, b, c, alpha, beta), with C expanded to the result's shape, alpha and
    beta as tensors [1]. Refused: a C to expand to sizes that are not known.
    """
    a, b, c = node.input(0), node.input(1), node.optional_input(2)
    alpha, beta = node.attr_float("alpha", 1.0), node.attr_float("beta", 1.0)
    flags = [bool(node.attr_int(name, 0)) for name in ("transA", "transB")]
    transposed = {"transpose_x1": flags[0], "transpose_x2": flags[1]}
    if c is None and alpha != 1:
        product = node.add_inner("MatMulV2", "product", [a, b], node.output_type(), transposed)
        node.add("Muls", [product], {"value": alpha})
    elif c is None:
        node.add("MatMulV2", [a, b], transposed)
    elif alpha == beta == 1 and _is_row(node, c):
        node.add("MatMulV2", [a, b, c], transposed)
    else:
        dtype = c.dtype.numpy
        factors = [node.add_constant([alpha], "alpha", dtype), node.add_constant([beta], "beta", dtype)]
        transposed = {"transpose_a": flags[0], "transpose_b": flags[1]}
        node.add("GEMM", [a, b, _expanded(node, c), *factors], transposed)


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
