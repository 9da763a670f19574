"""The values a training step starts from."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, elements_of
from ..model_files import ModelOrPath, as_model
from .interface import momentum


def initial_state(forward: ModelOrPath, step: ModelOrPath) -> dict[str, Array]:
    """The values of a step's parameters (the forward model's initializers) and momenta (zeros) at the start.

    By input name; the parameters keep the forward model's names.
    What is left to feed are the forward model's inputs, `labels` and `learning_rate`.
    """
    weights = {tensor.name: elements_of(tensor) for tensor in as_model(forward).graph.initializer}
    momenta = {momentum(name): np.zeros_like(array) for name, array in weights.items()}
    inputs = [value.name for value in as_model(step).graph.input]
    return {name: array for name, array in (momenta | weights).items() if name in inputs}
