"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ge_node import GeNode
from ..registry import rule
from .fewer_axes import FewerAxes


@rule("MatMulV2")
def mat_mul_v2(node: GeNode) -> None:
    """MatMulV2(x1, x2, bias) becomes Gemm(A, B, C), transA, transB, unless Muls or BiasAdd complete it."""
    if node.has_input(3):
        node.refuse("offset_w is connected; the host runs MatMulV2 without it")
    transposed = _transposed(node)
    if not _is_completed(node):
        node.add("Gemm", node.inputs(), **transposed)


@rule("Muls")
def muls(node: GeNode) -> None:
    """Muls(MatMulV2(x1, x2)) becomes Gemm(A, B) with alpha = value, unless a BiasAdd completes it.

    The Muls on the bias of such a BiasAdd is its beta. Any other Muls(x) becomes Mul by a scalar.
    """
    value, product = node.attr("value"), _product_of(node)
    if product is not None:
        if not _is_completed(node):
            node.add("Gemm", product.inputs(), alpha=value, **_transposed(product))
    elif not _is_beta(node):
        factor = np.array(value, node.input_dtype(0))
        node.add("Mul", [node.input(0), node.add_constant(factor, "value")])


@rule("BiasAdd")
def bias_add(node: GeNode) -> None:
    """BiasAdd of a MatMulV2 and a row, each scaled by a Muls or not, becomes Gemm(A, B, C) with alpha, beta.

    Any other BiasAdd with data_format "NHWC" becomes Add.
    """
    if node.attr("data_format") != "NHWC":
        node.refuse("data_format is not 'NHWC'; the host adds a bias to the last axis only")
    product = _product_of(node)
    if product is None:
        node.add("Add", node.inputs())
        return
    left, right = node.producer(0), node.producer(1)
    alpha = left.attr("value") if left.type == "Muls" else 1.0
    beta, bias = (right.attr("value"), right.input(0)) if _is_beta(right) else (1.0, node.input(1))
    node.add("Gemm", [*product.inputs(), bias], alpha=alpha, beta=beta, **_transposed(product))


def _is_completed(node: GeNode) -> bool:
    """Whether a product, scaled or not, goes to one node alone that the rule for Gemm puts behind it."""
    if node.type == "MatMulV2":
        return node.input_count == 2 and node.consumer_ports() in ([("Muls", 0)], [("BiasAdd", 0)])
    return node.consumer_ports() == [("BiasAdd", 0)]


def _product_of(node: GeNode) -> GeNode | None:
    """The MatMulV2 that a Muls or BiasAdd completes."""
    source = node.producer(0)
    if node.type == "BiasAdd" and source.type == "Muls" and _is_completed(source):
        source = source.producer(0)
    return source if source.type == "MatMulV2" and _is_completed(source) else None


def _is_beta(node: GeNode) -> bool:
    """Whether it scales the bias of a BiasAdd that completes a product, and does nothing else."""
    if node.type != "Muls" or node.consumer_ports() != [("BiasAdd", 1)]:
        return False
    return _product_of(node.consumers()[0]) is not None


def _transposed(node: GeNode) -> dict[str, Any]:
    return {"transA": int(node.attr("transpose_x1")), "transB": int(node.attr("transpose_x2"))}


@rule("BatchMatMulV2")
def batch_mat_mul(node: GeNode) -> None:
    """BatchMatMulV2(x1, x2) becomes MatMul(A, B), of vectors too (see FewerAxes).

    Adjoint operands and a bias are refused.
    """
    if node.attr("adj_x1") or node.attr("adj_x2") or node.has_input(2):
        node.refuse("adj_x1, adj_x2 or a bias is set; the host runs the plain product only")
    vectors = FewerAxes.of(node)
    if vectors is None:
        node.add("MatMul", node.inputs())
    else:
        vectors.end.add("MatMul", [vectors.input(node, index) for index in range(2)])


@rule("GEMM")
def gemm(node: GeNode) -> None:
    """GEMM(a, b, c, alpha, beta), factors constant, becomes Gemm(A, B, C), alpha, beta, transA, transB."""
    node.add(
        "Gemm",
        [node.input(i) for i in range(3)],
        alpha=float(node.scalar(3, "alpha")),
        beta=float(node.scalar(4, "beta")),
        transA=int(node.attr("transpose_a")),
        transB=int(node.attr("transpose_b")),
    )
