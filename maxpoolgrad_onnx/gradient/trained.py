"""Trained parameters, put back into the forward model that they come from."""

from __future__ import annotations

from collections.abc import Mapping

import onnx

from ..arrays import Array
from ..errors import MaxPoolGradError, quoted
from ..model_files import ModelOrPath, as_model
from .interface import optimizer_state


def with_parameters(model: ModelOrPath, values: Mapping[str, Array]) -> onnx.ModelProto:
    """A copy of a forward model whose initializers have these values, by name.

    What an optimizer keeps (momenta, the step's number) may stand among the values and is left out.

    Raises MaxPoolGradError for a value that is no initializer of the model, or of another shape or dtype, and
    where there is none at all: it would be another model's training.
    """
    result = onnx.ModelProto()
    result.CopyFrom(as_model(model))
    tensors = {tensor.name: tensor for tensor in result.graph.initializer}
    states = optimizer_state(values) - tensors.keys()
    names = [name for name in values if name not in states]
    if not names:
        raise MaxPoolGradError("there are no parameters among the values; give what a training wrote")
    for name in names:
        if name not in tensors:
            raise MaxPoolGradError(
                f"the forward model has no initializer {quoted(name)}; give the model that the training step "
                "was made from"
            )
        _replace(tensors[name], values[name])
    return result


def _replace(tensor: onnx.TensorProto, value: Array) -> None:
    has = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
    if value.shape != tuple(tensor.dims) or value.dtype != has:
        raise MaxPoolGradError(
            f"the trained {quoted(tensor.name)} is {value.dtype} {list(value.shape)}, the forward model's "
            f"{has} {list(tensor.dims)}; give the model that the training step was made from"
        )
    doc = tensor.doc_string
    tensor.CopyFrom(onnx.numpy_helper.from_array(value, tensor.name))
    if doc:
        tensor.doc_string = doc
