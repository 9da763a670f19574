"""Messages of the wire schema -> plain data.

What GE's own loader takes without a word although it then drops or misreads it (an edge without a colon, an
unknown type or layout, a list without a val_type or with a wrong one) is an error here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn, TypeAlias

import numpy as np

from maxpoolgrad_onnx.errors import quoted

from . import keys
from .descriptor import read_descriptor
from .dtypes import DataType
from .graph import AttrValue, Edge, Graph, ListKind, ListOf, NamedAttrs, Node, Tensor, TensorDesc
from .lists import LIST_FIELDS, LIST_KINDS
from .refusal import fail

Fetch: TypeAlias = Callable[[Any, str], bytes | memoryview]
"""Finds a Const's elements: takes the TensorDef, and how a message calls the place."""

_TOO_LARGE = 2**63
_OUTPUT_NUMBER = re.compile(r"-1|[0-9]{1,9}")


def fetch_inline(message: Any, where: str) -> bytes:
    """The elements lie in the TensorDef itself, as in an .air file."""
    data: bytes = message.data
    return data


def decode_graph(message: Any, fetch: Fetch = fetch_inline) -> Graph:
    """A GraphDef as plain data, nodes in the file's order. `fetch` finds the weights of Const nodes."""
    where = f"graph {quoted(message.name)}"
    if not message.name:
        fail(where, "its name is empty", "a graph has one")
    nodes = [_decode_node(op, fetch) for op in message.op]
    names = {node.name for node in nodes}
    outputs = [_decode_end(text, names, where, "output") for text in message.output]
    for text in message.input:
        _decode_end(text, names, where, "input")
    return Graph(message.name, nodes, outputs, decode_attrs(message.attr, where))


def _decode_end(text: str, names: set[str], where: str, what: str) -> Edge:
    """An input or output of a graph. The inputs are not kept: they are its Data nodes."""
    edge = _decode_edge(text, where)
    if edge is None or edge.output < 0 or edge.node not in names:
        fail(where, f"its {what} {quoted(text)} is no tensor of it", f"an {what} is written node:output")
    return edge


def decode_attrs(
    message: Any, where: str, fetch: Fetch = fetch_inline, skip: frozenset[str] = frozenset()
) -> dict[str, AttrValue]:
    """A map of attributes, in alphabetical order, without those in `skip`."""
    return {
        name: _decode_attr(message[name], name, where, fetch) for name in sorted(message) if name not in skip
    }


_NODE_KEYS = frozenset({*keys.INPUT_NAMES, *keys.OUTPUT_NAMES})


def _decode_node(message: Any, fetch: Fetch) -> Node:
    where = f"node {quoted(message.name)}"
    if not message.name or not message.type:
        fail(where, "its name or type is empty", "an operator has both")
    edges = [_decode_edge(text, where) for text in message.input]
    is_const = message.type in keys.CONST_TYPES
    return Node(
        message.name,
        message.type,
        [edge for edge in edges if edge is None or edge.output >= 0],
        _decode_ports(message.input_desc, keys.INPUT_NAMES, "__input", message.attr, where),
        _decode_ports(message.output_desc, keys.OUTPUT_NAMES, "__output", message.attr, where),
        decode_attrs(message.attr, where, fetch if is_const else fetch_inline, _NODE_KEYS),
        [edge.node for edge in edges if edge is not None and edge.output < 0],
        message.subgraph_name,
    )


def _decode_edge(text: str, where: str) -> Edge | None:
    """None for an unconnected slot; output -1 for a control edge."""
    if not text:
        return None
    edge = parsed_edge(text)
    if edge is None:
        fail(where, f"{quoted(text)} is no edge", "an edge is written node:output, a control edge node:-1")
    return edge


def parsed_edge(text: str) -> Edge | None:
    """The edge that is written node:output, or node:-1 for a control edge; None for another text."""
    node, _, number = text.rpartition(":")
    return Edge(node, int(number)) if node and _OUTPUT_NUMBER.fullmatch(number) else None


def _decode_ports(
    descs: Sequence[Any], attrs: tuple[str, str], default: str, message: Any, where: str
) -> dict[str, TensorDesc]:
    """Descriptions under their ports' names; one without a name is called as GE calls it, __input0."""
    names = [f"{default}{number}" for number in range(len(descs))]
    if all(attr in message for attr in attrs):
        found, numbers = message[attrs[0]].list.s, message[attrs[1]].list.i
        if len(found) != len(numbers):
            fail(where, f"it names {len(found)} ports but numbers {len(numbers)}", "both lists are as long")
        for name, number in zip(found, numbers, strict=True):
            if not 0 <= number < len(descs):
                fail(
                    where, f"port {quoted(_text(name))} is number {number}", f"it has {len(descs)} such ports"
                )
            names[number] = _text(name)
    if len(set(names)) < len(names):
        fail(where, "two of its ports have the same name", "give each its own")
    ports = zip(names, descs, strict=True)
    return {name: _decode_desc(desc, f"{where}, port {quoted(name)}") for name, desc in ports}


