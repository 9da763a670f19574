"""What is in a GE graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from maxpoolgrad_onnx.contract import ATTRIBUTES, OP_TYPE

from ..ge_ir import DataType, GeModel, Graph, KernelLaunch, ListOf, Node, Tensor, TensorDesc
from ..ge_ir.ends import data_nodes, output_names
from ..ge_ir.keys import CONST_TYPES, CONST_VALUE
from ..om.metadata import unbound_reason
from .report import PoolNode, Port, Report

_ATTRIBUTES = [name for name, *_ in ATTRIBUTES]


def report_on_ge(
    model: GeModel, file: str, format: str, size: int, launches: Mapping[str, KernelLaunch] | None = None
) -> Report:
    """The report on a GE model that was read from `file`, with the kernels bound to nodes by their names."""
    nodes = [node for graph in (model.graph, *model.subgraphs) for node in graph.nodes]
    weights = [node.attrs[CONST_VALUE] for node in nodes if node.type in CONST_TYPES]
    sizes = [weight.data.nbytes for weight in weights if isinstance(weight, Tensor)]
    return Report(
        file=file,
        format=format,
        bytes=size,
        facts={"model": model.name, "graph": model.graph.name, **_plain(model.attrs)},
        inputs=[_port(node.name, node.output_desc()) for node in data_nodes(model.graph)],
        outputs=list(_outputs(model.graph)),
        operators=dict(Counter(node.type for node in nodes).most_common()),
        weights=len(sizes),
        weight_bytes=sum(sizes),
        pool_nodes=[_pool_node(node, launches or {}) for node in nodes if node.type == OP_TYPE],
    )


def _outputs(graph: Graph) -> Iterator[Port]:
    """The graph's outputs by their own names where a NetOutput's descriptions carry them."""
    nodes = {node.name: node for node in graph.nodes}
    for edge, name in zip(graph.outputs, output_names(graph), strict=True):
        yield _port(name or f"{edge.node}:{edge.output}", nodes[edge.node].output_desc(edge.output))


def _port(name: str, desc: TensorDesc) -> Port:
    return Port(name, desc.dtype.label, desc.shape, desc.format.label)


def _pool_node(node: Node, launches: Mapping[str, KernelLaunch]) -> PoolNode:
    inputs = [_port(name, desc) for name, desc in node.input_descs.items()]
    attributes = _plain({name: node.attrs[name] for name in _ATTRIBUTES if name in node.attrs})
    reason = unbound_reason(node)
    unbound = f"unbound: {reason}" if reason else ""
    return PoolNode(node.name, attributes, inputs, str(launches.get(node.name, unbound)))


def _plain(attrs: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes that have a printable value: a tensor or a graph has none."""
    plain = {name: _value(value) for name, value in attrs.items()}
    return {name: value for name, value in plain.items() if value is not None}


def _value(value: Any) -> Any:
    if isinstance(value, ListOf):
        return [_value(item) for item in value.values]
    if isinstance(value, DataType):
        return value.label
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    return value if isinstance(value, str | bool | int | float) else None
