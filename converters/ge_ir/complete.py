"""What older and foreign files leave out of a graph because GE's loader can tell it."""

from __future__ import annotations

from dataclasses import replace

from .graph import Graph, Node
from .keys import DATA_INDEX, DATA_TYPES, NET_OUTPUT


def completed(graph: Graph) -> Graph:
    """The graph with its outputs (NetOutput's inputs) and an index on every Data (its place among them)."""
    data = [node for node in graph.nodes if node.type in DATA_TYPES]
    missing = {node.name: place for place, node in enumerate(data) if DATA_INDEX not in node.attrs}
    if missing:
        graph = replace(graph, nodes=[_indexed(node, missing) for node in graph.nodes])
    if not graph.outputs:
        last = [node for node in graph.nodes if node.type == NET_OUTPUT]
        graph = replace(graph, outputs=[edge for node in last for edge in node.inputs if edge is not None])
    return graph


def _indexed(node: Node, missing: dict[str, int]) -> Node:
    if node.name not in missing or node.type not in DATA_TYPES:
        return node
    return replace(node, attrs={**node.attrs, DATA_INDEX: missing[node.name]})
