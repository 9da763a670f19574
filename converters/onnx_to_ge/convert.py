"""ONNX -> GE IR."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping

from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.mapped_model import MappedModel, map_model
from maxpoolgrad_onnx.opsets import NEWEST_OPSET, usual_domain

from ..ge_ir import AttrValue, GeModel, ListOf
from ..ge_ir.keys import DIM_NAMES, ONNX_OPSET
from . import rules as _rules  # noqa: F401  (registers the rules)
from .elements import elements_of, mapped_elements_of
from .graph_builder import GraphBuilder, Value
from .normalise import Source, normalise
from .onnx_node import OnnxNode
from .registry import RULES

_log = logging.getLogger(__name__)


def onnx_to_ge(
    model: ModelProto | MappedModel | str | os.PathLike[str],
    *,
    input_format: str = "NCHW",
    notify: Callable[[str], None] | None = None,
) -> GeModel:
    """Convert a model, or the .onnx at a path, of opset 8 to 18; those above are brought down where that is
    exact. The weights of a model in a file stay there, mapped.

    Graph inputs become Data nodes of the same name and order, initializers Const, outputs the inputs of
    NetOutput with the ONNX name on their descriptions; unknown and symbolic sizes are -1. Conv and pooling
    tensors are NCHW, all others ND; with input_format "ND" no input has a layout. What each operator becomes
    stands in the docstring of its rule. `notify` gets sentences on what CANN's own parser would not read of
    the model; without it they are logged as warnings.

    Raises MaxPoolGradError that names the node, the value, what is allowed and what to do.
    """
    mapped = _mapped(model)
    source = normalise(mapped.proto)
    for sentence in source.notices:
        (notify or _log.warning)(sentence)
    name = mapped.proto.graph.name
    graph = GraphBuilder(name or "graph", plain_inputs=input_format == "ND")
    values = starting_values(source, mapped.weights, graph)
    for proto in source.graph.node:
        convert_node(proto, source, graph, values)
    outputs = [(info.name, _output(info.name, values)) for info in source.graph.output]
    attrs: dict[str, AttrValue] = {}
    if source.host_opset != NEWEST_OPSET:
        attrs[ONNX_OPSET] = source.host_opset
    return GeModel(name or "model", graph.finish(outputs), attrs)


def _mapped(model: ModelProto | MappedModel | str | os.PathLike[str]) -> MappedModel:
    if isinstance(model, MappedModel):
        return model
    return MappedModel(model) if isinstance(model, ModelProto) else map_model(model)


def starting_values(
    source: Source, weights: Mapping[str, memoryview], graph: GraphBuilder
) -> dict[str, Value]:
    """The values that nodes start from, by their names in ONNX: inputs and weights, put into the graph."""
    initializers = {tensor.name: tensor for tensor in source.graph.initializer}
    values = {}
    for info in source.graph.input:
        if info.name not in initializers:
            if info.name not in source.types:
                raise MaxPoolGradError(
                    f"the model's input {quoted(info.name)} is no tensor of a known element type; "
                    "only tensors are converted",
                    code="E13014",
                )
            values[info.name] = graph.data(info.name, *source.types[info.name], _dim_names(info))
    for name, tensor in initializers.items():
        values[name] = graph.constant(_initializer(tensor, weights.get(name)), name)
    return values


def convert_node(proto: NodeProto, source: Source, graph: GraphBuilder, values: dict[str, Value]) -> None:
    """Add what becomes of a node to `graph`, and its outputs to `values`.

    Raises MaxPoolGradError where its rule refuses it.
    """
    domain = usual_domain(proto.domain)
    opset = source.opsets.get(domain, 1)
    RULES[domain, proto.op_type](OnnxNode(proto, opset, graph, values, source.types, source.read))


def _initializer(tensor: TensorProto, content: memoryview | None) -> Array:
    try:
        return elements_of(tensor) if content is None else mapped_elements_of(tensor, content)
    except ValueError as error:
        raise MaxPoolGradError(
            f"the initializer {quoted(tensor.name)} {error}; export it again", code="E13014"
        ) from error


def _dim_names(info: ValueInfoProto) -> dict[str, AttrValue]:
    names = [dim.dim_param for dim in info.type.tensor_type.shape.dim]
    return {DIM_NAMES: ListOf("str", names)} if any(names) else {}


def _output(name: str, values: dict[str, Value]) -> Value:
    if name not in values:
        raise MaxPoolGradError(
            f"the model's output {quoted(name)} is made by no node; export it again", code="E16001"
        )
    return values[name]
