"""GE IR -> ONNX, for a run on the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx
from onnx import ModelProto, ValueInfoProto

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.gradient_functions import add_gradient_functions
from maxpoolgrad_onnx.opsets import NEWEST_OPSET

from ..ge_ir import Edge, GeModel, Graph, Node, Tensor
from ..ge_ir.keys import CONST_TYPES, CONST_VALUE, DATA_TYPES, NET_OUTPUT, ONNX_OPSET
from ..ge_ir.ports import Port, input_ports, output_ports
from ..ge_ops.prototypes import PROTOTYPES
from . import rules as _rules  # noqa: F401  (registers the rules)
from .ge_node import GeNode, Links
from .onnx_builder import OnnxBuilder
from .registry import PARTS, RULES

_NO_OPERATION = (*CONST_TYPES, *DATA_TYPES, NET_OUTPUT)


def ge_to_onnx(model: GeModel) -> ModelProto:
    """The model as ONNX: what onnx_to_ge made of it, undone rule by rule.

    It is of opset 18, or of 19 where its attributes say that the host computes otherwise in 18.

    ONNX Runtime gives the same bits for the result as for the model that onnx_to_ge was given: the same
    operators in the same order with the same constants. The gradients of Conv, Relu, MaxPool
    and BatchNormalization become nodes of domain npu, all but MaxPool's with their function bodies.

    Raises MaxPoolGradError (E10501) that names a node which has no counterpart.
    """
    graph = model.graph
    inputs, outputs = input_ports(graph), output_ports(graph)
    constants = _constants(graph)
    names = _fixed_names(inputs, outputs, constants)
    builder = OnnxBuilder(
        names, {port.name for port in outputs}, {node.name for node in graph.nodes}, constants
    )
    links = Links.of(graph)
    for node in graph.nodes:
        if node.type not in _NO_OPERATION:
            _convert(node, links, builder)
    _copy_outputs(outputs, builder)
    taken, given = ([_value_info(port) for port in ports] for ports in (inputs, outputs))
    result = builder.finish(model.name, taken, given, _opset(model))
    add_gradient_functions(result)
    return result


def _opset(model: GeModel) -> int:
    """The opset to write: 18, or the one above that a model says it computes as."""
    return NEWEST_OPSET + 1 if model.attrs.get(ONNX_OPSET) == NEWEST_OPSET + 1 else NEWEST_OPSET


def _convert(node: Node, links: Links, builder: OnnxBuilder) -> None:
    if node.type not in RULES:
        raise MaxPoolGradError(
            f"{node.type} node {quoted(node.name)}: the host has no rule for this operator; "
            f"it has rules for {', '.join(sorted(RULES))}",
            code="E10501",
        )
    ge_node = GeNode(node, links, builder)
    least, most = PROTOTYPES[node.type].output_counts
    count = len(node.output_descs)
    if count < least or (most is not None and count > most):
        ge_node.refuse(f"it has {count} outputs; {node.type} has {least}{'' if most else ' or more'}")
    if any(is_part(ge_node) for is_part in PARTS.get(node.type, ())):
        return
    RULES[node.type](ge_node)
    ge_node.check_all_read()


def _fixed_names(
    inputs: Sequence[Port], outputs: Sequence[Port], constants: Mapping[Edge, Array]
) -> dict[Edge, str]:
    """Names that callers see: inputs keep theirs; a computed value that is an output has the output's."""
    names = {port.edge: port.name for port in inputs}
    for port in outputs:
        if port.edge not in constants:
            names.setdefault(port.edge, port.name)
    return names


def _copy_outputs(outputs: Sequence[Port], builder: OnnxBuilder) -> None:
    """An output that is also an input, a constant, or another output gets a copy under its own name."""
    for port in outputs:
        name = builder.value_name(port.edge)
        if name != port.name:
            node_name = builder.unique_node_name(f"{port.name}_copy")
            builder.node("Identity", [name], [port.name], node_name, "", {})


def _constants(graph: Graph) -> Mapping[Edge, Array]:
    """The elements of Const nodes; types without a counterpart stay out, and are refused where used."""
    constants = {}
    for node in graph.nodes:
        value = node.attrs.get(CONST_VALUE)
        if node.type in CONST_TYPES and isinstance(value, Tensor) and value.desc.dtype.numpy is not None:
            constants[Edge(node.name)] = value.data
    return constants


def _value_info(port: Port) -> ValueInfoProto:
    dtype = port.desc.dtype.numpy
    if dtype is None:
        sentence = (
            f"the tensor {quoted(port.name)} is {port.desc.dtype.label}, which the host has no type for"
        )
        raise MaxPoolGradError(sentence, code="E10501")
    shape: list[int | str | None] | None = None
    if port.desc.shape is not None:
        named = dict(enumerate(port.dim_names))
        shape = [(named.get(axis) or None) if size < 0 else size for axis, size in enumerate(port.desc.shape)]
    return onnx.helper.make_tensor_value_info(port.name, onnx.helper.np_dtype_to_tensor_dtype(dtype), shape)
