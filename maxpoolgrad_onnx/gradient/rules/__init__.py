"""The gradient rules: one function for each operator of the forward model, a module for each family.

A rule takes the tape, the forward node and the gradients of the node's outputs (None for an output without
one), writes what it needs to the tape and returns the gradients of the node's inputs, in their order: None
where `tape.needs(input)` is false. Its docstring is the formula; what it cannot do it refuses, with a reason.
Throughout, X, W, B, A are inputs, Y is the output, and dV stands for the gradient of V.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir

from . import (
    activation,
    arithmetic,
    average_pooling,
    conv,
    conv_transpose,
    elementwise,
    indexing,
    matrix,
    normalisation,
    padding,
    parts,
    pooling,
    reduction,
    reshaping,
    slicing,
    softmax,
)

Rule = Callable[..., Sequence[ir.Value | None]]

RULES: Mapping[str, Rule] = {
    "Abs": elementwise.absolute,
    "Add": arithmetic.add,
    "AveragePool": average_pooling.average_pool,
    "BatchNormalization": normalisation.batch_normalization,
    "Cast": elementwise.cast_,
    "Ceil": elementwise.no_slope,
    "Clip": activation.clip,
    "Concat": parts.concat,
    "Conv": conv.conv,
    "ConvTranspose": conv_transpose.conv_transpose,
    "Div": arithmetic.div,
    "Dropout": elementwise.identity,
    "Erf": elementwise.erf,
    "Exp": elementwise.exp,
    "Expand": reshaping.expand,
    "Flatten": reshaping.reshape,
    "Floor": elementwise.no_slope,
    "Gather": indexing.gather,
    "GatherElements": indexing.gather_elements,
    "Gemm": matrix.gemm,
    "GlobalAveragePool": average_pooling.global_average_pool,
    "GlobalMaxPool": pooling.global_max_pool,
    "HardSigmoid": activation.hard_sigmoid,
    "HardSwish": activation.hard_swish,
    "Identity": elementwise.identity,
    "LeakyRelu": activation.leaky_relu,
    "Log": elementwise.log,
    "LogSoftmax": softmax.log_softmax,
    "MatMul": matrix.matmul,
    "Max": arithmetic.extremum,
    "MaxPool": pooling.max_pool,
    "Min": arithmetic.extremum,
    "Mul": arithmetic.mul,
    "Neg": elementwise.neg,
    "Pad": padding.pad,
    "Pow": arithmetic.power,
    "Reciprocal": elementwise.reciprocal,
    "ReduceMax": reduction.reduce_extremum,
    "ReduceMean": reduction.reduce_mean,
    "ReduceMin": reduction.reduce_extremum,
    "ReduceSum": reduction.reduce_sum,
    "Relu": activation.relu,
    "Reshape": reshaping.reshape,
    "ScatterElements": indexing.scatter_elements,
    "Sigmoid": activation.sigmoid,
    "Sign": elementwise.no_slope,
    "Slice": slicing.slice_,
    "Softmax": softmax.softmax,
    "Split": parts.split,
    "Sqrt": elementwise.sqrt,
    "Squeeze": reshaping.reshape,
    "Sub": arithmetic.sub,
    "Sum": arithmetic.add,
    "Tanh": activation.tanh,
    "Tile": reshaping.tile,
    "Transpose": reshaping.transpose,
    "Unsqueeze": reshaping.reshape,
    "Where": arithmetic.where,
}

__all__ = ["RULES", "Rule"]
