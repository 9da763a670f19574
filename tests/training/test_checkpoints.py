"""Checkpoints: a training that goes on is the training that never stopped, whatever stopped it."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import MaxPoolGradError, converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.runtime.npz import read_npz, write_npz
from maxpoolgrad_onnx.converters.training import History, Schedule
from maxpoolgrad_onnx.converters.training.checkpoint import OWN_NAMES, read_checkpoint
from maxpoolgrad_onnx.converters.training.files import Results, Sources, train_files
from support_training import TrainingFiles, bars, bars_model, training_files

EPOCHS = 6


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> TrainingFiles:
    return training_files(tmp_path_factory.mktemp("training"), optimizer="adamw", clip_norm=1.0)


class _StopError(Exception):
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
            raise _StopError

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
    with pytest.raises(_StopError):
        run(files, results=results, progress=stopping_at(step), **options)


@pytest.mark.parametrize("stops", [[1], [5], [6], [17, 17, 23], [3, 14, 15, 29]])
def test_resumed_is_uninterrupted(files: TrainingFiles, tmp_path: Path, stops: list[int]) -> None:
    whole = run(files)
    assert len(whole.epochs[0].figures) == 2
    checkpoint = tmp_path / "c.npz"
    for stop in stops:
        going_on = checkpoint.exists()
        results = Results(checkpoint=checkpoint, every=2)
        with pytest.raises(_StopError):
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


def test_a_training_with_a_dynamic_loss_scale_goes_on_with_it(tmp_path: Path) -> None:
    files = training_files(tmp_path, optimizer="adam", loss_scale="dynamic")
    whole = run(files)
    assert whole.state["loss_scale"] == 65536
    assert whole.state["step"] == len(whole.losses)
    interrupted(files, tmp_path / "c.npz")
    assert_same(run(files, resume=tmp_path / "c.npz"), whole)


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
    with pytest.raises(_StopError):
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


def test_export(files: TrainingFiles, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    history = run(files, results=Results(checkpoint=tmp_path / "c.npz", output=tmp_path / "o.npz"))
    for name in ("c", "o"):
        target = tmp_path / f"{name}.onnx"
        assert main(["export", str(tmp_path / f"{name}.npz"), str(files.forward), "-o", str(target)]) == 0
        assert "4 parameters are the trained ones" in capfd.readouterr().out
        model = onnx.load(target)
        onnx.checker.check_model(model, full_check=True)
        for tensor in model.graph.initializer:
            array = onnx.numpy_helper.to_array(tensor)
            np.testing.assert_array_equal(array, history.state[tensor.name])
        bare, wanted = onnx.load(target), bars_model()
        for each in (bare, wanted):
            del each.graph.initializer[:]
        assert bare == wanted


def test_export_refuses(files: TrainingFiles, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    state = {t.name: onnx.numpy_helper.to_array(t) for t in bars_model().graph.initializer}
    for arrays, words in (
        ({**state, "q": np.ones(2, "f")}, "the forward model has no initializer 'q'; give the model that"),
        ({**state, "b": np.ones(5, "f")}, "the trained 'b' is float32 [5], the forward model's float32 [4]"),
        ({**state, "b": np.ones(4)}, "the trained 'b' is float64 [4], the forward model's float32 [4]"),
        ({"step": np.array(3)}, "there are no parameters among the values"),
    ):
        write_npz(tmp_path / "s.npz", arrays)
        target = tmp_path / "out.onnx"
        assert main(["export", str(tmp_path / "s.npz"), str(files.forward), "-o", str(target)]) == 1
        line = capfd.readouterr().err
        assert words in line
        assert line.count("\n") == 1
        assert not target.exists()
    before = files.forward.read_bytes()
    words_of = ["export", str(tmp_path / "s.npz"), str(files.forward), "-o", str(files.forward)]
    assert main(words_of) == 1
    assert files.forward.read_bytes() == before


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
    with pytest.raises(MaxPoolGradError, match="'b' holds inf after step 0"):
        converters_train(session, {**start, "b": np.full(4, np.inf, "f")})
    with pytest.raises(
        MaxPoolGradError, match=r"holds .* after step 1 of 1; lower the learning rate, or clip"
    ):
        converters_train(session, {name: array * 1000 for name, array in start.items()}, rate=3e38)


def converters_train(session: Any, start: dict[str, Array], rate: float = 0.1) -> History:
    from maxpoolgrad_onnx.converters.training import train

    return train(session, bars(8), start, epochs=1, learning_rate=rate, batch_size=8)


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
    with pytest.raises(MaxPoolGradError, match="save_every is 0; it must be 1 or more"):
        run(files, results=Results(checkpoint=files.folder / "never.npz", every=0))
    assert not os.path.exists(files.folder / "never.npz")
