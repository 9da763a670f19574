"""Constant folding: shape arithmetic that exporters leave in a forward model becomes constants."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set

import numpy as np
import onnx
import onnx_ir as ir
import onnx_ir.passes.common as passes
from onnx.reference import ReferenceEvaluator

from ..arrays import Array
from ..errors import quoted
from ..opsets import IR_VERSION
from .soundness import not_sound

_FOLDABLE = (
    *("Add", "Cast", "CastLike", "Concat", "ConstantOfShape", "Div", "Expand", "Gather", "Identity", "Mul"),
    *("Range", "Reshape", "Shape", "Slice", "Squeeze", "Sub", "Transpose", "Unsqueeze"),
)
# The results are stored in the step, so what would make it large stays a node.
_MAX_ELEMENTS = 65536


def fold_constants(graph: ir.Graph, variable: Set[ir.Value]) -> None:
    """Replace, in place, what is computed from constants alone by initializers; Shape of a static shape too.

    Shapes that become known by it (behind a Pad by computed pads) are inferred, and the rest is folded.
    `variable` are the initializers that a training step changes: nothing computed from them is constant.
    """
    while _fold(graph, variable):
        # Not data_prop: onnx keeps a message for every element, and a few bytes may ask for 2^60 of them.
        passes.ShapeInferencePass(data_prop=False)(ir.Model(graph, ir_version=IR_VERSION))


def _fold(graph: ir.Graph, variable: Set[ir.Value]) -> bool:
    """One walk along the nodes; returns whether any was replaced."""
    folded = False
    for node in list(graph):
        if node.domain or node.op_type not in _FOLDABLE or node.outputs[0].is_graph_output():
            continue
        result = _by_types(node, variable)
        if result is None and _reads_constants_only(node.inputs, variable):
            result = _result(node, graph.opset_imports[""])
        if result is not None and result.size <= _MAX_ELEMENTS:
            _replace(graph, node, result)
            folded = True
    return folded


def _by_types(node: ir.Node, variable: Set[ir.Value]) -> Array | None:
    """What needs no more than the type or the shape of an input that is not constant."""
    if node.op_type == "Shape":
        return _static_shape(node)
    if node.op_type == "CastLike" and _reads_constants_only(node.inputs[:1], variable):
        value, like = node.inputs
        if value and value.const_value is not None and like and like.dtype is not None:
            return np.asarray(value.const_value.numpy()).astype(like.dtype.numpy())
    return None


def _static_shape(node: ir.Node) -> Array | None:
    value = node.inputs[0]
    if value is None or value.shape is None:
        return None
    start = node.attributes.get_int("start", 0)
    end = node.attributes.get_int("end", len(value.shape))
    dims = tuple(value.shape)[start:end]
    known = [dim for dim in dims if isinstance(dim, int)]
    return np.array(known, np.int64) if len(known) == len(dims) else None


def _reads_constants_only(inputs: Sequence[ir.Value | None], variable: Set[ir.Value]) -> bool:
    return all(value is None or (value.const_value is not None and value not in variable) for value in inputs)


def _result(node: ir.Node, opset: int) -> Array | None:
    """The one output of a node whose inputs are constants, or None where it is too large to keep."""
    try:
        return None if _grows_too_large(node) else _evaluate(node, opset)
    except Exception as error:  # the reference's have no common base
        subject = f"{node.op_type} node {quoted(node.name or node.outputs[0].name)}"
        raise not_sound(f"{subject} cannot be computed: {error}") from error


def _grows_too_large(node: ir.Node) -> bool:
    """Whether a result has too many elements, told before it is made: a few bytes may ask for 2^60."""
    arrays = [value.const_value.numpy() for value in node.inputs if value is not None and value.const_value]
    match node.op_type:
        case "ConstantOfShape":
            count: float = math.prod(arrays[0].reshape(-1).tolist())
        case "Expand":
            count = math.prod(np.broadcast_shapes(arrays[0].shape, tuple(arrays[1].reshape(-1).tolist())))
        case "Range":
            start, limit, delta = (float(array) for array in arrays)
            count = (limit - start) / delta if delta else 0
        case "Add" | "Div" | "Mul" | "Sub":
            count = math.prod(np.broadcast_shapes(*(array.shape for array in arrays)))
        case "Gather":
            taken = arrays[0].shape[node.attributes.get_int("axis", 0)]
            count = arrays[0].size // max(taken, 1) * arrays[1].size
        case _:
            count = 0  # no more than is there already
    return count > _MAX_ELEMENTS


def _evaluate(node: ir.Node, opset: int) -> Array:
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
