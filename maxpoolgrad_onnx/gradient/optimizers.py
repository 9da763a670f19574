"""Optimizers: from a parameter and its gradient to the updated parameter and state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import onnx_ir as ir

from . import interface
from .tape import Tape, shape_of


@dataclass(frozen=True)
class Update:
    """What one parameter adds to the step: its new value, and each state before and after."""

    parameter: ir.Value
    state_before: tuple[ir.Value, ...] = ()
    state_after: tuple[ir.Value, ...] = ()


Optimizer = Callable[[Tape, ir.Value, ir.Value, ir.Value, float], Update]


def sgd(
    tape: Tape, parameter: ir.Value, gradient: ir.Value, learning_rate: ir.Value, momentum: float
) -> Update:
    """v' = momentum v + g, p' = p - learning_rate v', as torch.optim.SGD.

    With momentum 0, p' = p - learning_rate g and there is no state.
    """
    if momentum == 0:
        return Update(_descend(tape, parameter, gradient, learning_rate))
    name = interface.momentum(str(parameter.name))
    velocity = ir.Value(name=name, type=parameter.type, shape=ir.Shape(shape_of(parameter)))
    kept = tape.op("Mul", [velocity, tape.scalar(momentum, parameter, "momentum")], like=parameter)
    velocity_after = tape.op("Add", [kept, gradient], like=parameter)
    velocity_after.name = interface.updated(name)
    return Update(_descend(tape, parameter, velocity_after, learning_rate), (velocity,), (velocity_after,))


def _descend(tape: Tape, parameter: ir.Value, direction: ir.Value, learning_rate: ir.Value) -> ir.Value:
    step = tape.op("Mul", [direction, learning_rate], like=parameter)
    result = tape.op("Sub", [parameter, step], like=parameter)
    result.name = interface.updated(str(parameter.name))
    return result


OPTIMIZERS: Mapping[str, Optimizer] = {"sgd": sgd}
