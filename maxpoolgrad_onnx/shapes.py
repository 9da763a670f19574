"""Shape inference that sees through the operator, whatever onnx's schema registry holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import onnx
import onnx.helper
import onnx.shape_inference

from .contract import is_max_pool_v3_grad
from .errors import MaxPoolGradError
from .model_files import ModelOrPath, as_model
from .node_types import infer_node
from .nodes import all_nodes
from .opsets import NEWEST_OPSET, default_opset
from .values import typed_values

LONGEST_PROPAGATED = 100_000
"""onnx keeps a message for every element of a vector whose values it propagates: no shape is this long, and a
vector of 2^40 elements would take all memory."""


@dataclass(frozen=True)
class TypedNode:
    """A MaxPoolV3Grad node with the types of its inputs and its output; None where unknown."""

    node: onnx.NodeProto
    inputs: list[onnx.TypeProto | None]
    output: onnx.TypeProto | None


def infer_shapes(model: ModelOrPath) -> onnx.ModelProto:
    """A copy of the model with the types and shapes of its values, as far as they follow from the inputs'.

    Raises MaxPoolGradError for a MaxPoolV3Grad node that the operator refuses by what is known of its inputs,
    and for a path that cannot be read.
    """
    inferred = infer_types(as_model(model))
    for typed in typed_pool_nodes(inferred):
        infer_node(typed.node, typed.inputs)
    return inferred


def infer_types(model: onnx.ModelProto) -> onnx.ModelProto:
    """As `infer_shapes`, but refused nodes stay unnoticed.

    Raises MaxPoolGradError where onnx cannot even begin, as with a model above protobuf's 2 GiB.
    """
    try:
        inferred = inferred_by_onnx(stand_in_for(model))
    except Exception as error:  # onnx's own and protobuf's have no common base
        sentence = f"onnx cannot infer the model's shapes: {error}"
        raise MaxPoolGradError(sentence, code="E10041") from error
    for node, original in zip(all_nodes(inferred), all_nodes(model), strict=True):
        if is_max_pool_v3_grad(original):
            node.CopyFrom(original)
    del inferred.opset_import[:]
    inferred.opset_import.extend(model.opset_import)
    return inferred


def inferred_by_onnx(model: onnx.ModelProto) -> onnx.ModelProto:
    """Inference with the values of shape computations, which a Reshape by them needs, where that is safe."""
    inferred = onnx.shape_inference.infer_shapes(model)
    if _longest_vector(inferred) > LONGEST_PROPAGATED:
        return inferred
    return onnx.shape_inference.infer_shapes(model, data_prop=True)


def _longest_vector(model: onnx.ModelProto) -> int:
    """The length of the longest tensor of one dimension, as far as lengths are known."""
    graph = model.graph
    shapes = [value.type.tensor_type.shape for value in typed_values(graph)]
    lengths = [shape.dim[0].dim_value for shape in shapes if len(shape.dim) == 1]
    lengths.extend(tensor.dims[0] for tensor in graph.initializer if len(tensor.dims) == 1)
    return max(lengths, default=0)


def stand_in_for(model: onnx.ModelProto) -> onnx.ModelProto:
    """A copy in which every MaxPoolV3Grad is Identity of orig_input: the same types, and known to onnx."""
    stand_in = onnx.ModelProto()
    stand_in.CopyFrom(model)
    if default_opset(stand_in) is None:
        stand_in.opset_import.append(onnx.helper.make_opsetid("", NEWEST_OPSET))
    for node in all_nodes(stand_in):
        if is_max_pool_v3_grad(node):
            _become_identity(node)
    return stand_in


def typed_pool_nodes(inferred: onnx.ModelProto) -> Iterator[TypedNode]:
    """Every MaxPoolV3Grad node of a model with inferred types; in functions none are known."""
    yield from _typed_in_graph(inferred.graph, {})
    for function in inferred.functions:
        yield from _typed(function.node, {})


def _become_identity(node: onnx.NodeProto) -> None:
    if not node.input:
        return  # refused for that, in the contract's words; onnx would speak of the Identity
    stand_in = onnx.helper.make_node("Identity", node.input[:1], node.output[:1], name=node.name)
    node.CopyFrom(stand_in)


def _typed_in_graph(graph: onnx.GraphProto, outer: Mapping[str, onnx.TypeProto]) -> Iterator[TypedNode]:
    types = dict(outer)
    for tensor in graph.initializer:
        types[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
    types |= {value.name: value.type for value in typed_values(graph)}
    yield from _typed(graph.node, types)


def _typed(nodes: Iterable[onnx.NodeProto], types: Mapping[str, onnx.TypeProto]) -> Iterator[TypedNode]:
    for node in nodes:
        if is_max_pool_v3_grad(node):
            output = types.get(node.output[0]) if node.output else None
            yield TypedNode(node, [types.get(name) for name in node.input], output)
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                yield from _typed_in_graph(graph, types)
