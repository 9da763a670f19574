"""Training from files to files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.files import check_writable, remove_leftovers, write_atomically

from ..progress import Progress
from ..runtime import InferSession
from ..runtime.npz import read_npz, write_npz
from .checkpoint import check_state, read_checkpoint, state_in, write_checkpoint
from .curves import check_curves_can_be_drawn, curves
from .forward import ForwardModel, initial_parameters
from .held_out import HeldOut, split
from .identity import Identity, identity_of
from .loop import Epoch, History, Place, train
from .schedule import Schedule
from .step import TrainingStep

PathLike: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True)
class Sources:
    """Where the first parameters come from: each goes before those after it, and before the data's own.

    `state` is an .npz that an earlier training wrote, its output or a checkpoint; `forward` the forward model
    (.onnx, .om, .air), whose accuracy is told too, of its output `logits` where it has several.
    """

    state: PathLike | None = None
    forward: PathLike | None = None
    logits: str | None = None


@dataclass(frozen=True)
class Results:
    """What a training writes: the last state, a checkpoint now and then, and a PNG of curves.

    The checkpoint is written after each epoch, and with `every` after as many steps, too.
    """

    output: PathLike | None = None
    checkpoint: PathLike | None = None
    every: int | None = None
    curves: PathLike | None = None


def train_files(
    step: PathLike,
    data: PathLike,
    *,
    epochs: int,
    schedule: Schedule,
    sources: Sources = Sources(),
    results: Results = Results(),
    resume: PathLike | None = None,
    held_out: float | PathLike | None = None,
    batch_size: int | None = None,
    seed: int = 0,
    kernel: str = "native",
    soc_version: str | None = None,
    progress: Progress | None = None,
    on_epoch: Callable[[Epoch], None] | None = None,
) -> History:
    """Train a step over the examples in an .npz.

    Args:
        step: the training step, .om, .air or .onnx.
        data: an .npz with an array for each input of examples, by the input's name (`labels` or `targets`
            among them); it may hold the parameters to start from too.
        epochs, batch_size, seed, progress, on_epoch: as `train` takes them.
        schedule: the learning rates.
        sources: where the first parameters come from.
        results: what is written.
        resume: a checkpoint of this very training, to go on from and to write on to, unless `results` names
            another one. Epochs may be more than it was made with, unless the schedule depends on how many.
        held_out: examples that are not trained with: a share of the data, or an .npz of their own.
        kernel, soc_version: as InferSession takes them.

    Raises MaxPoolGradError as `train` does, and, before it trains, where a file cannot be read or written.
    """
    results = _checked(results, resume)
    session = InferSession(0, step, kernel=kernel, soc_version=soc_version)
    training_step = TrainingStep.of(session)
    arrays = read_npz(data)
    examples = _examples(data, training_step, arrays)
    examples, held = _held_out(examples, held_out, seed, training_step)
    identity = identity_of(
        step, examples, held, batch_size=batch_size, seed=seed, schedule=schedule, epochs=epochs
    )
    start = None if resume is None else _start(resume, identity, schedule, training_step)
    state = {} if start else _first_state(sources, arrays)
    evaluate = None
    if held is not None:
        names = [info.name for info in training_step.parameters]
        model = None if sources.forward is None else ForwardModel(sources.forward, names, sources.logits)
        evaluate = HeldOut(session, held, batch_size, model).figures
    history = train(
        session,
        examples,
        state,
        epochs=epochs,
        learning_rate=schedule,
        batch_size=batch_size,
        seed=seed,
        evaluate=evaluate,
        progress=progress,
        on_epoch=on_epoch,
        start=start,
        save=_writer(results, identity),
        save_every=results.every,
    )
    if results.output is not None:
        write_npz(results.output, history.state)
    if results.curves is not None:
        write_atomically(results.curves, curves(history))
    return history


def _checked(results: Results, resume: PathLike | None) -> Results:
    """The results with a place for checkpoints, all of which can be written."""
    checkpoint = results.checkpoint or resume
    if results.every is not None and checkpoint is None:
        raise MaxPoolGradError(
            f"checkpoint_every is {results.every}, but there is no checkpoint to write; give --checkpoint",
            code="E10001",
        )
    if results.every is not None and results.every < 1:
        raise MaxPoolGradError(f"checkpoint_every is {results.every}; it must be 1 or more", code="E10001")
    if results.checkpoint is not None and resume is None and Path(results.checkpoint).is_file():
        raise MaxPoolGradError(
            f"{results.checkpoint}: there is a checkpoint already; go on from it with --resume, or remove it",
            code="E13026",
        )
    if results.curves is not None:
        check_curves_can_be_drawn()
    for path in (results.output, checkpoint, results.curves):
        if path is not None:
            check_writable(path)
    if checkpoint is not None:
        remove_leftovers(checkpoint)
    return Results(results.output, checkpoint, results.every, results.curves)


def _examples(data: PathLike, step: TrainingStep, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays that are examples. Raises MaxPoolGradError (E10016) where one is missing."""
    wanted = [info.name for info in step.examples]
    missing = [name for name in wanted if name not in arrays]
    if missing:
        takes, holds = (", ".join(map(quoted, names)) for names in (wanted, arrays))
        raise MaxPoolGradError(
            f"{data}: it has no array {quoted(missing[0])}; the step takes {takes}, the file holds "
            f"{holds or 'nothing'}: give each array its input's name",
            code="E10016",
        )
    return {name: arrays[name] for name in wanted}


def _held_out(
    examples: dict[str, Array], held_out: float | PathLike | None, seed: int, step: TrainingStep
) -> tuple[dict[str, Array], dict[str, Array] | None]:
    if held_out is None:
        return examples, None
    if isinstance(held_out, int | float):
        return split(examples, held_out, seed)
    return examples, _examples(held_out, step, read_npz(held_out))


def _start(resume: PathLike, identity: Identity, schedule: Schedule, step: TrainingStep) -> Place:
    place, made_with = read_checkpoint(resume)
    check_state(resume, step, place)
    identity.check_same(made_with, os.fspath(resume), longer=not schedule.needs_end)
    return place


def _first_state(sources: Sources, arrays: Mapping[str, Array]) -> dict[str, Array]:
    state = dict(arrays)
    if sources.forward is not None:
        state |= initial_parameters(sources.forward)
    if sources.state is not None:
        state |= state_in(read_npz(sources.state))
    return state


def _writer(results: Results, identity: Identity) -> Callable[[Place], None] | None:
    path = results.checkpoint
    if path is None:
        return None
    return lambda place: write_checkpoint(path, place, identity)
