"""Small forward models written as text; steps run in float64."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper, parser
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import reference
from maxpoolgrad_onnx.arrays import Array
from support_float64 import WHOLE


def forward_model(
    nodes: str,
    weights: Mapping[str, Array],
    *,
    inputs: str = "float[2,3,6,6] x",
    outputs: str = "float[2,4] logits",
    opset: int = 18,
) -> onnx.ModelProto:
    """A model in ONNX's textual syntax, its initializers given as arrays."""
    header = f'<ir_version: 8, opset_import: ["": {opset}]>'
    model = parser.parse_model(f"{header} g ({inputs}) => ({outputs}) {{ {nodes} }}")
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in weights.items())
    return model


def named_nodes(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same model, each node named after its first output."""
    for node in model.graph.node:
        node.name = node.output[0]
    return model


def op_types(model: onnx.ModelProto) -> list[str]:
    return [node.op_type for node in model.graph.node]


def only(model: onnx.ModelProto, op_type: str) -> onnx.NodeProto:
    """The one node of a type."""
    (node,) = [node for node in model.graph.node if node.op_type == op_type]
    return node


def attributes_of(node: onnx.NodeProto) -> dict[str, Any]:
    return {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}


def in_float64(step: onnx.ModelProto) -> onnx.ModelProto:
    """A float32 model with every float32 made float64, for finite differences."""
    double = onnx.ModelProto()
    double.CopyFrom(step)
    for value in (*double.graph.input, *double.graph.output, *double.graph.value_info):
        if value.type.tensor_type.elem_type == TensorProto.FLOAT:
            value.type.tensor_type.elem_type = TensorProto.DOUBLE
    for tensor in double.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            array = numpy_helper.to_array(tensor).astype(np.float64)
            tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
    for node in (*double.graph.node, *(node for function in double.functions for node in function.node)):
        for attribute in node.attribute:
            if node.op_type == "Cast" and attribute.i == TensorProto.FLOAT:
                attribute.i = TensorProto.DOUBLE
    return double


def evaluate_in_float64(step: onnx.ModelProto, feeds: Mapping[str, Array]) -> dict[str, Array]:
    """A model's outputs by name from onnx's reference evaluator, with pools that are right in every form."""
    evaluator = ReferenceEvaluator(in_float64(step), new_ops=[MaxPool, MaxPoolV3Grad, *WHOLE])
    results: Sequence[Array] = evaluator.run(None, dict(feeds))  # type: ignore[assignment]
    return dict(zip(evaluator.output_names, results, strict=True))


class MaxPool(OpRun):
    """2-D max pooling in any form: the evaluator's own is wrong in many of ceil_mode and auto_pad."""

    def _run(  # type: ignore[override]
        self, x: Array, kernel_shape=(), strides=(), pads=(), auto_pad="NOTSET", ceil_mode=0, **_: Any
    ) -> tuple[Array]:
        strides, pads = strides or [1, 1], pads or [0, 0, 0, 0]
        begins, counts = [], []
        for axis, size in enumerate(x.shape[2:]):
            kernel, stride = kernel_shape[axis], strides[axis]
            begin, end = pads[axis], pads[axis + 2]
            if auto_pad.startswith("SAME"):
                total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
                begin = total // 2 if auto_pad == "SAME_UPPER" else total - total // 2
                end = total - begin
            room = size + begin + end - kernel
            count = (-(-room // stride) if ceil_mode else room // stride) + 1
            counts.append(count - 1 if (count - 1) * stride >= size + begin else count)
            begins.append(begin)
        y = np.empty((*x.shape[:2], *counts))
        for i, j in np.ndindex(*counts):
            y[:, :, i, j] = self._window(x, (i, j), begins, kernel_shape, strides).max(axis=(2, 3))
        return (y,)

    def _window(
        self,
        x: Array,
        at: tuple[int, int],
        begins: Sequence[int],
        kernel: Sequence[int],
        strides: Sequence[int],
    ) -> Array:
        starts = [o * s - b for o, s, b in zip(at, strides, begins, strict=True)]
        return x[:, :, *(slice(max(a, 0), a + k) for a, k in zip(starts, kernel, strict=True))]


class MaxPoolV3Grad(OpRun):
    """The operator in float64: the NumPy oracle routes ones, a window at a time, which weigh the gradient."""

    op_domain = mpg.DOMAIN

    def _run(self, x: Array, y: Array, grad: Array, **attributes: Any) -> tuple[Array]:  # type: ignore[override]
        total = np.zeros(x.shape)
        ranks = np.argsort(np.argsort(x, axis=None)).reshape(x.shape).astype(np.float32)  # exact in float32
        rank_of = dict(zip(x.ravel(), ranks.ravel(), strict=True))
        peaks = np.vectorize(rank_of.__getitem__)(y).astype(np.float32)
        for at in np.ndindex(*y.shape[2:]):
            one = np.zeros(y.shape, np.float32)
            one[:, :, *at] = 1
            route = reference.max_pool_v3_grad(ranks, peaks, one, **_decoded(attributes))
            total += route * grad[:, :, *at][:, :, None, None]
        return (total,)


def _decoded(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v.decode() if isinstance(v, bytes) else v for k, v in attributes.items()}
