"""The nodes of an ONNX model, as the report has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from maxpoolgrad_onnx.contract import is_max_pool_v3_grad

from .onnx_types import dtype_name
from .report import GraphNode, Port

if TYPE_CHECKING:
    from onnx import AttributeProto, GraphProto, NodeProto, TensorProto

_LONGEST = 200  # entries of a list, bytes of a text


def graph_nodes(graph: GraphProto, ports: Mapping[str, Port]) -> list[GraphNode]:
    """What goes in, the weights, the operators, what comes out; `ports` are the known values by name.

    Of a graph inside a node (If, Loop) only the node is shown.
    """
    weights = {weight.name for weight in graph.initializer}
    nodes = [
        GraphNode(value.name, "input", "input", outputs=[_port(ports, value.name)])
        for value in graph.input
        if value.name not in weights
    ]
    nodes += [
        GraphNode(weight.name, "Initializer", "weight", outputs=[_weight(weight)])
        for weight in graph.initializer
    ]
    made = {node.name: number for number, node in enumerate(nodes)}
    ports = {**ports, **{node.name: node.outputs[0] for node in nodes if node.kind == "weight"}}
    for node in graph.node:
        nodes.append(_graph_node(node, ports, made))
        made |= dict.fromkeys(filter(None, node.output), len(nodes) - 1)
    for value in graph.output:
        source = made.get(value.name, -1)
        port = _port(ports, value.name)
        nodes.append(GraphNode(value.name, "output", "output", [port], [source]))
    return nodes


def _graph_node(node: NodeProto, ports: Mapping[str, Port], made: Mapping[str, int]) -> GraphNode:
    inputs = [name for name in node.input if name]
    return GraphNode(
        node.name,
        f"{node.domain}::{node.op_type}" if node.domain else node.op_type,
        "pool_grad" if is_max_pool_v3_grad(node) else "operator",
        [_port(ports, name) for name in inputs],
        [made.get(name, -1) for name in inputs],
        [_port(ports, name) for name in node.output if name],
        {attribute.name: written(attribute) for attribute in node.attribute},
    )


def _port(ports: Mapping[str, Port], name: str) -> Port:
    return ports.get(name) or Port(name, "unknown", None)


def _weight(weight: TensorProto) -> Port:
    return Port(weight.name, dtype_name(weight.data_type), list(weight.dims))


def written(attribute: AttributeProto) -> Any:
    """An attribute's value as it can be printed, cut where it is long; None where it has none."""
    from onnx import AttributeProto, helper

    if attribute.ref_attr_name:
        return f"the function's {attribute.ref_attr_name}"
    tensors = [*attribute.tensors, *([attribute.t] if attribute.type == AttributeProto.TENSOR else [])]
    graphs = [*attribute.graphs, *([attribute.g] if attribute.type == AttributeProto.GRAPH else [])]
    if tensors or graphs:
        shown = [f"tensor {list(tensor.dims)}" for tensor in tensors]
        return ", ".join([*shown, *(f"graph of {len(graph.node)} nodes" for graph in graphs)])
    try:
        return _shown(helper.get_attribute_value(attribute))
    except ValueError:
        return None


def _shown(value: Any) -> Any:
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, bytes):
        text = value[:_LONGEST].decode("utf-8", "replace")
        return text if len(value) <= _LONGEST else f"{text}... ({len(value)} bytes)"
    if not hasattr(value, "__len__"):
        return type(value).__name__
    values = [_shown(item) for item in value[:_LONGEST]]
    more = len(value) - _LONGEST
    return [*values, f"... {more} more"] if more > 0 else values
