"""Training from step.om and evaluation from evaluation.om, on the host."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.gradient.interface import LABELS

from ..progress import Progress
from ..runtime import InferSession
from ..training import train
from .data import Digits, Split, shifted
from .network import INPUT, SHAPES, Parameters, first_parameters

BATCH = 32
EPOCHS = 40
LEARNING_RATE = 0.05
MOMENTUM = 0.9


class _StoppedError(Exception):
    """Another job failed, or the user had enough."""


@dataclass(frozen=True)
class Job:
    """One training: which digits, which first weights."""

    split: Split
    seed: int


@dataclass(frozen=True)
class Run:
    """What a training gave: the mean loss, and loss and accuracy on held-out digits, by epoch; the end."""

    job: Job
    losses: Sequence[float]
    held_out_losses: Sequence[float]
    accuracies: Sequence[float]
    labels: Array  # of the held-out digits
    probabilities: Array  # of each class for each of them, after the last epoch
    parameters: Parameters
    seconds: float

    @property
    def accuracy(self) -> float:
        """The share of held-out digits read right after the last epoch: no epoch is picked."""
        return self.accuracies[-1]


def learning_rate(step: int, steps: int, epochs: int) -> float:
    """The rate at a step: half a cosine from LEARNING_RATE down to 0, in the first epoch rising in a line."""
    rising = min(1.0, (step + 1) * epochs / steps)
    return LEARNING_RATE * rising * 0.5 * (1 + float(np.cos(np.pi * step / steps)))


def train_all(
    jobs: Sequence[Job],
    digits: Digits,
    folder: Path,
    *,
    epochs: int,
    progress: Progress = lambda done, total: None,
) -> list[Run]:
    """Train every job, as many at a time as there are processors, each with sessions of its own.

    A session has one thread, so a training's bits do not depend on the number of processors.

    Args:
        jobs: what to train.
        digits: all of them.
        folder: where step.om and evaluation.om lie.
        epochs: of each.
        progress: called after each epoch of any job, with those done and all.
    """
    stop, finished, lock = threading.Event(), itertools.count(1), threading.Lock()

    def after_epoch() -> None:
        if stop.is_set():
            raise _StoppedError
        with lock:
            progress(next(finished), len(jobs) * epochs)

    def run(job: Job) -> Run:

        step, evaluation = (one_thread_session(folder / name) for name in ("step.om", "evaluation.om"))
        return train_one(job, digits, step, evaluation, epochs=epochs, after_epoch=after_epoch)

    with ThreadPoolExecutor(max_workers=_processors()) as pool:
        futures = [pool.submit(run, job) for job in jobs]
        try:
            return [future.result() for future in futures]
        finally:  # after a failure or Ctrl-C, not to wait for the others
            stop.set()
            pool.shutdown(cancel_futures=True)


def train_one(
    job: Job,
    digits: Digits,
    step: InferSession,
    evaluation: InferSession,
    *,
    epochs: int,
    after_epoch: Callable[[], None],
) -> Run:
    """Train first_parameters(seed) on the split's training digits, shifted anew in each epoch.

    An epoch goes once through them, in full batches. Shifts come from numpy.random.RandomState(seed), and so
    does the seed of each epoch's order. Raises MaxPoolGradError where the loss is no number any more.
    """
    started = time.perf_counter()
    random = np.random.RandomState(job.seed)
    training, held_out = digits.take(job.split.training), digits.take(job.split.held_out)
    batches = len(training) // BATCH
    state: Mapping[str, Array] = first_parameters(job.seed)
    losses: list[float] = []
    held_out_losses: list[float] = []
    accuracies: list[float] = []
    probabilities = np.empty(0)
    for epoch in range(epochs):

        def rate(step: int, _steps: int, before: int = epoch * batches) -> float:
            return learning_rate(before + step, epochs * batches, epochs)

        history = train(
            step,
            {INPUT: shifted(training.images, random), LABELS: training.labels},
            state,
            epochs=1,
            learning_rate=rate,
            seed=int(random.randint(2**31)),
        )
        state = history.state
        probabilities = predict(evaluation, state, held_out)
        losses.append(history.epochs[0].loss)
        held_out_losses.append(_cross_entropy(probabilities, held_out))
        accuracies.append(float((probabilities.argmax(1) == held_out.labels).mean()))
        after_epoch()
    parameters = {name: state[name] for name in SHAPES}
    return Run(
        job,
        losses,
        held_out_losses,
        accuracies,
        held_out.labels,
        probabilities,
        parameters,
        time.perf_counter() - started,
    )


def one_thread_session(path: Path) -> InferSession:
    """A session that computes in the thread that calls it."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3  # it warns of nodes of functions that it cannot leave out
    return InferSession(0, path, sess_options=options)


def predict(evaluation: InferSession, parameters: Mapping[str, Array], digits: Digits) -> Array:
    """The probability of each class, [N, 10] in float64, for as many digits as the model was made for."""
    (logits,) = evaluation.infer({INPUT: digits.images, **{name: parameters[name] for name in SHAPES}})
    exponentials = np.exp(logits.astype(np.float64) - logits.max(1, keepdims=True))
    probabilities: Array = exponentials / exponentials.sum(1, keepdims=True)
    return probabilities


def _processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cross_entropy(probabilities: Array, digits: Digits) -> float:
    return float(-np.log(probabilities[np.arange(len(digits)), digits.labels]).mean())
