"""The values a training step starts from."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import numpy_helper

from .training_step import ModelOrPath, load

Array = np.ndarray[Any, np.dtype[Any]]


def initial_state(forward: ModelOrPath, step: ModelOrPath) -> dict[str, Array]:
    """The values of a step's parameters (the forward model's initializers) and momenta (zeros) at the start.

    By input name; the parameters keep the forward model's names.
    What is left to feed are the forward model's inputs, `labels` and `learning_rate`.
    """
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in load(forward).graph.initializer}
    state: dict[str, Array] = {}
    for value in load(step).graph.input:
        parameter, _, kind = value.name.rpartition(".")
        if value.name in weights:
            state[value.name] = weights[value.name]
        elif kind == "momentum" and parameter in weights:
            state[value.name] = np.zeros_like(weights[parameter])
    return state
