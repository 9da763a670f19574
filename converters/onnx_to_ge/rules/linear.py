"""Matrix products."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...ge_ir import DataType, Shape
from ...ge_ops.forms import FEWER_AXES
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule

_INTEGERS = (DataType.INT32, DataType.INT64, DataType.UINT32, DataType.UINT64)


@rule("MatMul")
def mat_mul(node: OnnxNode) -> None:
    """MatMul(A, B) becomes BatchMatMulV2(x1, x2), adj_x1 and adj_x2 false.

    A vector A [K] becomes [1, K] and B [K] becomes [K, 1] by Unsqueeze; Squeeze takes the axis of 1 away.
    """
    a, b = node.input(0), node.input(1)
    flags = {"adj_x1": False, "adj_x2": False}
    rows, columns = (value.shape is not None and len(value.shape) == 1 for value in (a, b))
    if not rows and not columns:
        node.add("BatchMatMulV2", [a, b], flags)
        return
    operands = [
        _as_matrix(node, a, 0, "row") if rows else a,
        _as_matrix(node, b, 1, "column") if columns else b,
    ]
    axes = [-2] * rows + [-1] * columns
    dtype, shape = node.output_type()
    output = (dtype, _with_ones(shape, axes))
    product = node.add_inner("BatchMatMulV2", "product", operands, output, flags, onnx_form=FEWER_AXES)
    node.add("Squeeze", [product], {"axis": axes})


def _as_matrix(node: OnnxNode, vector: Value, axis: int, suffix: str) -> Value:
    if vector.constant is not None:
        elements = np.expand_dims(vector.constant, axis)
        return node.add_constant(elements, suffix, elements.dtype)
    size = (vector.shape or (-1,))[0]
    shape = (size, 1) if axis else (1, size)
    return node.add_inner("Unsqueeze", suffix, [vector], (vector.dtype, shape), {"axes": [axis]})


def _with_ones(shape: Shape | None, axes: Sequence[int]) -> Shape | None:
    """The shape before Squeeze(axes) of its last axes."""
    if shape is None:
        return None
    if len(axes) == 2:
        return (1, 1)
    return (*shape[:-1], 1, *shape[-1:]) if axes == [-2] else (*shape, 1)


@rule("Gemm")
def gemm(node: OnnxNode) -> None:
    """Gemm(A, B, C) becomes MatMulV2(x1, x2, bias), transA -> transpose_x1, transB -> transpose_x2.

    | ONNX                          | GE                                                          |
    |-------------------------------|-------------------------------------------------------------|
    | C a row, alpha = beta = 1     | MatMulV2(x1, x2, bias)                                      |
    | no C                          | MatMulV2(x1, x2), then Muls(alpha) where it is not 1        |
    | C a row                       | BiasAdd of that and of Muls(C, beta), data_format "NHWC"    |
    | C of the result's shape       | GEMM(a, b, c, alpha, beta), alpha and beta as tensors [1]   |
    | any other C, sizes known      | the same with C expanded first                              |

    A row is [N], or [1, N], [1, 1], [1] or a scalar, which are brought to [N] first. Other C are refused.
    """
    c = node.optional_input(2)
    dtype, _ = node.output_type()
    alpha, beta = node.attr_float("alpha", 1.0), node.attr_float("beta", 1.0)
    if dtype in _INTEGERS and (alpha, beta) != (1, 1):
        node.refuse(
            f"alpha is {alpha:g}, beta {beta:g} of {dtype.label}; only 1 is converted: cast to float32"
        )
    row = None if c is None else _as_row(node, c)
    if c is not None and row is None:
        _general(node, c, alpha, beta)
    elif row is not None and alpha == beta == 1:
        node.add(
            "MatMulV2", [node.input(0), node.input(1), row], _flags(node, "transpose_x1", "transpose_x2")
        )
    elif row is not None:
        scaled = row
        if beta != 1:
            scaled = node.add_inner("Muls", "beta", [row], (row.dtype, row.shape), {"value": beta})
        product = _product(node)
        if alpha != 1:
            product = node.add_inner("Muls", "alpha", [product], node.output_type(), {"value": alpha})
        node.add("BiasAdd", [product, scaled], {"data_format": "NHWC"})
    elif alpha == 1:
        node.add("MatMulV2", [node.input(0), node.input(1)], _flags(node, "transpose_x1", "transpose_x2"))
    else:
        node.add("Muls", [_product(node)], {"value": alpha})


def _product(node: OnnxNode) -> Value:
    """A B, to be scaled or added to."""
    flags = _flags(node, "transpose_x1", "transpose_x2")
    return node.add_inner("MatMulV2", "product", [node.input(0), node.input(1)], node.output_type(), flags)


def _flags(node: OnnxNode, *names: str) -> dict[str, bool]:
    return dict(zip(names, (bool(node.attr_int(name, 0)) for name in ("transA", "transB")), strict=True))


def _as_row(node: OnnxNode, c: Value) -> Value | None:
    """C as [N] where it is the same for every row of the result, else None."""
    _, shape = node.output_type()
    columns = shape[1] if shape is not None and len(shape) == 2 else -1
    if c.shape is None or columns < 0 or any(size != 1 for size in c.shape[:-1]):
        return None
    last = c.shape[-1] if c.shape else 1
    if c.shape == (columns,):
        return c
    if last == columns:
        return node.add_reshaped(c, "row", (columns,))
    if last == 1:
        flat = c if len(c.shape) < 2 else node.add_reshaped(c, "flat", (1,))
        sizes = node.add_constant([columns], "row_shape")
        return node.add_inner("Expand", "row", [flat, sizes], (c.dtype, (columns,)))
    return None


def _general(node: OnnxNode, c: Value, alpha: float, beta: float) -> None:
    dtype = np.dtype(c.dtype.numpy)
    for name, factor in (("alpha", alpha), ("beta", beta)):
        if dtype.kind == "f" and float(dtype.type(factor)) != factor:
            node.refuse(
                f"{name} is {factor:g}, which {c.dtype.label} cannot hold; GEMM has it in the type of C: "
                "cast the node to float32, or scale an operand beforehand"
            )
    factors = [node.add_constant([alpha], "alpha", dtype), node.add_constant([beta], "beta", dtype)]
    operands = [node.input(0), node.input(1), _expanded(node, c), *factors]
    node.add("GEMM", operands, _flags(node, "transpose_a", "transpose_b"))


def _expanded(node: OnnxNode, c: Value) -> Value:
    dtype, shape = node.output_type()
    if c.shape == shape and shape is not None:
        return c
    if shape is None or -1 in shape:
        node.refuse(f"C of shape {c.shape} spreads over a result of unknown size; fix the shapes, or use Add")
    return node.add_inner("Expand", "c", [c, node.add_constant(shape, "shape", np.int64)], (dtype, shape))