def _decode_desc(message: Any, where: str) -> TensorDesc:
    desc = read_descriptor(message, where)
    free = decode_attrs(message.attr, where, skip=keys.DESC_KEYS)
    return replace(desc, attrs={**desc.attrs, **free}) if free else desc


def _decode_tensor(message: Any, where: str, fetch: Fetch = fetch_inline) -> Tensor:
    desc = _decode_desc(message.desc, where)
    raw = np.frombuffer(fetch(message, where), np.uint8)
    dtype, shape = desc.dtype.numpy, desc.shape
    if dtype is None or shape is None or -1 in shape:
        return Tensor(desc, raw)
    need = math.prod(shape) * dtype.itemsize
    if raw.size != need or math.prod(size or 1 for size in shape) * dtype.itemsize >= _TOO_LARGE:
        found = f"its data are {raw.size} bytes" if raw.size else "it has no data"
        takes = str(need) if need < _TOO_LARGE else "too many"
        fail(where, found, f"{desc.dtype.label} of shape {quoted(list(shape))} takes {takes} bytes")
    return Tensor(desc, raw.view(dtype).reshape(shape))


def _decode_named(message: Any, where: str) -> NamedAttrs:
    return NamedAttrs(message.name, decode_attrs(message.attr, where))


def _decode_attr(message: Any, name: str, where: str, fetch: Fetch) -> AttrValue:
    field = message.WhichOneof("value")
    if field is None:
        return b""  # GE writes empty bytes as an attribute without a value
    where = f"{where}, attribute {quoted(name)}"
    value = getattr(message, field)
    if field == "t":
        return _decode_tensor(value, where, fetch)
    if field == "list":
        return _decode_list(value, name, where)
    read = _READERS.get(field)
    return value if read is None else read(value, where)


def _refuse_expression(value: bytes, where: str) -> NoReturn:
    fail(where, f"it is the expression {quoted(_text(value))}", "GE's own loader reads no expressions")


def _decode_list(message: Any, name: str, where: str) -> ListOf:
    filled = [kind for kind, entry in LIST_FIELDS.items() if getattr(message, entry.field)]
    kind = LIST_KINDS.get(message.val_type)
    if message.val_type == 0 and name in keys.UNTYPED_LISTS:
        kind = filled[0] if filled else "str"
    if kind is None:
        fail(where, f"the val_type of its list is {message.val_type}", "it is 1 to 10, or GE drops the list")
    if filled not in ([], [kind]):
        other = next(found for found in filled if found != kind)
        fail(
            where,
            f"its list has the val_type of {kind} but holds {other}",
            "GE reads only what val_type says",
        )
    read: Callable[[Any, str], object] = _ELEMENT_READERS.get(kind, lambda element, where: element)
    return ListOf(kind, [read(element, where) for element in getattr(message, LIST_FIELDS[kind].field)])


def _decode_rows(rows: Sequence[Any], kind: ListKind, field: str) -> ListOf:
    return ListOf(kind, [tuple(getattr(row, field)) for row in rows])


def _dtype(number: int, where: str) -> DataType:
    try:
        return DataType.from_number(number)
    except KeyError:
        fail(where, f"its data type is {number}", "ge::DataType has 0 to 42")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


_READERS: Mapping[str, Callable[[Any, str], AttrValue]] = {
    "s": lambda value, where: _text(value),
    "dt": _dtype,
    "expression": _refuse_expression,
    "td": _decode_desc,
    "g": lambda value, where: decode_graph(value),
    "func": _decode_named,
    "list_list_int": lambda value, where: _decode_rows(value.list_list_i, "ints", "list_i"),
    "list_list_float": lambda value, where: _decode_rows(value.list_list_f, "floats", "list_f"),
}
_ELEMENT_READERS: Mapping[str, Callable[[Any, str], object]] = {
    "str": lambda value, where: _text(value),
    "dtype": _dtype,
    "desc": _decode_desc,
    "tensor": _decode_tensor,
    "graph": lambda value, where: decode_graph(value),
    "named": _decode_named,
}
