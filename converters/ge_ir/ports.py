"""A graph's inputs and outputs, by the names that callers use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from maxpoolgrad_onnx.unique_names import UniqueNames

from .ends import data_nodes, output_names
from .graph import Edge, Graph, ListOf, Node, TensorDesc
from .keys import DIM_NAMES, ONNX_NAME


@dataclass(frozen=True)
class Port:
    """An input or output: its name, the graph's value, GE's description, and names of its unknown sizes."""

    name: str
    edge: Edge
    desc: TensorDesc
    dim_names: Sequence[str] = ()


def input_ports(graph: Graph) -> list[Port]:
    """The Data nodes in the order of their index, each under its name in ONNX, else its own."""
    free = UniqueNames()
    return [
        Port(free.claim(_onnx_name(node)), Edge(node.name), node.output_desc(), _dim_names(node))
        for node in data_nodes(graph)
    ]


def output_ports(graph: Graph) -> list[Port]:
    """What the graph returns, named by NetOutput's descriptions, else after the node that makes it."""
    nodes = {node.name: node for node in graph.nodes}
    free = UniqueNames()
    ports: list[Port] = []
    for edge, name in zip(graph.outputs, output_names(graph), strict=True):
        plain = edge.node if edge.output == 0 else f"{edge.node}:{edge.output}"
        ports.append(Port(free.claim(name or plain), edge, nodes[edge.node].output_desc(edge.output)))
    return ports


def _onnx_name(node: Node) -> str:
    name = node.attrs.get(ONNX_NAME)
    return name if isinstance(name, str) and name else node.name


def _dim_names(node: Node) -> Sequence[str]:
    names = node.attrs.get(DIM_NAMES)
    return [str(item) for item in names.values] if isinstance(names, ListOf) else ()
