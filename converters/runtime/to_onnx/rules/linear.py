"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ge_node import GeNode
from ..registry import rule


@rule("MatMulV2")
def mat_mul_v2(node: GeNode) -> None:
    """MatMulV2(x1, x2, bias) becomes Gemm(A, B, C) with transA, transB; one that a Muls scales is left to
    that."""
    if node.has_input(3):
        node.refuse("offset_w is connected; the host runs MatMulV2 without it")
    transposed = _transposed(node)
    if not _is_scaled(node):
        node.add("Gemm", node.inputs(), **transposed)


@rule("Muls")
def muls(node: GeNode) -> None:
    """Muls(MatMulV2(x1, x2)) becomes Gemm(A, B) with alpha = value; any other Muls(x) becomes Mul by a
    scalar."""
    value, product = node.attr("value"), node.producer(0)
    if product.type == "MatMulV2" and _is_scaled(product):
        node.add("Gemm", product.inputs(), alpha=value, **_transposed(product))
        return
    dtype = node.input_desc(0).dtype.numpy
    node.add("Mul", [node.input(0), node.add_constant(np.array(value, dtype), "value")])


def _is_scaled(product: GeNode) -> bool:
    """Whether the product has no bias and goes to one Muls and nowhere else."""
    return product.input_count == 2 and product.consumer_types() == ["Muls"]


def _transposed(node: GeNode) -> dict[str, Any]:
    return {"transA": int(node.attr("transpose_x1")), "transB": int(node.attr("transpose_x2"))}


@rule("BatchMatMulV2")
def batch_mat_mul(node: GeNode) -> None:
    """BatchMatMulV2(x1, x2) becomes MatMul(A, B); adjoint operands and a bias are refused."""
    if node.attr("adj_x1") or node.attr("adj_x2") or node.has_input(2):
        node.refuse("adj_x1, adj_x2 or a bias is set; the host runs the plain product only")
    node.add("MatMul", node.inputs())


@rule("GEMM")
def gemm(node: GeNode) -> None:
    """GEMM(a, b, c, alpha, beta) with constant factors becomes Gemm(A, B, C) with alpha, beta, transA,
    transB."""
    factors: dict[str, Any] = {
        name: float(np.ravel(node.constant(i, name))[0]) for i, name in ((3, "alpha"), (4, "beta"))
    }
    transposed: dict[str, Any] = {
        "transA": int(node.attr("transpose_a")),
        "transB": int(node.attr("transpose_b")),
    }
    node.add("Gemm", [node.input(i) for i in range(3)], **factors, **transposed)
