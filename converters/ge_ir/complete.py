"""What GE's own files leave to their loader, written out."""

from __future__ import annotations

from dataclasses import replace

from .ends import net_outputs
from .graph import Graph, Node
from .keys import DATA_INDEX, DATA_TYPES


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


def _indexed(node: Node, missing: dict[str, int]) -> Node:
    if node.name not in missing or node.type not in DATA_TYPES:
        return node
    return replace(node, attrs={**node.attrs, DATA_INDEX: missing[node.name]})
