"""What GE's own files leave to their loader, written out."""

from __future__ import annotations

from dataclasses import replace

from .graph import Edge, Graph, Node
from .keys import DATA_INDEX, DATA_TYPES, NET_OUTPUT


def completed(graph: Graph) -> Graph:
    """The graph with an index on every Data, and NetOutput's inputs as its outputs.

    GE counts a Data without an index. It obeys NetOutput: it lists an output once that a graph returns twice,
    and in compiled files none.
    """
    data = [node for node in graph.nodes if node.type in DATA_TYPES]
    missing = {node.name: place for place, node in enumerate(data) if DATA_INDEX not in node.attrs}
    if missing:
        graph = replace(graph, nodes=[_indexed(node, missing) for node in graph.nodes])
    returned = net_outputs(graph)
    return graph if returned is None else replace(graph, outputs=returned)


def net_outputs(graph: Graph) -> tuple[Edge, ...] | None:
    """What the graph's NetOutput takes, or None where it has none."""
    node = next((node for node in graph.nodes if node.type == NET_OUTPUT), None)
    return None if node is None else tuple(edge for edge in node.inputs if edge is not None)


def _indexed(node: Node, missing: dict[str, int]) -> Node:
    if node.name not in missing or node.type not in DATA_TYPES:
        return node
    return replace(node, attrs={**node.attrs, DATA_INDEX: missing[node.name]})
