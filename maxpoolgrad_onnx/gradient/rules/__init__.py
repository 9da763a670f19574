"""The gradient rules: one function for each operator of the forward model, a module for each family.

A rule takes the tape, the forward node and the gradients of the node's outputs (None for an output without
one), writes what it needs to the tape and returns the gradients of the node's inputs, in their order: None
where `tape.needs(input)` is false. Its docstring is the formula; what it cannot do it refuses, with a reason.
Throughout, X, W, B, A are inputs, Y is the output, and dV stands for the gradient of V.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir

from .activation import relu
from .conv import conv
from .elementwise import add
from .matrix import gemm, matmul
from .pooling import max_pool
from .reshaping import reshape

Rule = Callable[..., Sequence[ir.Value | None]]

RULES: Mapping[str, Rule] = {
    "Add": add,
    "Conv": conv,
    "Flatten": reshape,
    "Gemm": gemm,
    "MatMul": matmul,
    "MaxPool": max_pool,
    "Relu": relu,
    "Reshape": reshape,
}

__all__ = ["RULES", "Rule"]
