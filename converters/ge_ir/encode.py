"""Plain data -> messages of the wire schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from . import keys
from .descriptor import write_descriptor
from .dtypes import DataType
from .ends import data_nodes
from .graph import AttrValue, Edge, Graph, ListOf, NamedAttrs, Node, Tensor, TensorDesc
from .lists import LIST_FIELDS

Store: TypeAlias = Callable[[Tensor, Any], None]
"""Puts a Const's elements where they belong; its second argument is the TensorDef, described already."""


def store_inline(tensor: Tensor, message: Any) -> None:
    """The elements go into the TensorDef itself, as in an .air file."""
    message.data = bytes(tensor.buffer())


def encode_graph(graph: Graph, message: Any, store: Store = store_inline, first_id: int = 0) -> None:
    """Fill a GraphDef. `store` places the weights of Const nodes, `first_id` is the first node's id."""
    message.name = graph.name
    message.input.extend(f"{node.name}:0" for node in data_nodes(graph))
    message.output.extend(_edge(edge) for edge in graph.outputs)
    for id, node in enumerate(graph.nodes, first_id):
        _encode_node(node, id, message.op.add(), store)
    encode_attrs(graph.attrs, message.attr, f"graph {quoted(graph.name)}")


def encode_attrs(
    attrs: Mapping[str, AttrValue], message: Any, where: str, store: Store = store_inline
) -> None:
    """Fill a map of attributes. Raises MaxPoolGradError that says `where` and which attribute."""
    for name, value in attrs.items():
        try:
            _encode_attr(value, message[name], where, store)
        except (TypeError, ValueError) as error:
            raise MaxPoolGradError(
                f"{where}: attribute {quoted(name)} cannot be written: {error}; use a plain value or a ListOf"
            ) from error


def _edge(edge: Edge | None) -> str:
    return "" if edge is None else f"{edge.node}:{edge.output}"


def _encode_node(node: Node, id: int, message: Any, store: Store) -> None:
    message.name = node.name
    message.type = node.type
    message.id = id
    message.input.extend(_edge(edge) for edge in node.inputs)
    message.input.extend(f"{source}:-1" for source in node.control_inputs)
    message.subgraph_name.extend(node.subgraphs)
    for desc in node.input_descs.values():
        _encode_desc(desc, message.input_desc.add())
    for desc in node.output_descs.values():
        _encode_desc(desc, message.output_desc.add())
    _encode_port_names(keys.INPUT_NAMES, node.input_descs, message.attr)
    _encode_port_names(keys.OUTPUT_NAMES, node.output_descs, message.attr)
    is_const = node.type in keys.CONST_TYPES
    encode_attrs(node.attrs, message.attr, f"node {quoted(node.name)}", store if is_const else store_inline)


def _encode_port_names(attrs: tuple[str, str], ports: Mapping[str, TensorDesc], message: Any) -> None:
    if not ports:
        return
    names, numbers = (message[attr].list for attr in attrs)
    names.val_type = LIST_FIELDS["str"].val_type
    names.s.extend(_text(name) for name in ports)
    numbers.val_type = LIST_FIELDS["int"].val_type
    numbers.i.extend(range(len(ports)))


def _encode_desc(desc: TensorDesc, message: Any) -> None:
    write_descriptor(desc, message)
    encode_attrs(desc.attrs, message.attr, f"tensor {quoted(desc.name)}")


def _encode_tensor(tensor: Tensor, message: Any, store: Store = store_inline) -> None:
    _encode_desc(tensor.desc, message.desc)
    store(tensor, message)


def _encode_named(named: NamedAttrs, message: Any) -> None:
    message.name = named.name
    encode_attrs(named.attrs, message.attr, f"attributes {quoted(named.name)}")


def _encode_attr(value: AttrValue, message: Any, where: str, store: Store) -> None:
    if isinstance(value, Tensor):
        _encode_tensor(value, message.t, store)
        return
    for kind, write in _WRITERS:
        if isinstance(value, kind):
            write(value, message)
            return
    raise TypeError(f"its value is a {type(value).__name__}")


def _setter(field: str, convert: Callable[[Any], Any]) -> Callable[[Any, Any], None]:
    return lambda value, message: setattr(message, field, convert(value))


def _text(text: str) -> bytes:
    """GE's strings are bytes; surrogates stand for those that are not UTF-8."""
    return text.encode("utf-8", "surrogateescape")


def _encode_list(value: ListOf, message: Any) -> None:
    if value.kind == "ints":
        _encode_rows(value.values, message.list_list_int, "list_list_i", "list_i")
    elif value.kind == "floats":
        _encode_rows(value.values, message.list_list_float, "list_list_f", "list_f")
    else:
        val_type, field = LIST_FIELDS[value.kind]
        message.list.val_type = val_type
        _extend(getattr(message.list, field), value)


def _encode_rows(rows: Sequence[Any], message: Any, outer: str, inner: str) -> None:
    message.SetInParent()  # an empty list of lists is one too
    for row in rows:
        getattr(getattr(message, outer).add(), inner).extend(row)


def _extend(field: Any, value: ListOf) -> None:
    fill = _ELEMENT_WRITERS.get(value.kind)
    if fill is None:
        field.extend(_ELEMENTS.get(value.kind, lambda element: element)(element) for element in value.values)
        return
    for element in value.values:
        fill(element, field.add())


# bool before int: a bool is an int too.
_WRITERS: tuple[tuple[type, Callable[[Any, Any], None]], ...] = (
    (str, _setter("s", _text)),
    (bool, _setter("b", bool)),
    (int, _setter("i", int)),
    (float, _setter("f", float)),
    (bytes, _setter("bt", bytes)),
    (DataType, _setter("dt", lambda dtype: dtype.value)),
    (TensorDesc, lambda desc, message: _encode_desc(desc, message.td)),
    (Graph, lambda graph, message: encode_graph(graph, message.g)),
    (NamedAttrs, lambda named, message: _encode_named(named, message.func)),
    (ListOf, _encode_list),
)
_ELEMENTS: Mapping[str, Callable[[Any], Any]] = {"str": _text, "dtype": lambda dtype: dtype.value}
_ELEMENT_WRITERS: Mapping[str, Callable[[Any, Any], None]] = {
    "desc": _encode_desc,
    "tensor": _encode_tensor,
    "graph": encode_graph,
    "named": _encode_named,
}
