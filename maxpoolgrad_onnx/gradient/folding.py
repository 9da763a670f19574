"""Constant folding: shape arithmetic that exporters leave in a forward model becomes constants."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import onnx
import onnx_ir as ir
from onnx.reference import ReferenceEvaluator

from ..arrays import Array

_FOLDABLE = (
    *("Add", "Cast", "Concat", "ConstantOfShape", "Div", "Gather", "Identity", "Mul", "Range"),
    *("Reshape", "Shape", "Slice", "Squeeze", "Sub", "Transpose", "Unsqueeze"),
)
# The results are stored in the step, so what would make it large stays a node.
_MAX_ELEMENTS = 65536


def fold_constants(graph: ir.Graph, variable: Set[ir.Value]) -> None:
    """Replace, in place, what is computed from constants alone by initializers; Shape of a static shape too.

    `variable` are the initializers that a training step changes: nothing computed from them is constant.
    """
    for node in list(graph):
        if node.domain or node.op_type not in _FOLDABLE or node.outputs[0].is_graph_output():
            continue
        result = _static_shape(node) if node.op_type == "Shape" else None
        if result is None and _reads_constants_only(node, variable):
            result = _evaluate(node, graph.opset_imports[""])
        if result is not None and result.size <= _MAX_ELEMENTS:
            _replace(graph, node, result)


def _static_shape(node: ir.Node) -> Array | None:
    value = node.inputs[0]
    if value is None or value.shape is None:
        return None
    start = node.attributes.get_int("start", 0)
    end = node.attributes.get_int("end", len(value.shape))
    dims = tuple(value.shape)[start:end]
    known = [dim for dim in dims if isinstance(dim, int)]
    return np.array(known, np.int64) if len(known) == len(dims) else None


def _reads_constants_only(node: ir.Node, variable: Set[ir.Value]) -> bool:
    return all(
        value is None or (value.const_value is not None and value not in variable) for value in node.inputs
    )


def _evaluate(node: ir.Node, opset: int) -> Array:
    """The one output of a node whose inputs are constants."""
    proto = ir.to_proto(node)
    feeds = {
        str(value.name): value.const_value.numpy()
        for value in node.inputs
        if value is not None and value.const_value is not None
    }
    inputs = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.UNDEFINED, None) for name in feeds]
    outputs = [onnx.helper.make_tensor_value_info(proto.output[0], onnx.TensorProto.UNDEFINED, None)]
    graph = onnx.helper.make_graph([proto], "fold", inputs, outputs)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
    results: Sequence[Array] = ReferenceEvaluator(model).run(None, feeds)  # type: ignore[assignment]
    return np.asarray(results[0])


def _replace(graph: ir.Graph, node: ir.Node, result: Array) -> None:
    old = node.outputs[0]
    tensor = ir.tensor(result, name=old.name)
    constant = ir.Value(
        name=old.name, type=ir.TensorType(tensor.dtype), shape=ir.Shape(result.shape), const_value=tensor
    )
    old.replace_all_uses_with(constant)
    graph.remove(node, safe=True)
    graph.register_initializer(constant)
