"""GE's text dumps of a graph as a GE model: ge_proto_*.txt and, in ONNX's form, ge_onnx_*.pbtxt.

A dump is written in the middle of a compilation, of a part of a graph and, on demand, without weights:
nothing in it has to be whole, so it is not verified.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from maxpoolgrad_onnx.errors import MaxPoolGradError, one_line

from ..ge_ir import DataType, Format, GeModel, Graph, Node, TensorDesc
from ..ge_ir.complete import completed
from ..ge_ir.decode import decode_attrs, decode_graph, parsed_edge
from ..ge_ir.ends import net_outputs
from ..ge_ir.graph import AttrValue, ListOf
from ..ge_ir.keys import CONST_TYPES, CONST_VALUE, INPUT_NAMES
from ..ge_ir.model import parse
from ..ge_ir.refusal import BAD_FILE
from ..ge_ir.text import parse_text

if TYPE_CHECKING:
    from onnx import AttributeProto, ModelProto, NodeProto

_PREFIX = "ge:"  # of every operator's type in the ONNX form
_DESC = re.compile(r"(input|output)_desc_(?:(\w+):)?(\d+)")
_BOOKKEEPING = frozenset({"id", "stream_id", "input_desc_nums", "output_desc_nums", *INPUT_NAMES})


def from_text(data: bytes, source: str) -> tuple[GeModel, list[str]]:
    """A ge_proto_*.txt, and oddities. Raises MaxPoolGradError where it is no such text."""
    text, left_out = parse_text(data, source)
    message = parse(text.SerializeToString(), source)
    empty = _drop_empty_weights(message)
    try:
        graphs = [completed(decode_graph(graph)) for graph in message.graph]
        attrs = decode_attrs(message.attr, "the model")
    except MaxPoolGradError as error:
        raise MaxPoolGradError(f"{source}: {error}", code=error.code or BAD_FILE) from None
    if not graphs:
        raise MaxPoolGradError(f"{source}: it has no graph; dump it again", code=BAD_FILE)
    oddities = [left_out] if left_out else []
    if empty:
        oddities.append(f"the elements of {empty} weights are not in the dump")
    return GeModel(message.name, graphs[0], attrs, graphs[1:], message.version), oddities


def from_onnx_text(model: ModelProto) -> GeModel:
    """A ge_onnx_*.pbtxt that was read as an ONNX model."""
    graph = Graph(model.graph.name, [_node(node) for node in model.graph.node])
    returned = net_outputs(graph) or ()
    return GeModel(model.graph.name, replace(completed(graph), outputs=returned))


def is_ge_dump(model: ModelProto) -> bool:
    """Whether an ONNX model in text form is GE's: then every operator's type begins with ge:."""
    return any(node.op_type.startswith(_PREFIX) for node in model.graph.node)


def parse_onnx_text(data: bytes, source: str) -> ModelProto:
    """An ONNX model from its text form. Raises MaxPoolGradError where it is none."""
    from google.protobuf import text_format
    from onnx import ModelProto

    model = ModelProto()
    try:
        text_format.Parse(data.decode(), model, allow_unknown_field=True)
    except (text_format.ParseError, UnicodeDecodeError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else one_line(str(error))
        raise MaxPoolGradError(
            f"{source}: its text is no ONNX model: {reason}; give a ge_onnx_*.pbtxt, or an .onnx",
            code=BAD_FILE,
        ) from error
    return model


def _drop_empty_weights(message: Any) -> int:
    empty = [
        op
        for graph in message.graph
        for op in graph.op
        if op.type in CONST_TYPES and CONST_VALUE in op.attr and not op.attr[CONST_VALUE].t.data
    ]
    for op in empty:
        del op.attr[CONST_VALUE]
    return len(empty)


def _node(node: NodeProto) -> Node:
    """Edges are written source:output, control edges source:-1; descriptions are attributes."""
    values = {attribute.name: _value(attribute) for attribute in node.attribute}
    edges = [parsed_edge(text) for text in node.input]
    ports = {kind: list(_ports(values, kind)) for kind in ("input", "output")}
    names = _input_names(values)
    return Node(
        node.name,
        node.op_type.removeprefix(_PREFIX),
        [edge for edge in edges if edge is None or edge.output >= 0],
        {names.get(at, f"__input{at}"): desc for at, desc in enumerate(ports["input"])},
        {f"__output{at}": desc for at, desc in enumerate(ports["output"])},
        {
            name: value
            for name, value in values.items()
            if name not in _BOOKKEEPING and not name.startswith(("input_desc_", "output_desc_"))
        },
        [edge.node for edge in edges if edge is not None and edge.output < 0],
    )


def _value(attribute: AttributeProto) -> AttrValue:
    from onnx import AttributeProto

    read: dict[int, Callable[[], AttrValue]] = {
        AttributeProto.INT: lambda: attribute.i,
        AttributeProto.FLOAT: lambda: attribute.f,
        AttributeProto.STRING: lambda: attribute.s.decode("utf-8", "replace"),
        AttributeProto.INTS: lambda: ListOf("int", list(attribute.ints)),
        AttributeProto.FLOATS: lambda: ListOf("float", list(attribute.floats)),
        AttributeProto.STRINGS: lambda: ListOf(
            "str", [text.decode("utf-8", "replace") for text in attribute.strings]
        ),
    }
    return read.get(attribute.type, bytes)()


def _input_names(values: Mapping[str, AttrValue]) -> dict[int, str]:
    names, numbers = (values.get(key) for key in INPUT_NAMES)
    if not isinstance(names, ListOf) or not isinstance(numbers, ListOf):
        return {}
    pairs = zip(numbers.values, names.values, strict=False)
    return {number: str(name) for number, name in pairs if isinstance(number, int)}


def _ports(values: Mapping[str, AttrValue], kind: str) -> Iterator[TensorDesc]:
    """The descriptions of inputs or outputs: each field an attribute, or where there are many all in JSON."""
    fields: dict[int, dict[str, Any]] = {}
    for name, value in values.items():
        found = _DESC.fullmatch(name)
        if not found or found[1] != kind:
            continue
        entry = fields.setdefault(int(found[3]), {})
        if found[2]:
            entry[found[2]] = list(value.values) if isinstance(value, ListOf) else value
        elif isinstance(value, str):
            entry.update(_object(value))
    for number in range(max(fields, default=-1) + 1):
        yield _description(fields.get(number, {}))


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _description(fields: Mapping[str, Any]) -> TensorDesc:
    try:
        dtype = DataType.from_label(str(fields.get("dtype")))
    except KeyError:
        dtype = DataType.UNDEFINED
    try:
        layout = Format.from_label(str(fields.get("layout")))
    except KeyError:
        layout = Format.ND
    shape = fields.get("shape")
    whole = isinstance(shape, list) and all(isinstance(size, int) for size in shape)
    return TensorDesc(dtype, tuple(shape) if whole and shape is not None else None, layout)
