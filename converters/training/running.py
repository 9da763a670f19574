"""The state between steps, and what is done where a step gives what is no number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.gradient.interface import LEARNING_RATE, LOSS, SKIPPED, updated

from .batches import Batch
from .step import TrainingStep
from .trace import first_not_finite, is_finite, offending_tensor

if TYPE_CHECKING:
    from onnxruntime import OrtValue

_MOST_SKIPPED = 50
"""Steps skipped one after the other: a dynamic loss scale has then fallen from 2^24 to 1 twice."""


class RunningStep:
    """A training step and its state, kept in ONNX Runtime's own values so that nothing is copied."""

    def __init__(self, step: TrainingStep, state: Mapping[str, Array], total: int) -> None:
        """Start from `state`; `total` is how many steps there are in all, to be told.

        Raises MaxPoolGradError for a parameter without a value.
        """
        self.step = step
        self._total = total
        self._skipped = 0
        self._values = {name: ort_value(array) for name, array in step.first_state(state).items()}

    def run(self, batch: Batch, number: int, rate: float) -> float:
        """One step, the `number`th from 0: the loss. Raises MaxPoolGradError where it is no finite number.

        It may be none where the step says that it was skipped; not so many times in a row.
        """
        results = infer(self.step, batch, self._values, rate)
        loss = loss_of(self.step, results)
        skipped = self.step.skips and bool(results[SKIPPED].numpy())
        self._skipped = self._skipped + 1 if skipped else 0
        if (not np.isfinite(loss) and not skipped) or self._skipped >= _MOST_SKIPPED:
            raise self._no_number(batch, number, rate, loss)
        self._values = {name: results[updated(name)] for name in self._values}
        return loss

    def check_state(self, number: int) -> None:
        """Raise MaxPoolGradError where a parameter or state is no finite number after step `number`."""
        bad = first_not_finite(self.views())
        if bad is not None:
            raise MaxPoolGradError(
                f"{self.step.session.model_path}: {quoted(bad)} holds {_what(self.views()[bad])} after step "
                f"{number} of {self._total}; lower the learning rate, or clip the gradients"
            )

    def views(self) -> dict[str, Array]:
        """The state by input name, not copied."""
        return {name: value.numpy() for name, value in self._values.items()}

    def state(self) -> dict[str, Array]:
        """The state by input name, copied."""
        return {name: np.array(array) for name, array in self.views().items()}

    def _no_number(self, batch: Batch, number: int, rate: float, loss: float) -> MaxPoolGradError:
        at = f"step {number + 1} of {self._total}"
        found = f"the loss is {loss} at {at}"
        if self._skipped >= _MOST_SKIPPED:
            found = f"{_MOST_SKIPPED} steps were skipped one after the other up to {at}"
        where, cure = self._offender(batch, number, rate)
        return MaxPoolGradError(f"{self.step.session.model_path}: {found}; {where}; {cure}")

    def _offender(self, batch: Batch, number: int, rate: float) -> tuple[str, str]:
        """The first tensor that is no finite number, and what to do about it."""
        cure = f"lower the learning rate, {rate:g} there, or clip the gradients"
        for name, array in batch.arrays.items():
            if not is_finite(array):
                row = int(np.argwhere(~np.isfinite(array))[0][0])
                holds = f"{quoted(name)} holds {_what(array)} for example {batch.examples[row]} of the data"
                return f"its input {holds}", "leave that example out"
        bad = first_not_finite(self.views())
        if bad is not None:
            holds = f"{quoted(bad)} holds {_what(self.views()[bad])}"
            if not number:
                return f"{holds} where the training starts", "start from other parameters"
            return f"{holds} after step {number}", cure
        session = self.step.session
        found = None
        if session.backend == "host":
            feeds = {**batch.arrays, **self.views()}
            feeds[LEARNING_RATE] = np.asarray(rate, self.step.learning_rate.datatype)
            try:
                found = offending_tensor(session.onnx_model, feeds)
            except (
                Exception
            ):  # another profile's graph, or no memory for every tensor: the loss is told anyway
                found = None
        if found is None:
            return "all that goes into it is finite", cure
        return f"the first tensor that is no finite number is {found}", cure


def _what(array: Array) -> str:
    """The first element that is no finite number."""
    return str(array[~np.isfinite(array)].reshape(-1)[0])


def infer(
    step: TrainingStep, batch: Batch, state: Mapping[str, OrtValue], rate: float
) -> dict[str, OrtValue]:
    """Run a step once."""
    feeds = {name: ort_value(array) for name, array in batch.arrays.items()}
    feeds[LEARNING_RATE] = ort_value(np.asarray(rate, step.learning_rate.datatype))
    return step.session.infer_values({**feeds, **state})


def loss_of(step: TrainingStep, results: Mapping[str, OrtValue]) -> float:
    """The loss that a step gave. Raises MaxPoolGradError where it is more or less than a number."""
    loss = results[LOSS].numpy()
    if loss.size != 1:
        raise MaxPoolGradError(
            f"{step.session.model_path}: the step gives a {quoted(LOSS)} of shape {list(loss.shape)}; it "
            "must be one number: make the step again with `maxpoolgrad grad`"
        )
    return float(loss.reshape(()))


def ort_value(array: Array) -> OrtValue:
    """An array as ONNX Runtime's own value, not copied where it is in C order."""
    import onnxruntime

    return onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(array).reshape(array.shape))
