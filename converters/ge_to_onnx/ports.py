"""A graph's inputs and outputs, by the names that callers use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from maxpoolgrad_onnx.unique_names import UniqueNames

from ..ge_ir import Edge, Graph, ListOf, Node, TensorDesc
from ..ge_ir.keys import DATA_INDEX, DATA_TYPES, DIM_NAMES, NET_OUTPUT


@dataclass(frozen=True)
class Port:
    """An input or output: its name, the graph's value, GE's description, and names of its unknown sizes."""

    name: str
    edge: Edge
    desc: TensorDesc
    dim_names: Sequence[str] = ()


def input_ports(graph: Graph) -> list[Port]:
    """The Data nodes in the order of their index, each under its own name."""
    data = sorted((node for node in graph.nodes if node.type in DATA_TYPES), key=_index)
    return [Port(node.name, Edge(node.name), node.output_desc(), _dim_names(node)) for node in data]


def output_ports(graph: Graph) -> list[Port]:
    """What the graph returns, named by NetOutput's descriptions, else after the node that makes it."""
    nodes = {node.name: node for node in graph.nodes}
    names = _names_at_the_end(graph)
    free = UniqueNames()
    ports: list[Port] = []
    for edge, name in zip(graph.outputs, names, strict=True):
        plain = edge.node if edge.output == 0 else f"{edge.node}:{edge.output}"
        ports.append(Port(free.claim(name or plain), edge, nodes[edge.node].output_desc(edge.output)))
    return ports


def _names_at_the_end(graph: Graph) -> list[str]:
    """What NetOutput's descriptions call the outputs; "" where they say nothing."""
    for node in graph.nodes:
        if node.type == NET_OUTPUT and tuple(node.inputs) == tuple(graph.outputs):
            return [desc.name for desc in node.input_descs.values()][: len(graph.outputs)]
    return [""] * len(graph.outputs)


def _index(node: Node) -> int:
    index = node.attrs.get(DATA_INDEX, 0)
    return index if isinstance(index, int) else 0


def _dim_names(node: Node) -> Sequence[str]:
    names = node.attrs.get(DIM_NAMES)
    return [str(item) for item in names.values] if isinstance(names, ListOf) else ()
