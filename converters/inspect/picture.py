"""A report's graph as a picture: weights as lines in the boxes of those who read them."""

from __future__ import annotations

from collections.abc import Sequence

from ..pictures import PictureEdge, PictureNode, graph_picture
from .report import GraphNode, Report
from .report_tables import shape_of

_LONGEST = 30  # characters of a name in a box
_KINDS = {"operator": "operator", "pool_grad": "highlight", "input": "value", "output": "value"}


def shown_nodes(report: Report) -> list[int]:
    """The numbers of the nodes that are drawn, in the picture's order."""
    return [number for number, node in enumerate(report.nodes) if node.kind != "weight"]


def picture(report: Report) -> str:
    """The <svg> of the graph; data-node is the place in shown_nodes()."""
    nodes = report.nodes
    drawn = [_picture_node(number, nodes) for number in shown_nodes(report)]
    edges = [
        PictureEdge(str(source), str(number), port.name, tooltip=_tensor(node, at))
        for number, node in enumerate(nodes)
        for at, (source, port) in enumerate(zip(node.sources, node.inputs, strict=True))
        if source >= 0
    ]
    label = f"The graph of {report.file}: {len(drawn)} nodes."
    return graph_picture(drawn, edges, label=label)


def _picture_node(number: int, nodes: Sequence[GraphNode]) -> PictureNode:
    node = nodes[number]
    title = node.name if node.kind == "input" else node.type.rpartition("::")[2]
    lines = [shape_of(port.shape) for port in node.outputs[:1]]
    lines += [
        f"{_short(nodes[source].name)} {shape_of(port.shape)}"
        for source, port in zip(node.sources, node.inputs, strict=True)
        if source >= 0 and nodes[source].kind == "weight"
    ][:3]
    return PictureNode(
        str(number), _short(title), tuple(lines), _KINDS[node.kind], tooltip=f"{node.type} {node.name}"
    )


def _tensor(node: GraphNode, at: int) -> str:
    port = node.inputs[at]
    return f"{port.name} {port.dtype}{shape_of(port.shape)}"


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:10]}...{name[-17:]}"
