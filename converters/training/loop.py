"""A training loop over a compiled training step."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.gradient.interface import LABELS

from ..progress import Progress
from ..runtime import InferSession
from .batches import Batches
from .labels import check_labels
from .running import RunningStep
from .schedule import Schedule
from .step import TrainingStep

LearningRate: TypeAlias = float | Schedule | Callable[[int, int], float]
"""A number, a schedule, or a function of (step from 0, steps in all)."""

Figures: TypeAlias = Mapping[str, float]
"""Figures by name: a held-out loss or accuracy, for instance."""

Evaluate: TypeAlias = Callable[[Mapping[str, Array]], Figures]
"""From a step's state (parameters, and what the optimizer keeps) by name to figures."""


@dataclass(frozen=True)
class Epoch:
    """The number of an epoch from 1, its mean loss, and `evaluate`'s figures after it."""

    number: int
    loss: float
    figures: Figures = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """How far a training is: all that it takes to go on with the very steps that would have followed.

    `state` by the step's input names; `losses` of all steps; `finished` epochs, then `batches` of the next
    one, at whose beginning the generator of the orders was in the state `rng`.
    """

    state: Mapping[str, Array]
    losses: Sequence[float]
    epochs: Sequence[Epoch]
    batches: int
    rng: Mapping[str, Any]

    @property
    def finished(self) -> int:
        """How many epochs are."""
        return len(self.epochs)


@dataclass(frozen=True)
class History:
    """What a training gave: the loss of every step, the epochs, the seconds it took, and the last state.

    `state` has the parameters and what the optimizer keeps under the step's input names: a training can go on
    from it.
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
    start: Place | None = None,
    save: Callable[[Place], None] | None = None,
    save_every: int | None = None,
) -> History:
    """Run a training step over shuffled batches, feeding parameters and states back to it.

    Args:
        session: a training step as add_training_step writes it.
        data: the examples by input name, `labels` or `targets` among them; the first axis counts them.
        state: where to start, by input name; what the optimizer keeps starts at its first value where it is
            left out, other names are ignored.
        epochs: passes over the data, each in an order of its own.
        learning_rate: a number, a schedule, or a function of (step from 0, steps in all).
        batch_size: examples in a batch: the step's own where that is fixed, else 32 where left out.
        seed: of the orders.
        evaluate: called after each epoch with the state.
        progress: called after each step with (steps done, steps in all).
        on_epoch: called after each epoch.
        start: where an earlier training was, in the place of `state`: the rest of its steps are run.
        save: called with the place after each epoch, and with `save_every` after as many steps too.

    Raises MaxPoolGradError: a model that is no training step, data that does not fit it, labels that are no
    classes of it, a parameter without a start value, a loss that is no finite number, with the step's number
    and the first tensor that is none.
    """
    began = time.perf_counter()
    _check_numbers(epochs, seed, learning_rate, save_every)
    step = TrainingStep.of(session)
    batches = Batches.of(session.model_path, step.examples, data, batch_size, _batch_sizes(session, step))
    if LABELS in data and session.backend == "host":  # a device's .om does not tell its classes
        check_labels(session.model_path, session.onnx_model, data[LABELS])
    total = epochs * batches.count
    rate = _rate(learning_rate, total, batches.count)
    running = RunningStep(step, state if start is None else start.state, total)
    losses: list[float] = list(start.losses) if start else []
    finished: list[Epoch] = list(start.epochs) if start else []
    skip = start.batches if start else 0
    rng = np.random.default_rng(seed)
    if start is not None:
        rng.bit_generator.state = dict(start.rng)

    def place(batches_done: int, at: Mapping[str, Any]) -> Place:
        return Place(running.state(), tuple(losses), tuple(finished), batches_done, at)

    for number in range(len(finished) + 1, epochs + 1):
        at_begin = rng.bit_generator.state
        for done, batch in enumerate(batches.epoch(rng, skip), start=skip + 1):
            losses.append(running.run(batch, len(losses), rate(len(losses))))
            if progress is not None:
                progress(len(losses), total)
            if save is not None and save_every and len(losses) % save_every == 0 and done < batches.count:
                save(place(done, at_begin))
        skip = 0
        running.check_state(len(losses))
        figures = {} if evaluate is None else evaluate(running.views())
        finished.append(Epoch(number, _mean(losses[-batches.count :]), figures))
        if save is not None:
            save(place(0, rng.bit_generator.state))
        if on_epoch is not None:
            on_epoch(finished[-1])
    return History(tuple(losses), tuple(finished), running.state(), time.perf_counter() - began)


def _mean(losses: Sequence[float]) -> float:
    """Of the losses that count: a skipped step's may be none."""
    counted = [loss for loss in losses if np.isfinite(loss)]
    return float(np.mean(counted)) if counted else float("nan")


def _batch_sizes(session: InferSession, step: TrainingStep) -> list[int]:
    """The batches of a model's profiles."""
    named = [info.name for info in step.examples]
    return [shapes[name][0] for shapes in session.profiles for name in named if shapes.get(name)]


def _rate(learning_rate: LearningRate, total: int, per_epoch: int) -> Callable[[int], float]:
    if isinstance(learning_rate, Schedule):
        return lambda step: learning_rate.at(step, total, per_epoch)
    if callable(learning_rate):
        return lambda step: learning_rate(step, total)
    return lambda step: learning_rate


def _check_numbers(epochs: int, seed: int, learning_rate: LearningRate, save_every: int | None) -> None:
    counts = [("epochs", epochs, 1), ("seed", seed, 0)]
    for name, value, least in [*counts, *([] if save_every is None else [("save_every", save_every, 1)])]:
        if value < least:
            raise MaxPoolGradError(f"{name} is {value}; it must be {least} or more", code="E10001")
    if isinstance(learning_rate, Schedule):
        learning_rate.check_fits(epochs)
    elif not callable(learning_rate) and not 0 <= learning_rate < float("inf"):
        raise MaxPoolGradError(
            f"learning_rate is {learning_rate}; it must be a number, 0 or more", code="E10001"
        )
