"""An ONNX node as a rule sees it: its inputs as values of the GE graph, its attributes, ways to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
import onnx
from onnx import NodeProto

from maxpoolgrad_onnx.errors import MaxPoolGradError

from ..ge_ir import DataType, Shape
from ..ge_ir.refusal import quoted
from .graph_builder import Array, GraphBuilder, Value

TypeOf = tuple[DataType, Shape | None]
"""Data type and shape of a tensor."""


class OnnxNode:
    """One node during conversion.

    A rule reads inputs and attributes, adds GE nodes with `add`, and names the results with `give`, or
    refuses.
    """

    def __init__(
        self,
        proto: NodeProto,
        opset: int,
        graph: GraphBuilder,
        values: dict[str, Value],
        types: Mapping[str, TypeOf],
    ) -> None:
        self.proto = proto
        self.opset = opset
        self._graph = graph
        self._values = values
        self._types = types
        self._attributes = {attribute.name: attribute for attribute in proto.attribute}

    @property
    def subject(self) -> str:
        """How a sentence about the node begins."""
        name = (
            f" {quoted(self.proto.name)}" if self.proto.name else f" that makes {quoted(self._first_output)}"
        )
        return f"{self.proto.op_type} node{name}"

    def refuse(self, reason: str) -> NoReturn:
        """Raise MaxPoolGradError: the node, and what is wrong with which value, what is allowed."""
        raise MaxPoolGradError(f"{self.subject}: {reason}", code="E13014")

    # ---- What the node says

    @property
    def input_count(self) -> int:
        """The number of inputs, trailing empty ones left out."""
        names = list(self.proto.input)
        while names and not names[-1]:
            names.pop()
        return len(names)

    def input(self, index: int) -> Value:
        """A required input."""
        value = self.optional_input(index)
        if value is None:
            self.refuse(f"input {index} is missing; connect it")
        return value

    def optional_input(self, index: int) -> Value | None:
        """An input, or None where the node leaves it out."""
        name = self.proto.input[index] if index < len(self.proto.input) else ""
        if not name:
            return None
        if name not in self._values:
            self.refuse(f"its input {quoted(name)} is made by no earlier node; sort the nodes")
        return self._values[name]

    def constant(self, index: int, what: str) -> Array:
        """The elements of an input that must be known now; `what` names it in the refusal."""
        value = self.input(index)
        if value.constant is None:
            self.refuse(
                f"its {what} {quoted(self.proto.input[index])} is computed while the model runs; "
                "it must be a constant: fold constants or fix the shapes before converting"
            )
        return value.constant

    def output_type(self, index: int = 0) -> TypeOf:
        """Data type and shape of an output, from shape inference."""
        name = self.proto.output[index]
        if name not in self._types:
            self.refuse(f"the type of its output {quoted(name)} cannot be inferred; add a value_info for it")
        return self._types[name]

    def has_output(self, index: int) -> bool:
        """Whether the node names this output."""
        return index < len(self.proto.output) and bool(self.proto.output[index])

    def attr_int(self, name: str, default: int) -> int:
        """An int attribute."""
        return int(self._attribute(name, default))

    def attr_ints(self, name: str, default: Sequence[int] | None = None) -> list[int] | None:
        """A list attribute."""
        value = self._attribute(name, default)
        return None if value is None else [int(item) for item in value]

    def attr_float(self, name: str, default: float) -> float:
        """A float attribute."""
        return float(self._attribute(name, default))

    def attr_string(self, name: str, default: str) -> str:
        """A string attribute."""
        value = self._attribute(name, default)
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)

    def attr_tensor(self, name: str) -> Array | None:
        """A tensor attribute, or None."""
        attribute = self._attributes.get(name)
        return None if attribute is None else onnx.numpy_helper.to_array(attribute.t)

    def attr_value(self, name: str) -> Any:
        """Any attribute as ONNX's helper gives it, or None."""
        return self._attribute(name, None)

    def _attribute(self, name: str, default: Any) -> Any:
        attribute = self._attributes.get(name)
        return default if attribute is None else onnx.helper.get_attribute_value(attribute)

    def attribute_names(self) -> set[str]:
        """The attributes that the node writes."""
        return set(self._attributes)

    # ---- What becomes of it

    def add(self, type_: str, inputs: Sequence[Value], attributes: Mapping[str, Any] | None = None) -> None:
        """The GE node whose outputs are this node's outputs. `attributes` are plain values by GE's names."""
        types = [self.output_type(i) for i in range(len(self.proto.output))]
        values = self._graph.node(type_, self._name, inputs, types, attributes or {})
        for name, value in zip(self.proto.output, values, strict=True):
            self._values[name] = value

    def add_inner(
        self,
        type_: str,
        suffix: str,
        inputs: Sequence[Value],
        output: TypeOf,
        attributes: Mapping[str, Any] | None = None,
    ) -> Value:
        """A GE node that this node needs on the way, called after it with the suffix."""
        return self._graph.node(type_, f"{self._name}_{suffix}", inputs, [output], attributes or {})[0]

    def add_constant(self, array: Any, suffix: str, dtype: Any = np.int64) -> Value:
        """A constant input that GE wants and ONNX writes otherwise."""
        return self._graph.constant(np.asarray(array, dtype), f"{self._name}_{suffix}")

    def add_reshaped(self, value: Value, suffix: str, shape: Shape) -> Value:
        """The same elements in another shape, every size of which is known: a constant stays one."""
        if value.constant is not None:
            return self.add_constant(value.constant.reshape(shape), suffix, value.constant.dtype)
        sizes = self.add_constant(shape, f"{suffix}_shape")
        return self.add_inner("Reshape", suffix, [value, sizes], (value.dtype, shape))

    def give(self, value: Value) -> None:
        """Let the node's only output be a value that exists."""
        self._values[self._first_output] = value

    def give_constant(self, array: Array) -> None:
        """Let the node's only output be a constant."""
        self._values[self._first_output] = self._graph.constant(array, self._name)

    @property
    def _first_output(self) -> str:
        return self.proto.output[0]

    @property
    def _name(self) -> str:
        return self.proto.name or f"{self.proto.op_type}_{self._first_output}"
