"""GE IR of one operator, as others could have written it."""

from __future__ import annotations

from typing import Any

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.ge_ir import Edge, GeModel, Graph, Node, Tensor, TensorDesc


def model_of(
    node: Node, inputs: dict[str, TensorDesc], constants: dict[str, Array], used: int = 1
) -> GeModel:
    """One operator, the first `used` of whose outputs are the graph's."""
    data = [
        Node(name, "Data", [], {"x": desc}, {"y": desc}, {"index": i})
        for i, (name, desc) in enumerate(inputs.items())
    ]
    consts = [
        Node(name, "Const", [], {}, {"y": Tensor.of(array).desc}, {"value": Tensor.of(array)})
        for name, array in constants.items()
    ]
    edges = [Edge(node.name, i) for i in range(used)]
    descs = list(node.output_descs.values())[:used]
    end = Node("end", "NetOutput", edges, {f"x{i}": desc for i, desc in enumerate(descs)})
    return GeModel("m", Graph("g", [*data, *consts, node, end], edges))


def node_of(type_: str, ports: dict[str, TensorDesc], outputs: dict[str, TensorDesc], **attrs: Any) -> Node:
    return Node("op", type_, [Edge(name) for name in ports], ports, outputs, attrs)
