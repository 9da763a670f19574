"""Trainings stopped by a kill or a full disk: never a broken checkpoint."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.runtime.npz import read_npz
from maxpoolgrad_onnx.converters.training.checkpoint import read_checkpoint
from support_training import (
    TrainingFiles,
    assert_same,
    interrupted,
    run,
)


def test_a_full_disk_leaves_the_checkpoint_before(files: TrainingFiles, tmp_path: Path) -> None:
    path = tmp_path / "c.npz"
    interrupted(files, path)
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, hard))
    try:
        with pytest.raises(MaxPoolGradError, match=r"c.npz: cannot be written: file too large"):
            run(files, resume=path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, old)
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["c.npz"]
    assert_same(run(files, resume=path), run(files))


def test_no_space_left_is_one_line(files: TrainingFiles, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["train", str(files.step), "--data", str(files.data), "--forward", str(files.forward)]
    assert main([*words, "--checkpoint", "/dev/full"]) == 1
    assert capfd.readouterr().err == (
        "error: /dev/full: cannot be written: no space left on device; write to another folder\n"
    )


def _words(files: TrainingFiles, steps: int) -> list[str]:
    return [
        *(sys.executable, "-m", "maxpoolgrad_onnx.converters.cli", "train", str(files.step)),
        *("--data", str(files.data), "--forward", str(files.forward), "--epochs", str(steps // 5)),
        *("--batch-size", "10", "--schedule", "cosine", "--lr", "0.01", "--checkpoint-every", "1"),
    ]


def test_killed_at_random_moments(
    files: TrainingFiles, tmp_path: Path, scale: Callable[[int, int], int]
) -> None:
    kills = scale(3, 50)
    words = _words(files, steps=150 * kills)
    checkpoint, output = tmp_path / "c.npz", tmp_path / "o.npz"
    random = np.random.default_rng(0)
    killed = 0
    while killed < kills:
        how = ["--resume" if checkpoint.exists() else "--checkpoint", str(checkpoint), "-o", str(output)]
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        process = subprocess.Popen([*words, *how], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None:  # until it trains, and a random time longer
            if checkpoint.exists() and checkpoint.stat().st_mtime_ns != before:
                break
            time.sleep(0.002)
        time.sleep(random.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        assert process.returncode in (0, -signal.SIGKILL), errors.decode()
        place, _ = read_checkpoint(checkpoint)
        assert len(place.losses) > 0
        if process.returncode == 0:
            break
        killed += 1
    assert killed >= kills // 2, "the training was over too soon to be killed often"
    assert main([*words[3:], "--resume", str(checkpoint), "-o", str(output)]) == 0
    whole = tmp_path / "whole.npz"
    assert main([*words[3:-2], "-o", str(whole)]) == 0
    assert _bytes(read_npz(output)) == _bytes(read_npz(whole))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["c.npz", "o.npz", "whole.npz"], "what the killed ones left is removed"


def _bytes(arrays: dict[str, Array]) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in arrays.items()}
