"""Good ONNX models with random damage through the commands: done, or refused in one line."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.converters.cli.main import main
from support_attacks import damaged, disturbed
from support_cnn import random_cnn

Capture = pytest.CaptureFixture[str]

CNN = random_cnn(5, 1)
STEP = mpg.add_training_step(CNN.model)
POOL = mpg.make_model((1, 2, 5, 6), ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2])
MODELS = [CNN.model, STEP, POOL, mpg.embed_function(POOL)]
MOST_LINES = 8  # atc puts a frame around its own


def broken(seed: int) -> bytes:
    rng = random.Random(seed)
    model = onnx.ModelProto()
    model.CopyFrom(rng.choice(MODELS))
    if rng.random() < 0.3:
        return damaged(model.SerializeToString(), rng)
    disturbed(model, rng)
    return model.SerializeToString()


def test_every_command(tmp_path: Path, capfd: Capture, scale: Callable[[int, int], int]) -> None:
    path, made = tmp_path / "model.onnx", tmp_path / "made"
    np.savez(tmp_path / "data.npz", **CNN.feeds)
    onnx.save(CNN.model, tmp_path / "forward.onnx")
    commands = {
        "inspect": ["inspect", str(path)],
        "check": ["check", str(path)],
        "grad": ["grad", str(path), "-o", str(made)],
        "run": ["run", str(path)],
        "train": [
            *("train", str(path), "--data", str(tmp_path / "data.npz")),
            *("--forward", str(tmp_path / "forward.onnx")),
        ],
        "atc": [
            *("atc", "--framework=5", f"--model={path}"),
            *(f"--output={made}", "--soc_version=Ascend910B1"),
        ],
        "json": ["atc", "--mode=1", "--framework=5", f"--om={path}", f"--json={made}.json"],
    }
    done = dict.fromkeys(commands, 0)
    refused = dict.fromkeys(commands, 0)
    count = scale(60, 3000)
    for seed in range(count):
        path.write_bytes(broken(seed))
        for name, words in commands.items():
            code = main(words)
            printed, told = capfd.readouterr()
            assert code in (0, 1), (seed, name)
            assert "internal error" not in printed + told, (seed, name, told)
            if name not in ("atc", "json"):
                lines = told.splitlines()
                assert all(line.startswith(("error: ", "warning: ")) for line in lines), (seed, name, told)
                assert code == 0 or any(line.startswith("error: ") for line in lines), (seed, name)
            assert len(told.splitlines()) <= MOST_LINES, (seed, name, told)
            (refused if code else done)[name] += 1
    assert min(refused.values()) > count // 10, refused
    assert min(done.values()) > 0 or count < 100, done
