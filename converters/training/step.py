"""A session of a training step: which of its inputs are examples, parameters, states of the optimizer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.gradient.interface import LEARNING_RATE, LOSS, SKIPPED, optimizer_state, updated
from maxpoolgrad_onnx.gradient.state import first_value

from ..runtime import InferSession
from ..runtime.tensors import TensorInfo, check_shape, checked_feeds


@dataclass(frozen=True)
class TrainingStep:
    """The inputs by what they are; every parameter and state has an output that feeds it back.

    `parameters` are what the forward model has as initializers, running statistics among them; `kept` is what
    the optimizer keeps.
    """

    session: InferSession
    examples: Sequence[TensorInfo]
    parameters: Sequence[TensorInfo]
    kept: Sequence[TensorInfo]
    learning_rate: TensorInfo
    skips: bool

    @classmethod
    def of(cls, session: InferSession) -> TrainingStep:
        """Sort a session's inputs. Raises MaxPoolGradError where it is no training step."""
        inputs = {info.name: info for info in session.get_inputs()}
        outputs = {info.name for info in session.get_outputs()}
        state = [name for name in inputs if updated(name) in outputs]
        for found, what in (
            (LOSS in outputs, f"output {quoted(LOSS)}"),
            (LEARNING_RATE in inputs, f"input {quoted(LEARNING_RATE)}"),
            (bool(state), f"output {quoted(updated('<parameter>'))}"),
        ):
            if not found:
                raise MaxPoolGradError(
                    f"{session.model_path}: it is no training step, it has no {what}; "
                    "make one with `maxpoolgrad grad` and compile it"
                )
        kept = optimizer_state(state)
        return cls(
            session,
            [info for name, info in inputs.items() if name not in state and name != LEARNING_RATE],
            [inputs[name] for name in state if name not in kept],
            [inputs[name] for name in state if name in kept],
            inputs[LEARNING_RATE],
            SKIPPED in outputs,
        )

    @property
    def state(self) -> Sequence[TensorInfo]:
        """Parameters and what the optimizer keeps."""
        return [*self.parameters, *self.kept]

    def first_state(self, given: Mapping[str, Array]) -> dict[str, Array]:
        """Where training starts: what is given by name, and what the optimizer keeps at its first value.

        Raises MaxPoolGradError for a parameter that is not given, or not of its shape and dtype.
        """
        values = {info.name: given[info.name] for info in self.state if info.name in given}
        for info in self.kept:
            if info.name not in values:
                check_shape(info.name, info.shape or (), info.datatype)
                values[info.name] = first_value(info.name, info.shape or (), info.datatype, given)
        missing = [info.name for info in self.parameters if info.name not in values]
        if missing:
            raise MaxPoolGradError(
                f"{self.session.model_path}: parameter {quoted(missing[0])} has no value to start from; give "
                "the forward model that it comes from (--forward), or a state that was saved (--state)"
            )
        return checked_feeds(self.session.model_path, self.state, values)
