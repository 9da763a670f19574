"""What is in an ONNX model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from maxpoolgrad_onnx.contract import INPUT_NAMES, PoolAttributes, is_max_pool_v3_grad
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.nodes import all_nodes, nested
from maxpoolgrad_onnx.values import typed_values

from .onnx_nodes import graph_nodes, written
from .onnx_types import dtype_name, numpy_dtype
from .report import PoolNode, Port, Report

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto


def report_on_onnx(model: ModelProto, file: str, size: int) -> Report:
    """The report on an ONNX model; `size` is that of its file."""
    graph = model.graph
    weights = {weight.name for weight in graph.initializer}
    ports = _known_ports(model)
    pool_nodes = [node for node in all_nodes(model) if is_max_pool_v3_grad(node)]
    return Report(
        file=file,
        format="ONNX",
        bytes=size,
        facts=_facts(model),
        inputs=[_port(value) for value in graph.input if value.name not in weights],
        outputs=[_port(value) for value in graph.output],
        operators=dict(Counter(map(_type, nested(graph.node))).most_common()),
        weights=len(graph.initializer),
        weight_bytes=sum(_bytes(weight) for weight in graph.initializer),
        pool_nodes=[_pool_node(node, ports) for node in pool_nodes],
        oddities=_oddities(pool_nodes),
        nodes=graph_nodes(graph, ports),
    )


def _facts(model: ModelProto) -> dict[str, object]:
    opsets = {entry.domain or "ai.onnx": entry.version for entry in model.opset_import}
    facts: dict[str, object] = {
        "model": model.graph.name,
        "IR version": model.ir_version,
        "opsets": ", ".join(f"{domain} {version}" for domain, version in opsets.items()),
        "producer": f"{model.producer_name} {model.producer_version}".strip(),
    }
    if model.functions:
        facts["functions"] = ", ".join(f"{f.domain}::{f.name}" for f in model.functions)
    return facts | {entry.key: entry.value for entry in model.metadata_props}


def _known_ports(model: ModelProto) -> dict[str, Port]:
    """Every value whose type inference can tell, by name."""
    from maxpoolgrad_onnx import infer_shapes

    try:
        graph = infer_shapes(model).graph
    except MaxPoolGradError:
        graph = model.graph  # `maxpoolgrad check` says what is wrong; here the file is only shown
    return {value.name: _port(value) for value in typed_values(graph)}


def _port(value: ValueInfoProto) -> Port:
    tensor = value.type.tensor_type
    shape = [_dim(dim) for dim in tensor.shape.dim] if tensor.HasField("shape") else None
    return Port(value.name, dtype_name(tensor.elem_type), shape)


def _dim(dim: object) -> int | str:
    kind = dim.WhichOneof("value")  # type: ignore[attr-defined]
    return -1 if kind is None else getattr(dim, kind)


def _type(node: NodeProto) -> str:
    return f"{node.domain}::{node.op_type}" if node.domain else node.op_type


def _bytes(weight: TensorProto) -> int:
    """The size of a weight's elements, 0 where they have no fixed one."""
    dtype = numpy_dtype(weight.data_type)
    return 0 if dtype is None else math.prod(weight.dims) * dtype.itemsize


def _pool_node(node: NodeProto, ports: Mapping[str, Port]) -> PoolNode:
    try:
        attributes = PoolAttributes.from_node(node).as_dict()
    except MaxPoolGradError:
        attributes = {attribute.name: written(attribute) for attribute in node.attribute}
    inputs = [
        ports.get(name, Port(name or meaning, "unknown", None))
        for name, meaning in zip(node.input, INPUT_NAMES, strict=False)
    ]
    return PoolNode(node.name, attributes, inputs)


def _oddities(nodes: list[NodeProto]) -> list[str]:
    found = []
    for node in nodes:
        try:
            PoolAttributes.from_node(node)
        except MaxPoolGradError as error:
            found.append(str(error))
    return found
