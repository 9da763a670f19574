"""Activations that have attributes; those without stand in the table DIRECT."""

from __future__ import annotations

import numpy as np

from ...ge_ir import DataType
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule

_SPREAD = (DataType.FLOAT, DataType.FLOAT16, DataType.BF16, DataType.INT32, DataType.INT64)
_CHAINED = (DataType.INT8, DataType.UINT8)


@rule("LeakyRelu")
def leaky_relu(node: OnnxNode) -> None:
    """LeakyRelu(X) becomes LeakyRelu(x), alpha -> negative_slope, 0.01 where it is left out."""
    node.add("LeakyRelu", [node.input(0)], {"negative_slope": node.attr_float("alpha", 0.01)})


@rule("HardSigmoid")
def hard_sigmoid(node: OnnxNode) -> None:
    """HardSigmoid(X) becomes HardSigmoid(input_x), alpha and beta alike; left out they are ONNX's 0.2 and
    0.5."""
    factors = {"alpha": node.attr_float("alpha", 0.2), "beta": node.attr_float("beta", 0.5)}
    node.add("HardSigmoid", [node.input(0)], factors)


@rule("Clip")
def clip(node: OnnxNode) -> None:
    """Clip(input, min, max) becomes ClipByValue(x, clip_value_min, clip_value_max), in every opset.

    Bounds given as attributes (below opset 11) become constants of the input's type. A bound left out becomes
    the type's lowest or largest finite number, which is what it means in ONNX: infinity is clipped too.
    int8 and uint8, for which ClipByValue spreads no scalar, become Minimum(Maximum(x, min), max). Refused:
    the other types for which it spreads none.
    """
    x = node.input(0)
    low, high = _bound(node, x, 1, "min"), _bound(node, x, 2, "max")
    if x.dtype in _CHAINED:
        raised = node.add_inner("Maximum", "raised", [x, low], (x.dtype, x.shape))
        node.add("Minimum", [raised, high])
        return
    if x.dtype not in _SPREAD:
        allowed = ", ".join(dtype.label for dtype in (*_SPREAD, *_CHAINED))
        node.refuse(f"it clips {x.dtype.label} to scalars; GE can for {allowed}: cast it before and after")
    node.add("ClipByValue", [x, low, high])


def _bound(node: OnnxNode, x: Value, index: int, name: str) -> Value:
    if node.opset >= 11:
        given = node.optional_input(index)
        if given is not None:
            return given
    elif name in node.attribute_names():
        return node.add_constant(node.attr_float(name, 0.0), name, x.dtype.numpy)
    return node.add_constant(_limit(node, x.dtype, name), name, x.dtype.numpy)


def _limit(node: OnnxNode, dtype: DataType, name: str) -> float | int:
    if dtype.numpy is None or dtype is DataType.BOOL:
        node.refuse(f"it clips {dtype.label}; only numbers are clipped")
    if dtype.numpy.kind in "iu":
        integers = np.iinfo(dtype.numpy)
        return int(integers.min if name == "min" else integers.max)
    largest = float(np.nextafter(np.array(np.inf, dtype.numpy), np.array(0, dtype.numpy)))
    return -largest if name == "min" else largest
