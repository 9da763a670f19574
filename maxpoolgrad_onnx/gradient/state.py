"""The values a training step starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import onnx

from ..arrays import Array, elements_of
from ..model_files import ModelOrPath, as_model
from ..values import shape_of
from .interface import FIRST_LOSS_SCALE, LOSS_SCALE, optimizer_state, parameter_of_master, updated


def initial_state(forward: ModelOrPath, step: ModelOrPath) -> dict[str, Array]:
    """The values of a step's parameters (the forward model's initializers) and other states at the start.

    By input name; the parameters keep the forward model's names. `step` may be an update step.
    What is left to feed are the forward model's inputs, `labels` or `targets`, and `learning_rate`.
    """
    weights = {tensor.name: elements_of(tensor) for tensor in as_model(forward).graph.initializer}
    graph = as_model(step).graph
    results = {value.name for value in graph.output}
    inputs = {value.name: value.type for value in graph.input}
    states = optimizer_state(name for name in inputs if updated(name) in results)
    first = {}
    for name, kind in inputs.items():
        if name in states:
            dtype = onnx.helper.tensor_dtype_to_np_dtype(kind.tensor_type.elem_type)
            shape = [int(dim or 0) for dim in shape_of(kind) or ()]
            first[name] = first_value(name, shape, dtype, weights)
        elif name in weights:
            first[name] = weights[name]
    return first


def first_value(
    name: str, shape: Sequence[int], dtype: npt.DTypeLike, parameters: Mapping[str, Array]
) -> Array:
    """Where an optimizer's state starts: zeros, and 65536 for a loss scale, as torch.amp.GradScaler.

    A master weight starts as its parameter.
    """
    parameter = parameter_of_master(name)
    if parameter != name and parameter in parameters:
        return parameters[parameter].astype(dtype)
    return np.full(shape, FIRST_LOSS_SCALE if name == LOSS_SCALE else 0, dtype)
