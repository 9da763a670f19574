"""Walking the nodes of an ONNX model: its graph, the graphs inside its nodes, and its functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto


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


def default_opset(model: ModelProto) -> int | None:
    """The opset version of the standard operators, or None where the model imports none.

    Where both spellings of the domain are imported, the last counts, as in ONNX Runtime's and ATC's parsers.
    """
    versions = [entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")]
    return versions[-1] if versions else None
