"""Losses that are no number, labels that are no class, options that do not go together."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx import MaxPoolGradError, converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.runtime.npz import write_npz
from maxpoolgrad_onnx.converters.training import History, Schedule
from maxpoolgrad_onnx.converters.training.files import Results, Sources, train_files
from support_training import (
    TrainingFiles,
    bars,
    bars_model,
    run,
    training_files,
)


def test_a_number_that_is_none_is_found(files: TrainingFiles, tmp_path: Path) -> None:
    data = bars(50)
    data["x"][17, 0, 2, 2] = np.nan
    write_npz(tmp_path / "d.npz", data)
    with pytest.raises(MaxPoolGradError) as caught:
        train_files(
            files.step,
            tmp_path / "d.npz",
            epochs=1,
            schedule=Schedule(0.1),
            sources=Sources(forward=files.forward),
        )
    told = str(caught.value)
    assert "the loss is nan at step" in told
    assert "its input 'x' holds nan for example 17 of the data; leave that example out" in told
    session = converters.InferSession(0, files.step)
    start = {t.name: onnx.numpy_helper.to_array(t) for t in bars_model().graph.initializer}
    large = {name: array * np.float32(1e20) for name, array in start.items()}  # their product overflows
    told = (
        r"the first tensor that is no finite number is '[^']+', which (Gemm|MatMul) node '[^']+' gives; lower"
    )
    with pytest.raises(MaxPoolGradError, match=told):
        converters_train(session, large)
    with pytest.raises(MaxPoolGradError, match="'b' holds inf where the training starts; start from other"):
        converters_train(session, {**start, "b": np.full(4, np.inf, "f")})
    with pytest.raises(
        MaxPoolGradError, match=r"holds .* after step 1 of 1; lower the learning rate, or clip"
    ):
        converters_train(session, {name: array * 1000 for name, array in start.items()}, rate=3e38)


def converters_train(session: Any, start: dict[str, Array], rate: float = 0.1) -> History:
    from maxpoolgrad_onnx.converters.training import train

    return train(session, bars(8), start, epochs=1, learning_rate=rate, batch_size=8)


def test_a_loss_of_several_numbers(files: TrainingFiles, tmp_path: Path) -> None:
    """Which no step of ours gives, whatever its declared shape says."""
    step = onnx.load(files.folder / "step.onnx")
    for node in step.graph.node:
        node.output[:] = ["the.loss" if name == "loss" else name for name in node.output]
    step.graph.node.append(onnx.helper.make_node("Unique", ["x"], ["loss"]))
    onnx.save(step, tmp_path / "step.onnx")
    told = r"step.onnx: the step gives a 'loss' of shape \[128\]; it must be one number"
    with pytest.raises(MaxPoolGradError, match=told):
        train_files(
            tmp_path / "step.onnx",
            files.data,
            epochs=1,
            batch_size=8,
            schedule=Schedule(0.1),
            sources=Sources(forward=files.forward),
        )


def test_skipped_steps_do_not_stop_a_training_until_they_are_all(tmp_path: Path) -> None:
    files = training_files(tmp_path, loss_scale="dynamic")
    data = bars(50)
    data["x"][17, 0, 2, 2] = np.inf
    write_npz(tmp_path / "d.npz", data)
    common: dict[str, Any] = {"schedule": Schedule(0.05), "sources": Sources(forward=files.forward)}
    history = train_files(files.step, tmp_path / "d.npz", epochs=3, batch_size=10, **common)
    assert history.state["loss_scale"] == 65536 / 2**3
    assert np.isfinite(history.epochs[-1].loss)
    data["x"][:] = np.inf
    write_npz(tmp_path / "d.npz", data)
    with pytest.raises(
        MaxPoolGradError, match="50 steps were skipped one after the other up to step 50 of 75"
    ):
        train_files(files.step, tmp_path / "d.npz", epochs=15, batch_size=10, **common)


def test_labels_that_are_ignored_may_lie_anywhere(tmp_path: Path) -> None:
    from maxpoolgrad_onnx.gradient import SoftmaxCrossEntropy

    files = training_files(tmp_path, loss=SoftmaxCrossEntropy(ignore_index=255))
    data = bars(50)
    data["labels"][3] = 255
    write_npz(tmp_path / "d.npz", data)
    common: dict[str, Any] = {"schedule": Schedule(0.05), "sources": Sources(forward=files.forward)}
    train_files(files.step, tmp_path / "d.npz", epochs=1, **common)
    data["labels"][4] = 254
    write_npz(tmp_path / "d.npz", data)
    told = (
        "labels holds 254 for example 4; the step has 2 classes: number them from 0 to 1, or give 255, which"
    )
    with pytest.raises(MaxPoolGradError, match=told):
        train_files(files.step, tmp_path / "d.npz", epochs=1, **common)


def test_options_that_go_together(files: TrainingFiles) -> None:
    with pytest.raises(MaxPoolGradError, match="checkpoint_every is 5, but there is no checkpoint to write"):
        run(files, results=Results(every=5))
    with pytest.raises(MaxPoolGradError, match="checkpoint_every is 0; it must be 1 or more"):
        run(files, results=Results(checkpoint=files.folder / "never.npz", every=0))
    assert not os.path.exists(files.folder / "never.npz")
