"""Walking an ONNX model: its nodes and constants, those of the graphs inside its nodes, and its functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto, TensorProto


def all_nodes(model: ModelProto) -> Iterator[NodeProto]:
    """Every node of the model, in order; a node comes before those of the graphs inside it."""
    yield from nested(model.graph.node)
    for function in model.functions:
        yield from nested(function.node)


def nested(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """The nodes and those of the graphs that they hold as attributes."""
    for node in nodes:
        yield node
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                yield from nested(graph.node)


def all_tensors(model: ModelProto) -> Iterator[TensorProto]:
    """Every constant of the model: initializers, and attributes of nodes, inside nested graphs too."""
    yield from _initializers(model.graph)
    for node in all_nodes(model):
        for attribute in node.attribute:
            yield from (attribute.t, *attribute.tensors)
            for sparse in (attribute.sparse_tensor, *attribute.sparse_tensors):
                yield from (sparse.values, sparse.indices)
            for graph in (attribute.g, *attribute.graphs):
                yield from _initializers(graph)


def _initializers(graph: GraphProto) -> Iterator[TensorProto]:
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
