"""The demo's CNN on handwritten digits, from files: stopped in the middle and gone on with, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.demo.data import load_digits
from maxpoolgrad_onnx.converters.demo.network import INPUT, first_parameters, forward_model
from maxpoolgrad_onnx.converters.runtime.npz import read_npz, write_npz
from maxpoolgrad_onnx.converters.training.checkpoint import read_checkpoint
from maxpoolgrad_onnx.converters.training.files import Results, Sources, train_files
from maxpoolgrad_onnx.converters.training.schedule import Schedule

BATCH = 32


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("digits")
    forward = forward_model(BATCH, first_parameters(0))
    onnx.save(forward, made / "forward.onnx")
    converters.compile(mpg.add_training_step(forward), made / "step", soc_version="Ascend910B1")
    digits = load_digits()
    write_npz(made / "digits.npz", {INPUT: digits.images, "labels": digits.labels})
    return made


class _StopError(Exception):
    """What stops the training."""


def test_stopped_in_the_middle(folder: Path, tmp_path: Path, scale: Callable[[int, int], int]) -> None:
    epochs = scale(3, 20)
    words = [
        *("train", str(folder / "step.om"), "--data", str(folder / "digits.npz"), "--eval", "0.2"),
        *("--forward", str(folder / "forward.onnx"), "--epochs", str(epochs), "--schedule", "cosine"),
        *("--warmup", "1", "--lr", "0.05"),
    ]
    checkpoint, whole, parts = (tmp_path / name for name in ("c.npz", "whole.npz", "parts.npz"))
    assert main([*words, "--checkpoint", str(whole)]) == 0
    per_epoch = round(0.8 * 1797) // BATCH

    def stop(done: int, total: int) -> None:
        assert total == epochs * per_epoch
        if done == (epochs // 2) * per_epoch + per_epoch // 2:
            raise _StopError

    with pytest.raises(_StopError):
        train_files(
            folder / "step.om",
            folder / "digits.npz",
            epochs=epochs,
            schedule=Schedule(0.05, "cosine", warmup=1),
            sources=Sources(forward=folder / "forward.onnx"),
            results=Results(checkpoint=checkpoint, every=5),
            held_out=0.2,
            progress=stop,
        )
    assert 0 < read_checkpoint(checkpoint)[0].batches < per_epoch
    assert main([*words, "--resume", str(checkpoint), "-o", str(parts)]) == 0
    (a, _), (b, _) = read_checkpoint(whole), read_checkpoint(checkpoint)
    assert a.losses == b.losses
    assert a.epochs == b.epochs
    for name, array in a.state.items():
        assert array.tobytes() == b.state[name].tobytes() == read_npz(parts)[name].tobytes(), name
    assert a.epochs[-1].figures["held-out accuracy"] > (0.95 if epochs >= 20 else 0.75)
    assert np.isfinite(a.losses).all()
