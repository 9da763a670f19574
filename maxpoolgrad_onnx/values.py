"""The values of an ONNX graph whose types it states, and their shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import GraphProto, TypeProto, ValueInfoProto


def typed_values(graph: GraphProto) -> Iterator[ValueInfoProto]:
    """The graph's inputs, then the inner values that it describes, then its outputs."""
    yield from graph.input
    yield from graph.value_info
    yield from graph.output


def shape_of(value: TypeProto | None) -> list[int | None] | None:
    """A tensor's dimensions, None for each that is unknown, and for a shape of unknown rank."""
    if value is None or not value.tensor_type.HasField("shape"):
        return None
    dims = value.tensor_type.shape.dim
    return [dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else None for dim in dims]
