"""Training from files to files."""

from __future__ import annotations

import os

from maxpoolgrad_onnx.arrays import Array, elements_of
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.files import check_writable

from ..progress import Progress
from .host_model import host_model
from .npz import read_npz, write_npz
from .session import InferSession
from .training import History, LearningRate, train
from .training_step import TrainingStep


def train_files(
    step: str | os.PathLike[str],
    data: str | os.PathLike[str],
    *,
    forward: str | os.PathLike[str] | None = None,
    state: str | os.PathLike[str] | None = None,
    output: str | os.PathLike[str] | None = None,
    epochs: int,
    learning_rate: LearningRate,
    batch_size: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> History:
    """Train a step over the examples in an .npz.

    Args:
        step: the training step, .om, .air or .onnx.
        data: an .npz with an array for each input of examples, by the input's name (`labels` among them);
            it may hold the parameters to start from too.
        forward: the forward model (.onnx, .om, .air) whose initializers are the parameters to start from.
        state: an .npz that `output` was of an earlier training; it goes before `forward`, which goes before
            `data`.
        output: the .npz to write the last parameters and momenta to.
        epochs, learning_rate, batch_size, seed, progress: as `training.train` takes them.

    Raises MaxPoolGradError as `training.train` does, and, before it trains, where a file cannot be read or
    written.
    """
    if output is not None:
        check_writable(output)
    session = InferSession(0, step)
    names = [info.name for info in TrainingStep.of(session).examples]
    arrays = read_npz(data)
    _check_names(data, names, list(arrays))
    examples = {name: array for name, array in arrays.items() if name in names}
    start = {name: array for name, array in arrays.items() if name not in names}
    if forward is not None:
        start |= initial_parameters(forward)
    if state is not None:
        start |= read_npz(state)
    history = train(
        session,
        examples,
        start,
        epochs=epochs,
        learning_rate=learning_rate,
        batch_size=batch_size,
        seed=seed,
        progress=progress,
    )
    if output is not None:
        write_npz(output, history.state)
    return history


def _check_names(data: str | os.PathLike[str], wanted: list[str], given: list[str]) -> None:
    missing = [name for name in wanted if name not in given]
    takes, holds = (", ".join(map(quoted, names)) for names in (wanted, given))
    if missing:
        raise MaxPoolGradError(
            f"{data}: it has no array {quoted(missing[0])}; the step takes {takes}, the file holds "
            f"{holds or 'nothing'}: give each array its input's name",
            code="E10016",
        )


def initial_parameters(forward: str | os.PathLike[str]) -> dict[str, Array]:
    """The initializers of a forward model, by name."""
    tensors = host_model(forward).proto.graph.initializer
    return {tensor.name: elements_of(tensor) for tensor in tensors}
