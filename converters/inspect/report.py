"""What `inspect` finds in a file, whatever its format."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from ..tables import Table

Dims: TypeAlias = Sequence[int | str] | None
"""Sizes of the axes; a str is a symbolic size, -1 an unknown one, None as a whole an unknown rank."""


@dataclass(frozen=True)
class Port:
    """An input or output of the model. `format` is GE's ("NCHW"), empty in ONNX."""

    name: str
    dtype: str
    shape: Dims
    format: str = ""


@dataclass(frozen=True)
class PoolNode:
    """A MaxPoolV3Grad node. `binding` says which kernel it is bound to, empty where the format has none."""

    name: str
    attributes: Mapping[str, Any]
    inputs: Sequence[Port]
    binding: str = ""


@dataclass(frozen=True)
class Partition:
    """A partition of model number `model` in an .om (most hold one model)."""

    type: str
    bytes: int
    model: int = 0


@dataclass(frozen=True)
class Report:
    """A model file. `facts` are what its header and metadata say, `oddities` what a loader may stumble on."""

    file: str
    format: str
    bytes: int
    facts: Mapping[str, Any]
    inputs: Sequence[Port]
    outputs: Sequence[Port]
    operators: Mapping[str, int]
    weights: int
    weight_bytes: int
    pool_nodes: Sequence[PoolNode]
    partitions: Sequence[Partition] = ()
    oddities: Sequence[str] = ()

    def as_json(self) -> str:
        """The report as one JSON object, with the fields of this class."""
        return json.dumps(asdict(self), indent=2, default=str)

    def tables(self) -> list[Table]:
        """The report as tables, those left out that would be empty."""
        summary = {
            "file": self.file,
            "format": self.format,
            "bytes": self.bytes,
            **self.facts,
            "weights": f"{self.weights} ({self.weight_bytes} bytes)",
        }
        partitions = [(part.model, part.type, part.bytes) for part in self.partitions]
        tables = [
            Table("", ("", ""), list(summary.items())),
            Table("partitions", ("model", "type", "bytes"), partitions),
            _ports("inputs", self.inputs),
            _ports("outputs", self.outputs),
            Table("operators", ("type", "nodes"), list(self.operators.items())),
            _pools(self.pool_nodes),
            Table("oddities", ("",), [(oddity,) for oddity in self.oddities]),
        ]
        return [table for table in tables if table.rows]


def _ports(title: str, ports: Sequence[Port]) -> Table:
    rows = [(port.name, port.dtype, _shape(port.shape), port.format) for port in ports]
    return _without_empty_end(Table(title, ("name", "dtype", "shape", "format"), rows))


def _pools(nodes: Sequence[PoolNode]) -> Table:
    rows = [_pool_row(node) for node in nodes]
    return _without_empty_end(Table("MaxPoolV3Grad", ("node", "attributes", "inputs", "binding"), rows))


def _without_empty_end(table: Table) -> Table:
    """The table without its last column where nothing stands in it: ONNX has neither formats nor bindings."""
    if any(row[-1] for row in table.rows):
        return table
    return Table(table.title, table.headers[:-1], [row[:-1] for row in table.rows])


def _shape(shape: Dims) -> str:
    return "unknown" if shape is None else f"[{', '.join(map(str, shape))}]"


def _pool_row(node: PoolNode) -> tuple[str, ...]:
    attributes = " ".join(f"{name}={_text(value)}" for name, value in node.attributes.items())
    inputs = " ".join(f"{port.dtype}{_shape(port.shape)}" for port in node.inputs)
    return node.name, attributes, inputs, node.binding


def _text(value: Any) -> str:
    return f"[{','.join(map(str, value))}]" if isinstance(value, list | tuple) else str(value)
