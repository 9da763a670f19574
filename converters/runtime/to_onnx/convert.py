"""GE IR -> ONNX, for a run on the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import onnx
from onnx import ModelProto, ValueInfoProto

from maxpoolgrad_onnx.contract import DOMAIN, OPSET_VERSION
from maxpoolgrad_onnx.conv_gradients import add_conv_gradient_functions
from maxpoolgrad_onnx.errors import MaxPoolGradError

from ...ge_ir import Edge, GeModel, Graph, ListOf, Node, Tensor, TensorDesc
from ...ge_ir.refusal import quoted
from ...onnx_to_ge.convert import DIM_NAMES
from . import rules as _rules  # noqa: F401  (registers the rules)
from .ge_node import GeNode
from .onnx_builder import Array, OnnxBuilder
from .registry import RULES

_CONSTS = ("Const", "Constant")


@dataclass(frozen=True)
class Port:
    """An input or output of a model: its name, and GE's description of it."""

    name: str
    desc: TensorDesc


def ge_to_onnx(model: GeModel) -> ModelProto:
    """The model as ONNX (opset 18): what onnx_to_ge made of it, undone rule by rule.

    ONNX Runtime gives the same bits for the result as for the model that onnx_to_ge was given: the same
    operators in the same order with the same constants. Conv's gradients and MaxPoolV3Grad become nodes of
    domain npu, the former with their function bodies.

    Raises MaxPoolGradError (E10501) that names a node which has no counterpart.
    """
    graph = model.graph
    inputs, outputs = input_ports(graph), output_ports(graph)
    builder = OnnxBuilder(_fixed_names(graph, inputs, outputs), _constants(graph))
    for node in graph.nodes:
        if node.type in (*_CONSTS, "Data", "NetOutput"):
            continue
        if node.type not in RULES:
            raise MaxPoolGradError(
                f"{node.type} node {quoted(node.name)}: the host has no rule for this operator; "
                f"it has rules for {', '.join(sorted(RULES))}",
                code="E10501",
            )
        ge_node = GeNode(node, builder)
        RULES[node.type](ge_node)
        ge_node.check_all_read()
    _name_outputs(graph, outputs, builder)
    result = builder.finish(
        model.name,
        [_value_info(port, _dim_names(graph, port.name)) for port in inputs],
        [_value_info(port, ()) for port in outputs],
        {DOMAIN: OPSET_VERSION},
    )
    add_conv_gradient_functions(result)
    return result


def input_ports(graph: Graph) -> list[Port]:
    """The graph's inputs, in the order of their index."""
    data = [node for node in graph.nodes if node.type == "Data"]
    data.sort(key=_index)
    return [Port(node.name, node.output_desc()) for node in data]


def output_ports(graph: Graph) -> list[Port]:
    """The graph's outputs, named by the descriptions on NetOutput, else after the node that makes them."""
    descs = next((list(n.input_descs.values()) for n in graph.nodes if n.type == "NetOutput"), [])
    nodes = {node.name: node for node in graph.nodes}
    ports: list[Port] = []
    for position, edge in enumerate(_output_edges(graph)):
        desc = descs[position] if position < len(descs) else nodes[edge.node].output_desc(edge.output)
        name = desc.name or (edge.node if edge.output == 0 else f"{edge.node}:{edge.output}")
        ports.append(Port(_free(name, {port.name for port in ports}), desc))
    return ports


def _output_edges(graph: Graph) -> Sequence[Edge]:
    ends = [node for node in graph.nodes if node.type == "NetOutput"]
    return [edge for edge in ends[0].inputs if edge is not None] if ends else graph.outputs


def _index(node: Node) -> int:
    index = node.attrs.get("index", 0)
    return index if isinstance(index, int) else 0


def _free(name: str, taken: set[str]) -> str:
    candidate, number = name, 1
    while candidate in taken:
        candidate, number = f"{name}_{number}", number + 1
    return candidate


def _fixed_names(graph: Graph, inputs: Sequence[Port], outputs: Sequence[Port]) -> dict[Edge, str]:
    """Names that callers see: inputs keep theirs; a computed value that is an output has the output's."""
    names = {Edge(port.name): port.name for port in inputs}
    constants = {node.name for node in graph.nodes if node.type in _CONSTS}
    for edge, port in zip(_output_edges(graph), outputs, strict=True):
        if edge.node not in constants:
            names.setdefault(edge, port.name)
    return names


def _name_outputs(graph: Graph, outputs: Sequence[Port], builder: OnnxBuilder) -> None:
    """An output that is also an input, a constant, or another output gets a copy under its own name."""
    for edge, port in zip(_output_edges(graph), outputs, strict=True):
        name = builder.value_name(edge)
        if name != port.name:
            builder.node("Identity", [name], [port.name], f"{port.name}_copy", "", {})


def _constants(graph: Graph) -> Mapping[Edge, Array]:
    constants = {}
    for node in graph.nodes:
        value = node.attrs.get("value")
        if node.type in _CONSTS and isinstance(value, Tensor):
            constants[Edge(node.name)] = value.data
    return constants


def _dim_names(graph: Graph, name: str) -> Sequence[str]:
    node = next(node for node in graph.nodes if node.name == name)
    names = node.attrs.get(DIM_NAMES)
    return [str(item) for item in names.values] if isinstance(names, ListOf) else ()


def _value_info(port: Port, dim_names: Sequence[str]) -> ValueInfoProto:
    dtype = port.desc.dtype.numpy
    if dtype is None:
        raise MaxPoolGradError(
            f"the tensor {quoted(port.name)} is {port.desc.dtype.label}, which the host has no type for",
            code="E10501",
        )
    shape: list[int | str | None] | None = None
    if port.desc.shape is not None:
        named = dict(enumerate(dim_names))
        shape = [(named.get(axis) or None) if size < 0 else size for axis, size in enumerate(port.desc.shape)]
    return onnx.helper.make_tensor_value_info(port.name, onnx.helper.np_dtype_to_tensor_dtype(dtype), shape)
