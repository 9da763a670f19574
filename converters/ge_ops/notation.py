"""How the tables in families/ write a prototype down in a line."""

from __future__ import annotations

from typing import Any

from ..ge_ir import DataType
from .prototype import REQUIRED, Attribute, Port, Prototype

OLD = "graphengine/fwkacllib/op_proto"
"""The source of what only the public header set of CANN 8 declares."""

_NAMES = {dtype.name.lower(): dtype for dtype in DataType}

_GROUPS = {
    "floats": "float float16 bf16",
    "floating": "double float float16",
    "index": "int32 int64",
    "unary": "complex64 complex128 double float float16 bf16",
    "real": "double float float16 bf16 int8 int16 int32 int64 uint8 uint16 uint32 uint64",
    "number": "real complex32 complex64 complex128 qint8 qint32 quint8",
    "basic": "number qint16 quint16",
}
"""Sets of types that GE's headers name: FLOAT, FloatingDataType, IndexNumberType, ..."""


def op(
    type_: str, inputs: str, outputs: str, source: str, dtypes: str = "", /, **attributes: Attribute
) -> Prototype:
    """A prototype.

    `inputs` and `outputs`: names separated by spaces; `name?` an optional port, `name*` a dynamic,
    `name@` a spatial one, each with its types behind a colon (`axes:index`, `bias?:float,int32`)
    where they are not those of the operator. `dtypes`: the operator's, names of types and of groups;
    "" is any.
    """
    allowed = _types(dtypes.split())
    ports = [[_port(text, allowed) for text in side.split()] for side in (inputs, outputs)]
    return Prototype(type_, ports[0], ports[1], attributes, source)


def int_(default: Any = REQUIRED) -> Attribute:
    """An attribute of kind Int; so on below."""
    return Attribute("Int", default)


def float_(default: Any = REQUIRED) -> Attribute:
    """Kind Float."""
    return Attribute("Float", default)


def bool_(default: Any = REQUIRED) -> Attribute:
    """Kind Bool."""
    return Attribute("Bool", default)


def string(default: Any = REQUIRED) -> Attribute:
    """Kind String."""
    return Attribute("String", default)


def ints(default: Any = REQUIRED) -> Attribute:
    """Kind ListInt."""
    return Attribute("ListInt", default)


def tensor(default: Any = REQUIRED) -> Attribute:
    """Kind Tensor."""
    return Attribute("Tensor", default)


def _port(text: str, dtypes: frozenset[DataType] | None) -> Port:
    head, _, own = text.partition(":")
    name = head.rstrip("?*@")
    marks = head[len(name) :]
    allowed = _types(own.split(",")) if own else dtypes
    return Port(name, optional="?" in marks, dynamic="*" in marks, spatial="@" in marks, dtypes=allowed)


def _types(names: list[str]) -> frozenset[DataType] | None:
    """The types of a list of names; None, which is any, of an empty list and of "any"."""
    if names in ([], ["any"]):
        return None
    found: set[DataType] = set()
    for name in names:
        found |= (_types(_GROUPS[name].split()) or set()) if name in _GROUPS else {_NAMES[name]}
    return frozenset(found)
