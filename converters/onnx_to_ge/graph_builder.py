"""A GE graph in the making: nodes are added in order, descriptions of tensors are made at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ge_ir import AttrValue, DataType, Edge, Format, Graph, Node, Shape, Tensor, TensorDesc
from .prototypes import PROTOTYPES, Port, port_names

Array = np.ndarray[Any, np.dtype[Any]]

NET_OUTPUT_NAME = "Node_Output"


@dataclass(frozen=True, eq=False)
class Value:
    """A tensor of the graph: who makes it and what is known of it. `constant` holds its elements where it is
    one."""

    edge: Edge
    dtype: DataType
    shape: Shape | None
    constant: Array | None = None


@dataclass(frozen=True)
class _Step:
    """A node before its tensors are described."""

    name: str
    type: str
    inputs: Sequence[tuple[str, Port, Value]]
    outputs: Sequence[tuple[str, Port, Value]]
    attrs: Mapping[str, AttrValue]


class GraphBuilder:
    """Collects nodes; `finish` gives the graph.

    A tensor that touches a spatial port (Conv, pooling) has that port's layout wherever it goes; all others
    are ND.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._steps: list[_Step] = []
        self._names: set[str] = {NET_OUTPUT_NAME}
        self._pending: dict[str, Value] = {}
        self._formats: dict[Edge, Format] = {}

    def unique_name(self, wanted: str) -> str:
        """A node name that nobody has, and now this one's: `wanted`, or that with a number."""
        base = wanted.replace(":", "_")
        name, number = base, 1
        while not name or name in self._names:
            name, number = f"{base}_{number}", number + 1
        self._names.add(name)
        return name

    def data(self, name: str, dtype: DataType, shape: Shape | None, attrs: Mapping[str, AttrValue]) -> Value:
        """The next input of the graph."""
        value = Value(Edge(self.unique_name(name)), dtype, shape)
        number = {"index": sum(step.type == "Data" for step in self._steps)}
        self._add(
            "Data",
            value.edge.node,
            [value],
            [value],
            {**PROTOTYPES["Data"].encode_attributes(number), **attrs},
        )
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
    ) -> list[Value]:
        """Add an operator with a prototype. `attributes` are plain values by the prototype's names."""
        for value in inputs:
            self._write_pending(value)
        node_name = self.unique_name(name)
        values = [Value(Edge(node_name, i), dtype, shape) for i, (dtype, shape) in enumerate(outputs)]
        self._add(type_, node_name, inputs, values, PROTOTYPES[type_].encode_attributes(attributes))
        return values

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
        if self._pending.pop(value.edge.node, None) is not None and value.constant is not None:
            self._add("Const", value.edge.node, [], [value], {})

    def _add(
        self,
        type_: str,
        name: str,
        inputs: Sequence[Value],
        outputs: Sequence[Value],
        attrs: Mapping[str, AttrValue],
    ) -> None:
        prototype = PROTOTYPES[type_]
        ports_in = [
            (*port, value)
            for port, value in zip(port_names(prototype.inputs, len(inputs)), inputs, strict=True)
        ]
        ports_out = [
            (*port, value)
            for port, value in zip(port_names(prototype.outputs, len(outputs)), outputs, strict=True)
        ]
        layout = attrs.get("data_format")
        if isinstance(layout, str):
            for _, port, value in (*ports_in, *ports_out):
                if port.spatial:
                    self._formats.setdefault(value.edge, Format[layout])
        self._steps.append(_Step(name, type_, ports_in, ports_out, attrs))

    def _described(self, step: _Step) -> Node:
        layout = step.attrs.get("data_format")

        def descs(ports: Sequence[tuple[str, Port, Value]]) -> dict[str, TensorDesc]:
            own = Format[layout] if isinstance(layout, str) else None
            return {
                name: self._desc(value, format=own if port.spatial else None) for name, port, value in ports
            }

        attrs = step.attrs
        for _, _, value in step.outputs:
            if value.constant is not None:
                attrs = {"value": Tensor.of(value.constant, self._format(value))}
        inputs = [] if step.type == "Data" else [value.edge for _, _, value in step.inputs]
        return Node(step.name, step.type, inputs, descs(step.inputs), descs(step.outputs), attrs)

    def _desc(self, value: Value, name: str = "", format: Format | None = None) -> TensorDesc:
        return TensorDesc(value.dtype, value.shape, format or self._format(value), name=name)

    def _format(self, value: Value) -> Format:
        return self._formats.get(value.edge, Format.ND)
