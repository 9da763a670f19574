"""A graph's ends: the Data nodes that give its inputs, and the NetOutput that takes its outputs."""

from __future__ import annotations

from collections.abc import Sequence

from .graph import Edge, Graph, Node
from .keys import DATA_INDEX, DATA_TYPES, NET_OUTPUT


def data_nodes(graph: Graph) -> list[Node]:
    """The Data nodes in the order of their index."""
    return sorted((node for node in graph.nodes if node.type in DATA_TYPES), key=_index)


def net_outputs(graph: Graph) -> tuple[Edge, ...] | None:
    """What the graph's NetOutput takes, or None where it has none."""
    node = _net_output(graph)
    return None if node is None else tuple(edge for edge in node.inputs if edge is not None)


def output_names(graph: Graph) -> Sequence[str]:
    """What the descriptions on NetOutput call the graph's outputs; "" where they say nothing."""
    node = _net_output(graph)
    if node is None or tuple(node.inputs) != tuple(graph.outputs):
        return [""] * len(graph.outputs)
    return [desc.name for desc in node.input_descs.values()][: len(graph.outputs)]


def _net_output(graph: Graph) -> Node | None:
    return next((node for node in graph.nodes if node.type == NET_OUTPUT), None)


def _index(node: Node) -> int:
    index = node.attrs.get(DATA_INDEX)
    return index if isinstance(index, int) else 0
