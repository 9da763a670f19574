"""A GE node as a rule of the way back sees it: its inputs as ONNX names, its attributes as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import onnx

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..ge_ir import Edge, Graph, Node, TensorDesc
from ..ge_ir.keys import CONST_TYPES, ONNX_FORM
from ..ge_ops.prototype import REQUIRED
from ..ge_ops.prototypes import PROTOTYPES
from .onnx_builder import OnnxBuilder


@dataclass(frozen=True)
class Links:
    """Who is who in a graph: nodes by name, and what takes a value: nodes with the number of the port."""

    nodes: Mapping[str, Node]
    consumers: Mapping[Edge, Sequence[tuple[Node, int]]]

    @classmethod
    def of(cls, graph: Graph) -> Links:
        """The links of a graph."""
        consumers: dict[Edge, list[tuple[Node, int]]] = {}
        for node in graph.nodes:
            for port, edge in enumerate(node.inputs):
                if edge is not None:
                    consumers.setdefault(edge, []).append((node, port))
        return cls({node.name: node for node in graph.nodes}, consumers)


class GeNode:
    """One node on the way back.

    A rule reads inputs and attributes and adds ONNX nodes, the last with `add`, or refuses. An attribute that
    a rule does not read must have its default, or the node is refused: nothing is dropped in silence.
    """

    def __init__(self, node: Node, links: Links, model: OnnxBuilder) -> None:
        self.node = node
        self.type = node.type
        self._links = links
        self._model = model
        self._read: set[str] = set()

    @property
    def subject(self) -> str:
        """How a sentence about the node begins."""
        return f"{self.type} node {quoted(self.node.name)}"

    def refuse(self, reason: str) -> NoReturn:
        """Raise MaxPoolGradError: the node, and what of it has no counterpart in ONNX."""
        raise MaxPoolGradError(f"{self.subject}: {reason}", code="E10501")

    # ---- What the node says

    @property
    def onnx_form(self) -> str | None:
        """The form of ONNX that the node is marked with: one of ge_ops.forms."""
        form = self.node.attrs.get(ONNX_FORM)
        return form if isinstance(form, str) else None

    @property
    def input_count(self) -> int:
        """The number of inputs, trailing unconnected ones left out."""
        inputs = list(self.node.inputs)
        while inputs and inputs[-1] is None:
            inputs.pop()
        return len(inputs)

    def input(self, index: int) -> str:
        """The ONNX name of a required input."""
        edge = self._edge(index)
        source = self._links.nodes[edge.node]
        if source.type in CONST_TYPES and self._model.constant(edge) is None:
            self.refuse(
                f"input {index} is a constant of {source.output_desc().dtype.label}, which ONNX lacks here"
            )
        return self._model.value_name(edge)

    def optional_input(self, index: int) -> str | None:
        """The ONNX name of an input, or None where it is not connected."""
        return self.input(index) if self.has_input(index) else None

    def has_input(self, index: int) -> bool:
        """Whether an input is connected."""
        return index < len(self.node.inputs) and self.node.inputs[index] is not None

    def inputs(self) -> list[str]:
        """The ONNX names of all inputs."""
        return [self.input(i) for i in range(self.input_count)]

    def producer(self, index: int) -> GeNode:
        """The node that makes an input."""
        return GeNode(self._links.nodes[self._edge(index).node], self._links, self._model)

    def consumers(self, output: int = 0) -> list[GeNode]:
        """The nodes that take an output, once for each port, NetOutput among them."""
        return [node for node, _ in self.consumer_ends(output)]

    def consumer_ends(self, output: int = 0) -> list[tuple[GeNode, int]]:
        """The same with the number of the port that each takes it at."""
        ends = self._links.consumers.get(Edge(self.node.name, output), ())
        return [(GeNode(node, self._links, self._model), port) for node, port in ends]

    def consumer_ports(self, output: int = 0) -> list[tuple[str, int]]:
        """Type and input port of the nodes that take an output, NetOutput among them."""
        ends = self._links.consumers.get(Edge(self.node.name, output), ())
        return [(node.type, port) for node, port in ends]

    def input_edge(self, index: int) -> Edge:
        """What makes a required input."""
        return self._edge(index)

    def unique_name(self, suffix: str) -> str:
        """A name for a value that ONNX has on the way, and GE not."""
        return self._model.unique_name(f"{self.node.name}_{suffix}")

    def name_of(self, output: int) -> str:
        """The ONNX name of an output."""
        return self._model.value_name(Edge(self.node.name, output))

    def constant(self, index: int, what: str) -> Array:
        """The elements of an input that a Const node makes; `what` names it in the refusal."""
        value = self.optional_constant(index)
        if value is None:
            self.refuse(f"its {what} is computed while the model runs; ONNX wants it as a constant")
        return value

    def integers(self, index: int, what: str) -> Array:
        """The same as a vector of integers."""
        elements = self.constant(index, what)
        if elements.dtype.kind not in "iu":
            self.refuse(f"its {what} is {elements.dtype}; the host takes integers")
        return elements.ravel().astype(np.int64)

    def scalar(self, index: int, what: str) -> Any:
        """The one element of a constant input."""
        return self._one(self.constant(index, what), what)

    def integer(self, index: int, what: str) -> int:
        """The one element of a constant input of integers."""
        return int(self._one(self.integers(index, what), what))

    def _one(self, elements: Array, what: str) -> Any:
        if elements.size != 1:
            self.refuse(f"its {what} has {elements.size} elements; it must have one")
        return elements.ravel()[0]

    def optional_constant(self, index: int) -> Array | None:
        """The elements of an input that a Const node makes, else None."""
        return self._model.constant(self._edge(index))

    def input_desc(self, index: int) -> TensorDesc:
        """The description on the port of a required input."""
        self._edge(index)
        return self.node.input_desc(index)

    def input_dtype(self, index: int) -> np.dtype[Any]:
        """The data type of a required input."""
        return self._numpy(self.input_desc(index))

    def output_dtype(self) -> np.dtype[Any]:
        """The data type of the output."""
        return self._numpy(self.node.output_desc())

    def _numpy(self, desc: TensorDesc) -> np.dtype[Any]:
        if desc.dtype.numpy is None:
            self.refuse(f"it works on {desc.dtype.label}, which the host has no type for")
        return desc.dtype.numpy

    def attr(self, name: str) -> Any:
        """An attribute as a plain value, the prototype's default where the node does not write it."""
        self._read.add(name)
        return self._value(name)

    def has_attr(self, name: str) -> bool:
        """Whether operators of the type have this attribute."""
        return name in PROTOTYPES[self.type].attributes

    def check_all_read(self) -> None:
        """Refuse a node that has an attribute of its prototype, unread and other than the default."""
        prototype = PROTOTYPES[self.type]
        for name, attribute in prototype.attributes.items():
            if name not in self._read and attribute.default is not REQUIRED:
                value, default = self._value(name), attribute.decode(attribute.encode(attribute.default))
                if value != default:
                    self.refuse(f"{name} is {value!r}; only {default!r} can run on the host")

    def _edge(self, index: int) -> Edge:
        edge = self.node.inputs[index] if index < len(self.node.inputs) else None
        if edge is None:
            self.refuse(f"input {index} is not connected")
        return edge

    def _value(self, name: str) -> Any:
        attribute = PROTOTYPES[self.type].attributes[name]
        value = self.node.attrs.get(name)
        if value is None:
            if attribute.default is REQUIRED:
                self.refuse(f"the attribute {name} is missing")
            value = attribute.encode(attribute.default)
        try:
            return attribute.decode(value)
        except TypeError as error:
            self.refuse(f"the attribute {name} {error}")

    # ---- What becomes of it

    def add(self, op_type: str, inputs: Sequence[str], domain: str = "", **attributes: Any) -> None:
        """The ONNX node whose outputs are this node's. Attributes that are None are left out."""
        self.add_for(self._output_names(), op_type, inputs, domain, **attributes)

    def add_for(
        self,
        outputs: Sequence[str],
        op_type: str,
        inputs: Sequence[str],
        domain: str = "",
        *,
        suffix: str = "",
        **attributes: Any,
    ) -> None:
        """The same for a node whose outputs are given by name, and that is called after this one with the
        suffix."""
        name = f"{self.node.name}_{suffix}"
        name = self._model.unique_node_name(name) if suffix else self.node.name
        self._model.node(op_type, inputs, outputs, name, domain, attributes)

    def add_inner(
        self, op_type: str, suffix: str, inputs: Sequence[str], domain: str = "", **attributes: Any
    ) -> str:
        """An ONNX node that is needed on the way; gives the name of its output."""
        name = f"{self.node.name}_{suffix}"
        output = self._model.unique_name(name)
        self._model.node(op_type, inputs, [output], self._model.unique_node_name(name), domain, attributes)
        return output

    def as_int64(self, index: int, suffix: str) -> str:
        """An input as ONNX wants sizes and axes: int64, whichever integer type GE has it in."""
        constant = self.optional_constant(index)
        if constant is not None and constant.dtype != np.int64:
            return self.add_constant(self.integers(index, suffix).reshape(constant.shape), suffix)
        if constant is None and self.input_dtype(index) != np.int64:
            return self.add_inner("Cast", suffix, [self.input(index)], to=onnx.TensorProto.INT64)
        return self.input(index)

    def add_constant(self, array: Array, suffix: str) -> str:
        """A constant that ONNX wants and GE writes otherwise; gives its name."""
        return self._model.initializer(array, f"{self.node.name}_{suffix}")

    def _output_names(self) -> list[str]:
        return [self._model.value_name(Edge(self.node.name, i)) for i in range(len(self.node.output_descs))]
