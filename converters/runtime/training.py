"""A training loop over a compiled training step."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.gradient.interface import LABELS, LEARNING_RATE, LOSS, updated

from ..progress import Progress
from .batches import Batches
from .labels import check_labels
from .session import InferSession
from .training_step import TrainingStep

if TYPE_CHECKING:
    from onnxruntime import OrtValue

LearningRate: TypeAlias = float | Callable[[int, int], float]
"""A number, or a function of (step from 0, steps in all)."""

Evaluate: TypeAlias = Callable[[Mapping[str, Array]], float]
"""From parameters by name to a figure, an accuracy for instance."""


@dataclass(frozen=True)
class Epoch:
    """The number of an epoch from 1, its mean loss, and `evaluate`'s figure after it (None without one)."""

    number: int
    loss: float
    figure: float | None


@dataclass(frozen=True)
class History:
    """What a training gave: the loss of every step, the epochs, the seconds it took, and the last state.

    `state` has the parameters and momenta under the step's input names: a training can go on from it.
    """

    losses: Sequence[float]
    epochs: Sequence[Epoch]
    state: Mapping[str, Array]
    seconds: float


def train(
    session: InferSession,
    data: Mapping[str, Array],
    state: Mapping[str, Array],
    *,
    epochs: int,
    learning_rate: LearningRate,
    batch_size: int | None = None,
    seed: int = 0,
    evaluate: Evaluate | None = None,
    progress: Progress | None = None,
    on_epoch: Callable[[Epoch], None] | None = None,
) -> History:
    """Run a training step over shuffled batches, feeding parameters and momenta back to it.

    Args:
        session: a training step as add_training_step writes it.
        data: the examples by input name, `labels` among them; the first axis counts them.
        state: where to start, by input name; momenta left out start at zero, other names are ignored.
        epochs: passes over the data, each in an order of its own.
        learning_rate: a number, or a function of (step from 0, steps in all).
        batch_size: examples in a batch: the step's own where that is fixed, else 32 where left out.
        seed: of the orders.
        evaluate: called after each epoch with the parameters.
        progress: called after each step with (steps done, steps in all).
        on_epoch: called after each epoch.

    Raises MaxPoolGradError: a model that is no training step, data that does not fit it, labels that are no
    classes of it, a parameter without a start value, a loss that is no finite number, with the step's number.
    """
    start = time.perf_counter()
    _check_numbers(epochs, seed, learning_rate)
    loop = _Loop(TrainingStep.of(session), state, learning_rate)
    batches = Batches.of(session.model_path, loop.step.examples, data, batch_size)
    if LABELS in data and session.backend == "host":  # a device's .om does not tell its classes
        check_labels(session.model_path, session.onnx_model, data[LABELS])
    rng = np.random.default_rng(seed)
    total = epochs * batches.count
    finished: list[Epoch] = []
    for number in range(1, epochs + 1):
        for batch in batches.epoch(rng):
            loop.run(batch, total)
            if progress is not None:
                progress(len(loop.losses), total)
        figure = None if evaluate is None else evaluate(loop.parameters())
        finished.append(Epoch(number, float(np.mean(loop.losses[-batches.count :])), figure))
        if on_epoch is not None:
            on_epoch(finished[-1])
    return History(tuple(loop.losses), tuple(finished), loop.state(), time.perf_counter() - start)


def _check_numbers(epochs: int, seed: int, learning_rate: LearningRate) -> None:
    for name, value, least in (("epochs", epochs, 1), ("seed", seed, 0)):
        if value < least:
            raise MaxPoolGradError(f"{name} is {value}; it must be {least} or more", code="E10001")
    if not callable(learning_rate) and not 0 <= learning_rate < float("inf"):
        raise MaxPoolGradError(
            f"learning_rate is {learning_rate}; it must be a number, 0 or more", code="E10001"
        )


class _Loop:
    """The state between steps, kept in ONNX Runtime's own values so that nothing is copied."""

    def __init__(self, step: TrainingStep, state: Mapping[str, Array], learning_rate: LearningRate) -> None:
        self.step = step
        self.losses: list[float] = []
        self._rate = learning_rate
        self._values = {name: _ort_value(array) for name, array in step.first_state(state).items()}

    def run(self, batch: Mapping[str, Array], total: int) -> None:
        """One step; `total` steps there are in all."""
        rate = self._rate(len(self.losses), total) if callable(self._rate) else self._rate
        feeds = {name: _ort_value(array) for name, array in batch.items()}
        feeds[LEARNING_RATE] = _ort_value(np.asarray(rate, self.step.learning_rate.datatype))
        results = self.step.session.infer_values(feeds | self._values)
        loss = float(results[LOSS].numpy())
        if not np.isfinite(loss):
            where = f"step {len(self.losses) + 1} of {total}"
            raise MaxPoolGradError(
                f"{self.step.session.model_path}: the loss is {loss} at {where}; lower the learning rate, "
                f"{rate:g} there, or look for values in the data that are no numbers"
            )
        self.losses.append(loss)
        self._values = {name: results[updated(name)] for name in self._values}

    def parameters(self) -> dict[str, Array]:
        """The parameters, as views."""
        return {info.name: self._values[info.name].numpy() for info in self.step.parameters}

    def state(self) -> dict[str, Array]:
        """Parameters and momenta, as copies."""
        return {name: np.array(value.numpy()) for name, value in self._values.items()}


def _ort_value(array: Array) -> OrtValue:
    import onnxruntime

    return onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(array).reshape(array.shape))
