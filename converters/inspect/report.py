"""What `inspect` finds in a file, whatever its format, as plain data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

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
class GraphNode:
    """A node of a graph: an operator, or what goes in, comes out or is a weight.

    `sources` are the numbers of the nodes that feed `inputs`, -1 where none does. `graph` is the name of the
    graph that it lies in, empty for the root.
    """

    name: str
    type: str
    kind: Literal["operator", "pool_grad", "input", "output", "weight"]
    inputs: Sequence[Port] = ()
    sources: Sequence[int] = ()
    outputs: Sequence[Port] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    binding: str = ""
    graph: str = ""


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
class KernelBinary:
    """A device binary in an .om, in the partition of this name."""

    name: str
    bytes: int
    partition: str


@dataclass(frozen=True)
class Report:
    """A model file.

    `facts` are what its header and metadata say, `oddities` what a loader may stumble on. `kernels` and
    `tasks` (by type) are those of an .om; `nodes` are the graph's, in its order.
    """

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
    kernels: Sequence[KernelBinary] = ()
    tasks: Mapping[str, int] = field(default_factory=dict)
    nodes: Sequence[GraphNode] = ()

    def as_json(self) -> str:
        """The report as one JSON object, with the fields of this class."""
        return json.dumps(asdict(self), indent=2, default=str)
