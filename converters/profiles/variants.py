"""One ONNX model converted once for each profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from onnx import ModelProto, ValueInfoProto

from maxpoolgrad_onnx.errors import MaxPoolGradError

from ..ge_ir import GeModel, Graph, Shape
from ..ge_ir.ports import input_ports
from .case_graph import share_constants
from .profiles import Profiles


def variants(
    model: ModelProto, profiles: Profiles, convert: Callable[[ModelProto], GeModel]
) -> Sequence[GeModel]:
    """The model of each profile. `model` is as before afterwards, without the shapes inferred before.

    Raises MaxPoolGradError that names the profile which cannot be converted.
    """
    inputs = [_copy(value) for value in model.graph.input]
    del model.graph.value_info[:]
    found: list[GeModel] = []
    try:
        for number in range(len(profiles.sizes)):
            _set_sizes(model, profiles.shapes_of(number))
            converted = _convert(model, profiles, number, convert)
            found.append(share_constants(converted, found[0]) if found else converted)
            _restore(model, inputs)
    finally:
        _restore(model, inputs)
    return found


def named_as_nodes(profiles: Profiles, graph: Graph) -> Profiles:
    """The profiles with each input called as its Data node, which cannot have every name."""
    node_of = {port.name: port.edge.node for port in input_ports(graph)}
    return replace(profiles, shapes={node_of[name]: shape for name, shape in profiles.shapes.items()})


def named_as_inputs(profiles: Profiles, graph: Graph) -> Profiles:
    """The profiles with each input called as callers know it."""
    name_of = {port.edge.node: port.name for port in input_ports(graph)}
    return replace(profiles, shapes={name_of[node]: shape for node, shape in profiles.shapes.items()})


def _convert(
    model: ModelProto, profiles: Profiles, number: int, convert: Callable[[ModelProto], GeModel]
) -> GeModel:
    try:
        return convert(model)
    except MaxPoolGradError as error:
        sizes = ",".join(map(str, profiles.sizes[number]))
        raise MaxPoolGradError(f"with the profile {sizes}: {error}", code=error.code) from error


def _set_sizes(model: ModelProto, shapes: Mapping[str, Shape]) -> None:
    for value in model.graph.input:
        dims = value.type.tensor_type.shape.dim
        for dim, size in zip(dims, shapes.get(value.name, ()), strict=False):
            dim.dim_value = size


def _copy(value: ValueInfoProto) -> ValueInfoProto:
    copy = ValueInfoProto()
    copy.CopyFrom(value)
    return copy


def _restore(model: ModelProto, inputs: Sequence[ValueInfoProto]) -> None:
    for value, before in zip(model.graph.input, inputs, strict=True):
        value.CopyFrom(before)
