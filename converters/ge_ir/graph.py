"""The GE graph as plain data: what a GraphDef of the wire schema says, under plain names.

Everything here is frozen; a changed copy comes from `dataclasses.replace`. The order of `Node.inputs`,
`input_descs` and `output_descs` is the operator's own order of ports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from .dtypes import DataType, Format

Shape: TypeAlias = tuple[int, ...]
"""Sizes of the axes; -1 is an unknown size."""

ListKind: TypeAlias = Literal[
    "str", "int", "float", "bool", "bytes", "desc", "tensor", "graph", "named", "dtype", "ints", "floats"
]
"""Kinds of ListOf. "ints" and "floats" are lists of lists."""


@dataclass(frozen=True, slots=True)
class TensorDesc:
    """What GE knows of a tensor on a port.

    `shape` None means unknown rank. `origin_shape`, `origin_format` and `origin_dtype` say what the tensor
    was before the compiler chose an inner layout or type; None (the default) means: as shape, format, dtype.
    """

    dtype: DataType
    shape: Shape | None
    format: Format = Format.ND
    origin_shape: Shape | None = None
    origin_format: Format | None = None
    origin_dtype: DataType | None = None
    name: str = ""
    attrs: Mapping[str, AttrValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """A constant: its description and its elements.

    `data` has the description's dtype and shape, and may be memory-mapped. Where NumPy has no such dtype, or
    the shape is not known, it is the flat uint8 array of a file's bytes instead.
    """

    __hash__ = None  # type: ignore[assignment]

    desc: TensorDesc
    data: np.ndarray[Any, Any]

    @staticmethod
    def of(array: np.ndarray[Any, Any], format: Format = Format.ND, name: str = "") -> Tensor:
        """A tensor described by its array. Raises KeyError for a dtype that GE lacks."""
        return Tensor(TensorDesc(DataType.of(array.dtype), array.shape, format, name=name), array)

    def buffer(self) -> memoryview:
        """The elements as a file has them: C order, little-endian. A view where the array already lies so."""
        array = self.data
        if array.dtype.byteorder == ">":
            array = array.astype(array.dtype.newbyteorder("<"))
        return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data

    def __eq__(self, other: object) -> bool:
        """Same description, same bits."""
        if not isinstance(other, Tensor):
            return NotImplemented
        same_type = self.data.dtype == other.data.dtype and self.data.shape == other.data.shape
        return same_type and self.desc == other.desc and self.buffer() == other.buffer()


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list attribute. The kind is always explicit, so that an empty list keeps its type too."""

    kind: ListKind
    values: Sequence[object] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))


@dataclass(frozen=True, slots=True)
class NamedAttrs:
    """A named set of attributes, GE's way of nesting them."""

    name: str
    attrs: Mapping[str, AttrValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edge:
    """Output number `output` of node `node`."""

    node: str
    output: int = 0


@dataclass(frozen=True, slots=True)
class Node:
    """An operator. `inputs[i]` feeds the i-th port of `input_descs`; None is an unconnected slot.

    Where fewer inputs are given than there are ports, the rest are unconnected.
    `subgraphs` names graphs of the model (GeModel.subgraphs) that this node calls.
    """

    name: str
    type: str
    inputs: Sequence[Edge | None] = ()
    input_descs: Mapping[str, TensorDesc] = field(default_factory=dict)
    output_descs: Mapping[str, TensorDesc] = field(default_factory=dict)
    attrs: Mapping[str, AttrValue] = field(default_factory=dict)
    control_inputs: Sequence[str] = ()
    subgraphs: Sequence[str] = ()

    def __post_init__(self) -> None:
        free = (None,) * (len(self.input_descs) - len(self.inputs))
        object.__setattr__(self, "inputs", (*self.inputs, *free))
        for name in ("control_inputs", "subgraphs"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def input_desc(self, index: int) -> TensorDesc:
        """The description on input port number `index`."""
        return tuple(self.input_descs.values())[index]

    def output_desc(self, index: int = 0) -> TensorDesc:
        """The description on output port number `index`."""
        return tuple(self.output_descs.values())[index]


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in topological order. Data nodes are the inputs (their attribute `index` orders them);
    `outputs` are what the graph returns, in order."""

    name: str
    nodes: Sequence[Node] = ()
    outputs: Sequence[Edge] = ()
    attrs: Mapping[str, AttrValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("nodes", "outputs"):
            object.__setattr__(self, name, tuple(getattr(self, name)))


Plain: TypeAlias = str | bool | int | float | bytes
UNCONNECTED = TensorDesc(DataType.UNDEFINED, (), Format.RESERVED)
"""What GE writes at an optional input that nothing feeds."""

AttrValue: TypeAlias = Plain | DataType | TensorDesc | Tensor | Graph | NamedAttrs | ListOf
"""A value of an attribute. float is rounded to float32 in a file."""
