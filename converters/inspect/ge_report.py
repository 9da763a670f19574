"""What is in a GE graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from maxpoolgrad_onnx.contract import ATTRIBUTES, OP_TYPE
from maxpoolgrad_onnx.errors import MaxPoolGradError

from ..ge_ir import GeModel, Graph, KernelLaunch, Node
from ..ge_ir.ends import data_nodes, output_names
from ..ge_ir.keys import CONST_TYPES
from ..om.metadata import unbound_reason
from ..profiles import profiled_model
from .ge_nodes import graph_nodes, plain, port_of, weight_bytes
from .report import PoolNode, Port, Report

_ATTRIBUTES = [name for name, *_ in ATTRIBUTES]


def report_on_ge(
    model: GeModel, file: str, format: str, size: int, launches: Mapping[str, KernelLaunch] | None = None
) -> Report:
    """The report on a GE model that was read from `file`, with the kernels bound to nodes by their names."""
    nodes = [node for graph in (model.graph, *model.subgraphs) for node in graph.nodes]
    weights = [weight_bytes(node) for node in nodes if node.type in CONST_TYPES]
    pools = [node for node in nodes if node.type == OP_TYPE]
    bindings = {node.name: _binding(node, launches or {}) for node in pools}
    structure = {"subgraphs": len(model.subgraphs), **_profiles(model)} if model.subgraphs else {}
    return Report(
        file=file,
        format=format,
        bytes=size,
        facts={"model": model.name, "graph": model.graph.name, **structure, **plain(model.attrs)},
        inputs=[_first_output(node) for node in data_nodes(model.graph)],
        outputs=list(_outputs(model.graph)),
        operators=dict(Counter(node.type for node in nodes).most_common()),
        weights=len(weights),
        weight_bytes=sum(weights),
        pool_nodes=[_pool_node(node, bindings[node.name]) for node in pools],
        nodes=graph_nodes(model, bindings),
    )


def _profiles(model: GeModel) -> dict[str, str]:
    """The sizes that the model switches between, as atc's flags write them."""
    try:
        profiled = profiled_model(model)
    except MaxPoolGradError as error:
        return {"profiles": f"they cannot be read: {error}"}
    return {} if profiled is None else {"profiles": str(profiled.profiles)}


def _first_output(node: Node) -> Port:
    """A Data's port. A dump may leave its description out."""
    descs = node.output_descs or node.input_descs
    return port_of(node.name, next(iter(descs.values()))) if descs else Port(node.name, "unknown", None)


def _outputs(graph: Graph) -> Iterator[Port]:
    """The graph's outputs by their own names where a NetOutput's descriptions carry them."""
    nodes = {node.name: node for node in graph.nodes}
    for edge, name in zip(graph.outputs, output_names(graph), strict=True):
        descs = tuple(nodes[edge.node].output_descs.values()) if edge.node in nodes else ()
        called = name or f"{edge.node}:{edge.output}"
        known = 0 <= edge.output < len(descs)
        yield port_of(called, descs[edge.output]) if known else Port(called, "unknown", None)


def _pool_node(node: Node, binding: str) -> PoolNode:
    inputs = [port_of(name, desc) for name, desc in node.input_descs.items()]
    attributes = plain({name: node.attrs[name] for name in _ATTRIBUTES if name in node.attrs})
    return PoolNode(node.name, attributes, inputs, binding)


def _binding(node: Node, launches: Mapping[str, KernelLaunch]) -> str:
    reason = unbound_reason(node)
    return str(launches.get(node.name, f"unbound: {reason}" if reason else ""))
