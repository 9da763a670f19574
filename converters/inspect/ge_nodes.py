"""The nodes of a GE model, as the report has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from maxpoolgrad_onnx.contract import OP_TYPE

from ..ge_ir import DataType, GeModel, Graph, ListOf, NamedAttrs, Node, Tensor, TensorDesc
from ..ge_ir.keys import CONST_TYPES, CONST_VALUE, DATA_TYPES, NET_OUTPUT
from .report import GraphNode, Port

_LONGEST = 200  # entries of a list, characters of a text


def graph_nodes(model: GeModel, bindings: Mapping[str, str]) -> list[GraphNode]:
    """All nodes, those of the root graph first; `bindings` say which kernel MaxPoolV3Grad nodes have."""
    nodes: list[GraphNode] = []
    for graph in (model.graph, *model.subgraphs):
        first = len(nodes)
        numbers = {node.name: first + at for at, node in enumerate(graph.nodes)}
        name = "" if graph is model.graph else graph.name
        nodes += [_graph_node(node, numbers, name, bindings) for node in graph.nodes]
    return nodes


def port_of(name: str, desc: TensorDesc) -> Port:
    """An input or output with its description."""
    return Port(name, desc.dtype.label, desc.shape, desc.format.label)


def plain(attrs: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes as values that can be printed, cut where they are long."""
    return {name: _plain(value) for name, value in attrs.items()}


def weight_bytes(node: Node) -> int:
    """The size of a Const's elements; of a dump without them, what its description takes."""
    value = node.attrs.get(CONST_VALUE)
    if isinstance(value, Tensor):
        return value.data.nbytes
    desc = next(iter(node.output_descs.values()), None)
    if desc is None or desc.shape is None or min(desc.shape, default=0) < 0:
        return 0
    bits = desc.dtype.bits
    for size in desc.shape:
        bits *= size
    return -(-bits // 8)


def _graph_node(node: Node, numbers: Mapping[str, int], graph: str, bindings: Mapping[str, str]) -> GraphNode:
    ports = [*node.input_descs.items()]
    connected = [
        (port_of(*port), -1 if edge is None else numbers.get(edge.node, -1))
        for port, edge in zip(ports, node.inputs, strict=False)
        if edge is not None
    ]
    attributes = {name: value for name, value in node.attrs.items() if name != CONST_VALUE}
    further = {"waits for": list(node.control_inputs)} if node.control_inputs else {}
    called = {"calls": list(node.subgraphs)} if node.subgraphs else {}
    return GraphNode(
        node.name,
        node.type,
        _kind(node),
        [port for port, _ in connected],
        [source for _, source in connected],
        [port_of(*port) for port in node.output_descs.items()],
        {**plain(attributes), **further, **called},
        bindings.get(node.name, ""),
        graph,
    )


def _kind(node: Node) -> Literal["operator", "pool_grad", "input", "output", "weight"]:
    if node.type in DATA_TYPES:
        return "input"
    if node.type in CONST_TYPES:
        return "weight"
    if node.type == NET_OUTPUT:
        return "output"
    return "pool_grad" if node.type == OP_TYPE else "operator"


def _plain(value: Any) -> Any:
    for kind, show in _SHOWN.items():
        if isinstance(value, kind):
            return show(value)
    return value


def _list(values: Sequence[Any]) -> list[Any]:
    shown = [_plain(item) for item in values[:_LONGEST]]
    more = len(values) - _LONGEST
    return [*shown, f"... {more} more"] if more > 0 else shown


def _text(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"


_SHOWN: Mapping[type, Callable[[Any], Any]] = {
    ListOf: lambda value: _list(value.values),
    tuple: _list,
    str: _text,
    bytes: lambda value: f"{len(value)} bytes",
    DataType: lambda value: value.label,
    Tensor: lambda value: f"tensor {value.desc.dtype.label}{list(value.desc.shape or ())}",
    TensorDesc: lambda value: f"{value.dtype.label}{list(value.shape or ())} {value.format.label}",
    Graph: lambda value: f"graph {value.name} of {len(value.nodes)} nodes",
    NamedAttrs: lambda value: f"{value.name} {plain(value.attrs)}",
}
