"""An ONNX node as a rule sees it: its inputs as values of the GE graph, its attributes, ways to answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
import onnx
from onnx import AttributeProto, NodeProto, TensorProto

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..ge_ir import DataType, Shape
from ..ge_ops.prototypes import PROTOTYPES
from .elements import elements_of
from .graph_builder import GraphBuilder, Value

TypeOf = tuple[DataType, Shape | None]
"""Data type and shape of a tensor."""


class OnnxNode:
    """One node during conversion.

    A rule reads inputs and attributes, adds GE nodes, the last with `add`, or names a value that exists with
    `give`, or refuses.
    """

    def __init__(
        self,
        proto: NodeProto,
        opset: int,
        graph: GraphBuilder,
        values: dict[str, Value],
        types: Mapping[str, TypeOf],
        read: Collection[str],
    ) -> None:
        self.proto = proto
        self.opset = opset
        self._graph = graph
        self._values = values
        self._types = types
        self._read = read
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

    def inputs(self) -> list[Value]:
        """All inputs, of which there is at least one."""
        return [self.input(i) for i in range(max(self.input_count, 1))]

    def optional_input(self, index: int) -> Value | None:
        """An input, or None where the node leaves it out."""
        name = self.proto.input[index] if index < len(self.proto.input) else ""
        if not name:
            return None
        if name not in self._values:
            self.refuse(
                f"its input {quoted(name)} is made by no earlier node; sort the nodes, or export the model "
                "with its weights"
            )
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

    def constant_list(self, index: int, what: str, length: int) -> Array:
        """The elements of an input that must be known now and be so many."""
        elements = self.constant(index, what)
        if elements.size != length:
            self.refuse(f"its {what} has {elements.size} elements; it must have {length}")
        return elements.reshape(length)

    def output_type(self, index: int = 0) -> TypeOf:
        """Data type and shape of an output, from shape inference."""
        name = self.proto.output[index] if index < len(self.proto.output) else ""
        if name not in self._types:
            self.refuse(f"the type of its output {quoted(name)} cannot be inferred; add a value_info for it")
        return self._types[name]

    def has_output(self, index: int) -> bool:
        """Whether the model reads this output."""
        return index < len(self.proto.output) and self.proto.output[index] in self._read

    def attr_int(self, name: str, default: int) -> int:
        """An int attribute."""
        return int(self._attribute(name, AttributeProto.INT, default))

    def attr_ints(self, name: str, default: Sequence[int] | None = None) -> list[int] | None:
        """A list attribute."""
        value = self._attribute(name, AttributeProto.INTS, default)
        return None if value is None else [int(item) for item in value]

    def attr_float(self, name: str, default: float) -> float:
        """A float attribute, a float32 as in ONNX; the default too."""
        return float(np.float32(self._attribute(name, AttributeProto.FLOAT, default)))

    def attr_string(self, name: str, default: str) -> str:
        """A string attribute."""
        value = self._attribute(name, AttributeProto.STRING, default.encode())
        return str(value.decode("utf-8", "replace"))

    def attr_tensor(self, name: str) -> Array | None:
        """A tensor attribute, or None."""
        tensor = self._attribute(name, AttributeProto.TENSOR, None)
        return None if tensor is None else self._elements(tensor)

    def attr_number(self, name: str) -> Any:
        """An attribute of one number or several, as it is."""
        return onnx.helper.get_attribute_value(self._attributes[name])

    def _attribute(self, name: str, kind: int, default: Any) -> Any:
        attribute = self._attributes.get(name)
        if attribute is None:
            return default
        if attribute.type != kind or attribute.ref_attr_name:
            found = "a reference" if attribute.ref_attr_name else _kind_name(attribute.type)
            self.refuse(f"the attribute {name} is {found}; it must be {_kind_name(kind)}")
        return onnx.helper.get_attribute_value(attribute)

    def _elements(self, tensor: TensorProto) -> Array:
        try:
            return elements_of(tensor)
        except ValueError as error:
            self.refuse(f"its tensor {error}")

    def attribute_names(self) -> set[str]:
        """The attributes that the node writes."""
        return set(self._attributes)

    # ---- What becomes of it

    def add(
        self,
        type_: str,
        inputs: Sequence[Value],
        attributes: Mapping[str, Any] | None = None,
        *,
        onnx_form: str | None = None,
    ) -> None:
        """The GE node whose output is this node's output. `attributes` are plain values by GE's names.

        `onnx_form`: see ONNX_FORM.
        """
        outputs = [self.output_type()]
        self.give(*self.add_named(type_, inputs, outputs, attributes, onnx_form=onnx_form))

    def add_named(
        self,
        type_: str,
        inputs: Sequence[Value],
        outputs: Sequence[TypeOf],
        attributes: Mapping[str, Any] | None = None,
        *,
        onnx_form: str | None = None,
    ) -> list[Value]:
        """A GE node of this node's name, and the values of its outputs, none of them given yet."""
        self._check(type_, inputs)
        return self._graph.node(type_, self._name, inputs, outputs, attributes or {}, onnx_form)

    def add_inner(
        self,
        type_: str,
        suffix: str,
        inputs: Sequence[Value],
        output: TypeOf,
        attributes: Mapping[str, Any] | None = None,
        *,
        onnx_form: str | None = None,
    ) -> Value:
        """A GE node that this node needs on the way, called after it with the suffix."""
        return self.add_inner_all(type_, suffix, inputs, [output], attributes, onnx_form=onnx_form)[0]

    def add_inner_all(
        self,
        type_: str,
        suffix: str,
        inputs: Sequence[Value],
        outputs: Sequence[TypeOf],
        attributes: Mapping[str, Any] | None = None,
        *,
        onnx_form: str | None = None,
    ) -> list[Value]:
        """The same for a GE node of several outputs."""
        self._check(type_, inputs)
        name = f"{self._name}_{suffix}"
        return self._graph.node(type_, name, inputs, outputs, attributes or {}, onnx_form)

    def find(self, type_: str, first: Value, attributes: Mapping[str, Any]) -> list[Value] | None:
        """The outputs of a GE node that there is already: see GraphBuilder.find."""
        return self._graph.find(type_, first, attributes)

    def _check(self, type_: str, inputs: Sequence[Value]) -> None:
        prototype = PROTOTYPES[type_]
        least, most = prototype.input_counts
        if len(inputs) < least or (most is not None and len(inputs) > most):
            allowed = f"{least}" if least == most else f"{least} to {most}"
            self.refuse(f"it has {len(inputs)} inputs; {type_} takes {allowed}")
        unfit = prototype.unfit([value.dtype for value in inputs])
        if unfit is not None:
            self.refuse(f"{unfit}: cast it before and after the node")

    def add_constant(self, array: Any, suffix: str, dtype: Any = np.int64) -> Value:
        """A constant input that GE wants and ONNX writes otherwise."""
        try:
            elements = np.asarray(array, dtype)
        except OverflowError:
            what = suffix.replace("_", " ")
            self.refuse(
                f"its {what} is {quoted(array)}, which GE's {np.dtype(dtype)} does not hold; use another"
            )
        return self._graph.constant(elements, f"{self._name}_{suffix}")

    def add_reshaped(self, value: Value, suffix: str, shape: Shape) -> Value:
        """The same elements in another shape, every size of which is known: a constant stays one."""
        if value.constant is not None:
            return self.add_constant(value.constant.reshape(shape), suffix, value.constant.dtype)
        sizes = self.add_constant(shape, f"{suffix}_shape")
        return self.add_inner("Reshape", suffix, [value, sizes], (value.dtype, shape))

    def give(self, *values: Value) -> None:
        """Let the node's first outputs be values that exist; no other may be in use."""
        names = list(self.proto.output)
        unknown = next((name for name in names[len(values) :] if name in self._read), None)
        if unknown is not None:
            only = "the first is" if len(values) == 1 else f"the first {len(values)} are"
            self.refuse(f"its further output {quoted(unknown)} is used; only {only} converted")
        for name, value in zip(names, values, strict=False):
            if name and name in self._values:
                self.refuse(f"its output {quoted(name)} is made elsewhere too; rename one")
            self._values[name] = value

    def give_constant(self, array: Array) -> None:
        """Let the node's output be a constant."""
        self.give(self._graph.constant(array, self._name))

    @property
    def _first_output(self) -> str:
        return next(iter(self.proto.output), "")

    @property
    def _name(self) -> str:
        return self.proto.name or f"{self.proto.op_type}_{self._first_output}"


def _kind_name(kind: int) -> str:
    kinds = AttributeProto.AttributeType
    return str(kinds.Name(kind)) if kind in kinds.values() else f"of the unknown kind {kind}"
