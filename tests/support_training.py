"""A small training in files: a CNN, its step, images that it can learn; trainings that are stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.runtime.npz import write_npz
from maxpoolgrad_onnx.converters.training import History, Schedule
from maxpoolgrad_onnx.converters.training.files import Results, Sources, train_files
from support_convert import onnx_model

EPOCHS = 6


@dataclass(frozen=True)
class TrainingFiles:
    """forward.onnx, step.onnx, step.om and data.npz in a folder."""

    folder: Path

    @property
    def forward(self) -> Path:
        return self.folder / "forward.onnx"

    @property
    def step(self) -> Path:
        return self.folder / "step.om"

    @property
    def data(self) -> Path:
        return self.folder / "data.npz"


def bars_model(batch: str = "N") -> onnx.ModelProto:
    """Conv, Relu, MaxPool, Gemm: 4x4 images to two classes."""
    rng = np.random.default_rng(3)
    weights = {
        "w": rng.normal(0, 0.3, (4, 1, 3, 3)).astype(np.float32),
        "b": np.zeros(4, np.float32),
        "v": rng.normal(0, 0.3, (16, 2)).astype(np.float32),
        "c": np.zeros(2, np.float32),
    }
    nodes = """h = Conv<pads=[1,1,1,1]>(x, w, b) r = Relu(h)
    p = MaxPool<kernel_shape=[2,2], strides=[2,2]>(r) f = Flatten(p) logits = Gemm(f, v, c)"""
    return onnx_model(nodes, f"float[{batch},1,4,4] x", f"float[{batch},2] logits", weights)


def bars(count: int, seed: int = 0) -> dict[str, Array]:
    """Horizontal (0) and vertical (1) bars in noise."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, count)
    x = rng.normal(0, 0.2, (count, 1, 4, 4))
    for image, label, place in zip(x, labels, rng.integers(0, 4, count), strict=True):
        image[0, :, place] += label
        image[0, place] += 1 - label
    return {"x": x.astype(np.float32), "labels": labels}


def training_files(folder: Path, examples: int = 50, batch: str = "N", **options: Any) -> TrainingFiles:
    """Write them; `options` are add_training_step's."""
    files = TrainingFiles(folder)
    onnx.save(bars_model(batch), files.forward)
    step = mpg.add_training_step(bars_model(batch), **options)
    onnx.save(step, folder / "step.onnx")
    converters.compile(step, folder / "step", soc_version="Ascend910B1")
    write_npz(files.data, bars(examples))
    return files


class StopError(Exception):
    """What stops a training in a test."""


def run(files: TrainingFiles, **options: Any) -> History:
    arguments: dict[str, Any] = {
        "epochs": EPOCHS,
        "schedule": Schedule(0.02, "cosine", warmup=1),
        "sources": Sources(forward=files.forward),
        "batch_size": 8,
        "held_out": 0.2,
        "seed": 3,
        **options,
    }
    return train_files(files.step, files.data, **arguments)


def stopping_at(step: int) -> Callable[[int, int], None]:
    def progress(done: int, total: int) -> None:
        if done == step:
            raise StopError

    return progress


def assert_same(a: History, b: History) -> None:
    assert a.losses == b.losses
    assert a.epochs == b.epochs
    assert {n: (v.dtype, v.tobytes()) for n, v in a.state.items()} == {
        n: (v.dtype, v.tobytes()) for n, v in b.state.items()
    }


def interrupted(files: TrainingFiles, path: Path, step: int = 13, **options: Any) -> None:
    """Leave a checkpoint of a training that was stopped at this step."""
    results = Results(checkpoint=path, every=3)
    with pytest.raises(StopError):
        run(files, results=results, progress=stopping_at(step), **options)
