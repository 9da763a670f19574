"""A GE graph in the making: nodes are added in order, descriptions of tensors are made at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.unique_names import UniqueNames

from ..ge_ir import AttrValue, DataType, Edge, Format, Graph, Node, Shape, Tensor, TensorDesc
from ..ge_ir.keys import ONNX_FORM, ONNX_NAME
from ..ge_ops.prototype import Port, port_names
from ..ge_ops.prototypes import PROTOTYPES

NET_OUTPUT_NAME = "Node_Output"


@dataclass(frozen=True, eq=False)
class Value:
    """A tensor of the graph: who makes it, what is known of it, and a constant's elements."""

    edge: Edge
    dtype: DataType
    shape: Shape | None
    constant: Array | None = None


@dataclass(frozen=True, eq=False)
class _End:
    """An end of a node: the port's name, whether it has the node's layout, and the tensor there."""

    port: str
    has_layout: bool
    value: Value


@dataclass(frozen=True)
class _Step:
    """A node before its tensors are described. `layout`: that of the ends which have it."""

    name: str
    type: str
    inputs: Sequence[_End]
    outputs: Sequence[_End]
    attrs: Mapping[str, AttrValue]
    layout: Format | None


class GraphBuilder:
    """Collects nodes; `finish` gives the graph.

    A tensor that touches a spatial port (Conv, pooling) has that port's layout wherever it goes; all others
    are ND.
    """

    def __init__(self, name: str, *, plain_inputs: bool = False) -> None:
        """`plain_inputs`: the graph's inputs are ND, whatever port takes them."""
        self._name = name
        self._plain_inputs = plain_inputs
        self._steps: list[_Step] = []
        self._names = UniqueNames([NET_OUTPUT_NAME])
        self._data_count = 0
        self._pending: dict[str, Value] = {}
        self._takers: dict[tuple[str, Edge], list[_Step]] = {}
        self._formats: dict[Edge, Format] = {}

    def unique_name(self, wanted: str) -> str:
        """A node name that nobody has. Colons separate a node from its output's number, so none is in it."""
        return self._names.claim(wanted.replace(":", "_"))

    def data(self, name: str, dtype: DataType, shape: Shape | None, attrs: Mapping[str, AttrValue]) -> Value:
        """The next input of the graph."""
        value = Value(Edge(self.unique_name(name)), dtype, shape)
        encoded = {**PROTOTYPES["Data"].encode_attributes({"index": self._data_count}), **attrs}
        if value.edge.node != name:
            encoded[ONNX_NAME] = name
        self._data_count += 1
        ends = [[_End(port, self._plain_inputs, value)] for port in ("x", "y")]
        layout = Format.ND if self._plain_inputs else None
        self._steps.append(_Step(value.edge.node, "Data", ends[0], ends[1], encoded, layout))
        return value

    def constant(self, array: Array, name: str) -> Value:
        """A constant. Its Const node is written when the value is first used as an input, or never."""
        edge = Edge(self.unique_name(name))
        value = Value(edge, DataType.of(array.dtype), array.shape, array)
        self._pending[edge.node] = value
        return value

    def node(
        self,
        type_: str,
        name: str,
        inputs: Sequence[Value],
        outputs: Sequence[tuple[DataType, Shape | None]],
        attributes: Mapping[str, Any],
        onnx_form: str | None = None,
    ) -> list[Value]:
        """Add an operator with a prototype. `attributes` are plain values by the prototype's names.

        `onnx_form` is kept with it for the way back: see ONNX_FORM.
        """
        for value in inputs:
            self._write_pending(value)
        node_name = self.unique_name(name)
        values = [Value(Edge(node_name, i), dtype, shape) for i, (dtype, shape) in enumerate(outputs)]
        prototype = PROTOTYPES[type_]
        encoded = prototype.encode_attributes(attributes)
        if onnx_form is not None:
            encoded[ONNX_FORM] = onnx_form
        layout = Format[str(encoded["data_format"])] if "data_format" in encoded else None
        ends = _ends(prototype.inputs, inputs), _ends(prototype.outputs, values)
        for end in (*ends[0], *ends[1]):
            if end.has_layout and layout is not None:
                self._formats.setdefault(end.value.edge, layout)
        step = _Step(node_name, type_, *ends, encoded, layout)
        self._steps.append(step)
        if inputs:
            self._takers.setdefault((type_, inputs[0].edge), []).append(step)
        return values

    def find(self, type_: str, first: Value, attributes: Mapping[str, Any]) -> list[Value] | None:
        """The outputs of an operator that there is already, of this type with these attributes among its own,
        and with this first input; None where there is none."""
        kinds = PROTOTYPES[type_].attributes
        wanted = {name: kinds[name].encode(value) for name, value in attributes.items()}
        for step in self._takers.get((type_, first.edge), ()):
            if all(step.attrs[name] == value for name, value in wanted.items()):
                return [end.value for end in step.outputs]
        return None

    def finish(self, outputs: Sequence[tuple[str, Value]]) -> Graph:
        """The graph, ended by a NetOutput whose input descriptions carry the outputs' names."""
        for _, value in outputs:
            self._write_pending(value)
        nodes = [self._described(step) for step in self._steps]
        ends = {f"__input{i}": self._desc(value, name) for i, (name, value) in enumerate(outputs)}
        edges = [value.edge for _, value in outputs]
        nodes.append(Node(NET_OUTPUT_NAME, "NetOutput", edges, ends))
        return Graph(self._name, nodes, edges)

    def _write_pending(self, value: Value) -> None:
        if self._pending.pop(value.edge.node, None) is not None:
            self._steps.append(_Step(value.edge.node, "Const", (), [_End("y", False, value)], {}, None))

    def _described(self, step: _Step) -> Node:
        def descs(ends: Sequence[_End]) -> dict[str, TensorDesc]:
            own = {end.port: step.layout if end.has_layout else None for end in ends}
            return {end.port: self._desc(end.value, format=own[end.port]) for end in ends}

        attrs = step.attrs
        for end in step.outputs:
            if end.value.constant is not None:
                attrs = {"value": Tensor.of(end.value.constant, self._format(end.value))}
        inputs = [] if step.type == "Data" else [end.value.edge for end in step.inputs]
        return Node(step.name, step.type, inputs, descs(step.inputs), descs(step.outputs), attrs)

    def _desc(self, value: Value, name: str = "", format: Format | None = None) -> TensorDesc:
        return TensorDesc(value.dtype, value.shape, format or self._format(value), name=name)

    def _format(self, value: Value) -> Format:
        return self._formats.get(value.edge, Format.ND)


def _ends(ports: Sequence[Port], values: Sequence[Value]) -> list[_End]:
    named = port_names(ports, len(values))
    return [_End(name, port.spatial, value) for (name, port), value in zip(named, values, strict=True)]
