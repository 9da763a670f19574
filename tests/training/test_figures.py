"""Held-out loss and accuracy, and curves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.runtime.npz import write_npz
from maxpoolgrad_onnx.converters.training import Schedule
from support_training import (
    TrainingFiles,
    bars,
    run,
)


def test_curves_and_figures(files: TrainingFiles, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["train", str(files.step), "--data", str(files.data), "--forward", str(files.forward)]
    more = ["--epochs", "3", "--curves", str(tmp_path / "c.png"), "--eval", "0.2"]
    assert main([*words, *more]) == 0
    out = capfd.readouterr().out
    assert "held-out loss" in out
    assert "held-out accuracy" in out
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG\r\n")
    write_npz(tmp_path / "held.npz", bars(20, seed=9))
    assert main([*words, "--eval", str(tmp_path / "held.npz"), "--lr", "0"]) == 0
    model = mpg.inference_session(files.forward)
    held = bars(20, seed=9)
    (logits,) = model.run(None, {"x": held["x"]})
    accuracy = np.mean(logits.argmax(1) == held["labels"])
    assert f"{accuracy:.6f}" in capfd.readouterr().out


def test_the_held_out_loss_is_the_mean_over_what_is_held_out(files: TrainingFiles, tmp_path: Path) -> None:
    held = bars(21, seed=5)
    write_npz(tmp_path / "held.npz", held)
    history = run(files, held_out=tmp_path / "held.npz", schedule=Schedule(0.0), epochs=1)
    (logits,) = mpg.inference_session(files.forward).run(None, {"x": held["x"]})
    logits = logits.astype(np.float64)
    wanted = np.log(np.exp(logits).sum(1)) - logits[np.arange(21), held["labels"]]
    assert history.epochs[0].figures["held-out loss"] == pytest.approx(wanted.mean(), rel=1e-5)


@pytest.mark.parametrize("share", [0.0, 1.0, 1.5, -0.2, 0.001])
def test_shares_that_hold_nothing_out(files: TrainingFiles, share: float) -> None:
    with pytest.raises(MaxPoolGradError, match=r"eval is .* of 50 examples; it must leave some of them"):
        run(files, held_out=share)
