"""Checkpoints: a training that goes on is the training that never stopped; others are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.runtime.npz import read_npz, write_npz
from maxpoolgrad_onnx.converters.training import Schedule
from maxpoolgrad_onnx.converters.training.checkpoint import OWN_NAMES, read_checkpoint
from maxpoolgrad_onnx.converters.training.files import Results, Sources
from support_training import (
    EPOCHS,
    StopError,
    TrainingFiles,
    assert_same,
    interrupted,
    run,
    stopping_at,
    training_files,
)


@pytest.mark.parametrize("stops", [[1], [5], [6], [17, 17, 23], [3, 14, 15, 29]])
def test_resumed_is_uninterrupted(files: TrainingFiles, tmp_path: Path, stops: list[int]) -> None:
    whole = run(files)
    assert len(whole.epochs[0].figures) == 2
    checkpoint = tmp_path / "c.npz"
    for stop in stops:
        going_on = checkpoint.exists()
        results = Results(checkpoint=checkpoint, every=2)
        with pytest.raises(StopError):
            run(
                files,
                results=results,
                resume=checkpoint if going_on else None,
                progress=stopping_at(stop),
            )
    resume = checkpoint if checkpoint.exists() else None
    assert_same(run(files, resume=resume), whole)


def test_a_finished_training_has_nothing_left_to_do(files: TrainingFiles, tmp_path: Path) -> None:
    whole = run(files, results=Results(checkpoint=tmp_path / "c.npz"))
    assert_same(run(files, resume=tmp_path / "c.npz"), whole)


def test_more_epochs_where_the_schedule_does_not_mind(files: TrainingFiles, tmp_path: Path) -> None:
    constant = {"schedule": Schedule(0.02)}
    run(files, results=Results(checkpoint=tmp_path / "c.npz"), epochs=2, **constant)
    longer = run(files, resume=tmp_path / "c.npz", epochs=4, **constant)
    assert_same(longer, run(files, epochs=4, **constant))
    with pytest.raises(MaxPoolGradError, match="epochs is 4 there and 3 here"):
        run(files, resume=tmp_path / "c.npz", epochs=3, **constant)


def test_a_checkpoint_is_a_state_too(files: TrainingFiles, tmp_path: Path) -> None:
    whole = run(files, results=Results(checkpoint=tmp_path / "c.npz", output=tmp_path / "o.npz"))
    of_both = [run(files, sources=Sources(tmp_path / name, files.forward)) for name in ("c.npz", "o.npz")]
    assert_same(*of_both)
    assert of_both[0].losses[0] < whole.losses[0]
    assert set(read_npz(tmp_path / "c.npz")) == {*read_npz(tmp_path / "o.npz"), *OWN_NAMES}


def test_resumed_from_another_file_writes_to_it_alone(files: TrainingFiles, tmp_path: Path) -> None:
    interrupted(files, tmp_path / "a.npz")
    before = (tmp_path / "a.npz").read_bytes()
    run(files, resume=tmp_path / "a.npz", results=Results(checkpoint=tmp_path / "b.npz"))
    assert (tmp_path / "a.npz").read_bytes() == before
    assert read_checkpoint(tmp_path / "b.npz")[0].finished == EPOCHS


DIFFERENT: dict[str, tuple[dict[str, Any], str]] = {
    "seed": ({"seed": 4}, "what is held out is another|the data is another"),
    "seed alone": ({"seed": 4, "held_out": None}, "the data is another"),
    "batch": ({"batch_size": 4}, "batch_size is 8 there and 4 here"),
    "epochs": ({"epochs": 7}, "epochs is 6 there and 7 here"),
    "schedule": (
        {"schedule": Schedule(0.02)},
        "the learning rate's schedule is cosine 0.02, warmup 1.0 there and constant 0.02, warmup 0.0 here",
    ),
    "held out": ({"held_out": 0.3}, "the data is another"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_another_training_is_refused(files: TrainingFiles, tmp_path: Path, name: str) -> None:
    change, words = DIFFERENT[name]
    interrupted(files, tmp_path / "c.npz")
    before = (tmp_path / "c.npz").read_bytes()
    with pytest.raises(MaxPoolGradError, match=words) as caught:
        run(files, resume=tmp_path / "c.npz", **change)
    assert "the checkpoint is of another training" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert (tmp_path / "c.npz").read_bytes() == before


def test_another_model_is_refused(files: TrainingFiles, tmp_path: Path) -> None:
    interrupted(files, tmp_path / "c.npz")
    (tmp_path / "other").mkdir()
    (tmp_path / "rate").mkdir()
    other = training_files(tmp_path / "other", optimizer="sgd")
    with pytest.raises(MaxPoolGradError, match="of another training step: it holds other parameters and"):
        run(other, resume=tmp_path / "c.npz")
    alike = training_files(tmp_path / "rate", optimizer="adamw", clip_norm=2.0)
    with pytest.raises(MaxPoolGradError, match="the training step is another; give what it was made with"):
        run(alike, resume=tmp_path / "c.npz")


def test_the_model_and_the_data_are_the_same_after_they_are_made_again(
    files: TrainingFiles, tmp_path: Path
) -> None:
    again = training_files(tmp_path, optimizer="adamw", clip_norm=1.0)
    interrupted(files, tmp_path / "c.npz")
    assert_same(run(again, resume=tmp_path / "c.npz"), run(files))


def test_a_checkpoint_is_not_overwritten_unasked(files: TrainingFiles, tmp_path: Path) -> None:
    interrupted(files, tmp_path / "c.npz")
    with pytest.raises(MaxPoolGradError, match=r"there is a checkpoint already; go on from it with --resume"):
        run(files, results=Results(checkpoint=tmp_path / "c.npz"))


def test_a_checkpoint_is_no_output(
    files: TrainingFiles, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.npz"
    interrupted(files, path)
    before = path.read_bytes()
    words = ["train", str(files.step), "--data", str(files.data), "--resume", str(path), "-o", str(path)]
    assert main(words) == 1
    assert capfd.readouterr().err == f"error: {path}: it is the input itself; give the output another name\n"
    assert path.read_bytes() == before


def test_checkpoints_that_are_none(files: TrainingFiles, tmp_path: Path) -> None:
    good = tmp_path / "c.npz"
    interrupted(files, good)
    arrays = read_npz(good)
    about = json.loads(str(arrays["maxpoolgrad.checkpoint"]))

    def refused(name: str, words: str) -> None:
        before = (tmp_path / name).read_bytes() if (tmp_path / name).exists() else None
        with pytest.raises(MaxPoolGradError, match=words) as caught:
            run(files, resume=tmp_path / name)
        assert "\n" not in str(caught.value)
        assert before is None or (tmp_path / name).read_bytes() == before

    refused("none.npz", "none.npz: cannot be read: no such file")
    whole = good.read_bytes()
    for cut in (0, 1, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.npz").write_bytes(whole[:cut])
        refused("cut.npz", "the file is empty|it is no .npz file of arrays")
    flipped = bytearray(whole)
    flipped[len(whole) // 3] ^= 1
    (tmp_path / "flipped.npz").write_bytes(flipped)
    refused("flipped.npz", "it is no .npz file of arrays")
    write_npz(tmp_path / "state.npz", {n: a for n, a in arrays.items() if n not in OWN_NAMES})
    refused("state.npz", "it is no checkpoint; give what --checkpoint wrote, or a state with --state")
    changes: list[dict[str, Any]] = [
        {"version": 2},
        {"rng": {}},
        {"rng": {**about["rng"], "state": 3}},
        {"batches": "x"},
        {"epochs": [{"number": 1}]},
        {"identity": {}},
    ]
    for change in changes:
        text = np.array(json.dumps({**about, **change}))
        write_npz(tmp_path / "odd.npz", {**arrays, "maxpoolgrad.checkpoint": text})
        refused("odd.npz", "the checkpoint is damaged: .*; begin a new training")
    write_npz(tmp_path / "odd.npz", {**arrays, "w": arrays["w"][:2]})
    refused("odd.npz", "it holds other parameters and states")


def test_a_training_with_a_dynamic_loss_scale_goes_on_with_it(tmp_path: Path) -> None:
    files = training_files(tmp_path, optimizer="adam", loss_scale="dynamic")
    whole = run(files)
    assert whole.state["loss_scale"] == 65536
    assert whole.state["step"] == len(whole.losses)
    interrupted(files, tmp_path / "c.npz")
    assert_same(run(files, resume=tmp_path / "c.npz"), whole)
