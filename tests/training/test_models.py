"""Every form of a step that is trained with: formats, profiles, the twin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.runtime.npz import write_npz
from maxpoolgrad_onnx.converters.training import Schedule
from maxpoolgrad_onnx.converters.training.files import Results, Sources, train_files
from support_training import (
    StopError,
    TrainingFiles,
    assert_same,
    bars,
    run,
    stopping_at,
    training_files,
)


@pytest.mark.parametrize("suffix", ["onnx", "air"])
def test_in_other_formats(files: TrainingFiles, tmp_path: Path, suffix: str) -> None:
    step = files.folder / f"step.{suffix}"
    common: dict[str, Any] = {
        "epochs": 2,
        "schedule": Schedule(0.02),
        "sources": Sources(forward=files.forward),
    }
    whole = train_files(step, files.data, **common)
    assert_same(whole, train_files(files.step, files.data, **common))
    results = Results(checkpoint=tmp_path / "c.npz", every=1)
    with pytest.raises(StopError):
        train_files(step, files.data, **common, results=results, progress=stopping_at(2))
    assert_same(train_files(step, files.data, **common, resume=tmp_path / "c.npz"), whole)


def test_the_twin_trains_the_same_bits(tmp_path: Path) -> None:
    files = training_files(tmp_path, examples=16, batch="8")
    common: dict[str, Any] = {"batch_size": None, "held_out": None, "schedule": Schedule(0.02), "epochs": 1}
    assert_same(run(files, **common, kernel="twin"), run(files, **common))


def test_profiles(files: TrainingFiles, tmp_path: Path) -> None:
    """A step of the batches 4, 8 and 16: of 20 examples, 8 + 8 + 4; of 21, 5 fit none and are left out."""
    words = ["atc", "--framework=5", f"--model={files.folder / 'step.onnx'}", "--soc_version=Ascend910B1"]
    shape = "--input_shape=x:-1,1,4,4;labels:-1"
    assert main([*words, f"--output={tmp_path / 'p'}", shape, "--dynamic_batch_size=4,8,16"]) == 0
    write_npz(tmp_path / "d.npz", bars(20))
    common: dict[str, Any] = {
        "epochs": 2,
        "schedule": Schedule(0.02),
        "sources": Sources(forward=files.forward),
    }
    found = train_files(tmp_path / "p.om", tmp_path / "d.npz", batch_size=8, **common)
    wanted = train_files(files.step, tmp_path / "d.npz", batch_size=8, **common)
    assert_same(found, wanted)  # 20 = 8 + 8 + 4, and 4 is a profile
    write_npz(tmp_path / "d.npz", bars(21))
    assert len(train_files(tmp_path / "p.om", tmp_path / "d.npz", batch_size=8, **common).losses) == 4
    with pytest.raises(
        MaxPoolGradError, match="batch_size is 5, but the model's profiles are 4, 8, 16; give"
    ):
        train_files(tmp_path / "p.om", tmp_path / "d.npz", batch_size=5, **common)
