"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ge_node import GeNode
from ..registry import rule


@rule("MatMulV2")
def mat_mul_v2(node: GeNode) -> None:
    """MatMulV2(x1, x2, bias) becomes Gemm(A, B, C) with transA, transB."""
    if node.has_input(3):
        node.refuse("offset_w is connected; the host runs MatMulV2 without it")
    transposed = [int(node.attr(name)) for name in ("transpose_x1", "transpose_x2")]
    node.add("Gemm", node.inputs(), transA=transposed[0], transB=transposed[1])


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
