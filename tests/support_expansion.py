"""The graphs that a plugin makes of a node, one for each output, and GE IR of the converter in that form."""

from __future__ import annotations

from typing import Any

from onnx import ModelProto

from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.ge_ir import Edge, Graph, ListOf, Tensor

# Ports whose layout the plugin says: inputs, outputs.
DESCRIBED = {
    "BatchNorm": (["x"], ["y"]),
    "BatchNormGrad": (["y_backprop", "x"], ["x_backprop"]),
    "Const": ([], ["y"]),
    "Conv2DBackpropFilter": (["x", "out_backprop"], ["y"]),
    "Conv2DBackpropInput": (["filter", "out_backprop"], ["y"]),
}


def converted(model: ModelProto, type_: str) -> dict[str, Any]:
    """The one node of a type that the converter makes of a model, and all that it is computed from."""
    graph = converters.onnx_to_ge(model).graph
    (node,) = (ge_node for ge_node in graph.nodes if ge_node.type == type_)
    return _tree(graph, Edge(node.name))


def _plain(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.data.tolist()
    return list(value.values) if isinstance(value, ListOf) else value


def nameless(printed: dict[str, Any]) -> dict[str, Any]:
    """What the plugin made, without the nodes' names."""
    inputs = {port: nameless(source) for port, source in printed["inputs"].items()}
    return {key: value for key, value in printed.items() if key != "name"} | {"inputs": inputs}


def names_in(printed: dict[str, Any]) -> list[str]:
    """The nodes' names, one for each use."""
    return [printed["name"], *(name for source in printed["inputs"].values() for name in names_in(source))]


def _tree(graph: Graph, edge: Edge) -> dict[str, Any]:
    node = {other.name: other for other in graph.nodes}[edge.node]
    taken, given = DESCRIBED.get(node.type, ([], []))
    layouts = {f"in {port}": int(node.input_descs[port].format.value) for port in taken}
    layouts |= {f"out {port}": int(node.output_descs[port].format.value) for port in given}
    attrs = {
        name: _plain(value) for name, value in node.attrs.items() if node.type != "Data" or name == "index"
    }
    inputs = {
        port: _tree(graph, source)
        for port, source in zip(node.input_descs, node.inputs, strict=True)
        if source is not None and node.type != "Data"
    }
    return {"type": node.type, "output": edge.output, "attrs": attrs, "inputs": inputs, "layouts": layouts}
