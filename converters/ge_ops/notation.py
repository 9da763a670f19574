"""How the tables in families/ write a prototype down in a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ge_ir import DataType
from .prototype import REQUIRED, Attribute, Port, Prototype

OLD = "graphengine/910/third_party/fwkacllib/inc/op_proto/inc"
"""The folder of the public header set of CANN 8, for what the later repositories do not declare."""

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
    "" is any. `source`: the header's path, or the folder of the operator or of a repository's common part.
    """
    allowed = _types(dtypes.split())
    ports = [[_port(text, allowed) for text in side.split()] for side in (inputs, outputs)]
    return Prototype(type_, ports[0], ports[1], attributes, _header(source))


def _header(source: str) -> str:
    """The header in which a folder of the operators' repositories declares its operator."""
    if source.endswith(".h"):
        return source
    repository, *folders = source.split("/")
    if folders == ["common", "op_graph"]:
        area = repository.removeprefix("ops-")
        return f"{repository}/common/inc/op_graph/op_{area}_proto_extend.h"
    return f"{source}/op_graph/{folders[-1]}_proto.h"


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


def bools(default: Any = REQUIRED) -> Attribute:
    """Kind ListBool."""
    return Attribute("ListBool", default)


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
    return None if names in ([], ["any"]) else data_types(names)


def data_types(names: Iterable[str]) -> frozenset[DataType]:
    """The types of a list of names of types and of groups of them."""
    found: set[DataType] = set()
    for name in names:
        found |= data_types(_GROUPS[name].split()) if name in _GROUPS else {_NAMES[name]}
    return frozenset(found)
