"""The types of a MaxPoolV3Grad node: what its inputs' must be, and what its output's then is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onnx import NodeProto, TensorProto, TypeProto

from .contract import (
    PoolAttributes,
    check_dtypes,
    check_inputs_and_outputs,
    check_shapes,
    node_subject,
)
from .errors import MaxPoolGradError
from .values import shape_of

_NUMPY_NAMES: dict[int, str] = {TensorProto.FLOAT: "float32", TensorProto.DOUBLE: "float64"}


def infer_node(node: NodeProto, inputs: Sequence[TypeProto | None]) -> TypeProto:
    """The type of out_grad, given those of the inputs as far as they are known (None: not at all).

    Raises MaxPoolGradError, in the contract's words, for what the operator refuses and is known by now.
    """
    for refusal in refusals(node, inputs):
        raise refusal
    return output_type(inputs)


def refusals(node: NodeProto, inputs: Sequence[TypeProto | None]) -> Iterator[MaxPoolGradError]:
    """What the operator refuses of a node: its inputs' number, its attributes, its inputs' dtypes and shapes.

    Attributes that refer to those of a function are taken to be right.
    """
    subject = node_subject(node.name)
    try:
        check_inputs_and_outputs(subject, node.input, node.output)
    except MaxPoolGradError as refusal:
        yield refusal
        return
    try:
        check_dtypes(subject, *(_dtype(value) for value in inputs))
    except MaxPoolGradError as refusal:
        yield refusal
    if any(attribute.ref_attr_name for attribute in node.attribute):
        return
    try:
        attributes = PoolAttributes.from_node(node)
        check_shapes(subject, attributes, *(shape_of(value) for value in inputs))
    except MaxPoolGradError as refusal:
        yield refusal


def output_type(inputs: Sequence[TypeProto | None]) -> TypeProto:
    """The type of out_grad: orig_input's, as far as it is known."""
    output = TypeProto()
    known = [value.tensor_type.elem_type for value in inputs if value is not None]
    output.tensor_type.elem_type = next(filter(None, known), TensorProto.UNDEFINED)
    orig_input = inputs[0]
    if orig_input is not None and orig_input.tensor_type.HasField("shape"):
        output.tensor_type.shape.CopyFrom(orig_input.tensor_type.shape)
    return output


def _dtype(value: TypeProto | None) -> str:
    """NumPy's name of the element type, "" where it is unknown."""
    if value is None or value.WhichOneof("value") is None:
        return ""
    if not value.HasField("tensor_type"):
        return value.WhichOneof("value") or ""
    element = value.tensor_type.elem_type
    if element == TensorProto.UNDEFINED:
        return ""
    if element not in TensorProto.DataType.values():
        return f"of type {element}, which onnx does not know"
    return _NUMPY_NAMES.get(element) or TensorProto.DataType.Name(element).lower()
