"""Training over an .om: state fed back, batches, schedules, evaluation, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.runtime.npz import read_npz, write_npz
from maxpoolgrad_onnx.converters.training import Epoch, Schedule, train
from maxpoolgrad_onnx.converters.training.files import Results, Sources, train_files
from maxpoolgrad_onnx.converters.training.forward import ForwardModel
from maxpoolgrad_onnx.gradient import initial_state
from support_convert import onnx_model
from support_ort import outputs_of
from support_training import bars
from support_training import bars_model as forward


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("steps")
    paths = {}
    for batch in ("N", "8"):
        step = mpg.add_training_step(forward(batch))
        paths[batch] = converters.compile(step, folder / f"step_{batch}", soc_version="Ascend910B1").om
    onnx.save(forward(), folder / "forward.onnx")
    paths["forward"] = folder / "forward.onnx"
    return paths


START = initial_state(forward(), mpg.add_training_step(forward()))


@pytest.mark.parametrize("batch", ["N", "8"])
def test_learns(steps: dict[str, Path], batch: str) -> None:
    session = converters.InferSession(0, steps[batch])
    model = ForwardModel(forward(batch), ["w", "b", "v", "c"])
    test = bars(45, seed=1)
    told: list[tuple[int, int]] = []
    epochs: list[Epoch] = []
    history = train(
        session,
        bars(100),
        START,
        epochs=12,
        learning_rate=lambda step, steps: 0.1 * (1 - step / steps),
        batch_size=8,
        evaluate=lambda state: {"accuracy": model.accuracy(state, test, test["labels"])},
        progress=lambda done, total: told.append((done, total)),
        on_epoch=epochs.append,
    )
    per_epoch = 13 if batch == "N" else 12  # 100 examples: the last 4 are a batch of their own, or left out
    assert told == [(i + 1, 12 * per_epoch) for i in range(12 * per_epoch)]
    assert list(history.epochs) == epochs
    assert [epoch.number for epoch in epochs] == list(range(1, 13))
    assert epochs[0].loss == pytest.approx(np.mean(history.losses[:per_epoch]))
    assert epochs[-1].loss < 0.2 * epochs[0].loss
    assert epochs[-1].figures["accuracy"] > 0.95
    assert model.accuracy(history.state, test, test["labels"]) == epochs[-1].figures["accuracy"]


def test_is_the_step_run_by_hand(steps: dict[str, Path]) -> None:
    data, step = bars(8), mpg.add_training_step(forward("8"))
    history = train(converters.InferSession(0, steps["8"]), data, START, epochs=3, learning_rate=0.05, seed=4)
    state, rng = dict(START), np.random.default_rng(4)
    for loss in history.losses:
        order = rng.permutation(8)
        feeds = {
            "x": data["x"][order],
            "labels": data["labels"][order],
            "learning_rate": np.array(0.05, "f"),
            **state,
        }
        result = outputs_of(step, feeds)
        assert result["loss"] == np.float32(loss)
        state = {name: result[f"{name}.updated"] for name in state}
    assert {name: value.tobytes() for name, value in state.items()} == {
        name: value.tobytes() for name, value in history.state.items()
    }


def test_seeds_order_the_batches(steps: dict[str, Path]) -> None:
    def losses(seed: int) -> list[float]:
        session = converters.InferSession(0, steps["N"])
        return list(train(session, bars(20), START, epochs=2, learning_rate=0.05, seed=seed).losses)

    assert losses(1) == losses(1)
    assert losses(1) != losses(2)


def test_data_may_lie_in_memory_as_it_likes(steps: dict[str, Path]) -> None:
    def losses(data: dict[str, Array]) -> list[float]:
        session = converters.InferSession(0, steps["N"])
        return list(train(session, data, START, epochs=1, learning_rate=0.05).losses)

    data = bars(20)
    other = {name: np.asfortranarray(array, array.dtype.newbyteorder(">")) for name, array in data.items()}
    assert losses(other) == losses(data)


def test_momenta_start_at_zero(steps: dict[str, Path]) -> None:
    session = converters.InferSession(0, steps["N"])
    weights = {name: value for name, value in START.items() if not name.endswith(".momentum")}
    given = train(session, bars(20), START, epochs=1, learning_rate=0.05)
    assert train(session, bars(20), weights, epochs=1, learning_rate=0.05).losses == given.losses


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"data": {"x": bars(9)["x"]}}, "input 'labels' is not given"),
    ({"data": {**bars(9), "z": np.zeros(9)}}, "it has no input 'z'; its inputs are 'x', 'labels'"),
    (
        {"data": {**bars(9), "labels": np.zeros(8, np.int64)}},
        "different numbers of examples, {'x': 9, 'labels': 8}",
    ),
    (
        {"data": {**bars(9), "labels": np.zeros(9, np.int32)}},
        "input 'labels' is given as int32; it takes int64",
    ),
    ({"data": bars(0)}, "the data has 0 examples"),
    ({"data": {}}, "input 'x' is not given; it takes 'x', 'labels', given are none"),
    (
        {"data": {**bars(9), "labels": np.arange(9) // 8 * 2}},
        "labels holds 2 for example 8; the step has 2 classes: number them from 0 to 1",
    ),
    ({"data": {**bars(9), "labels": np.arange(9) - 1}}, "labels holds -1 for example 0"),
    ({"state": {"w": START["w"]}}, "parameter 'b' has no value to start from"),
    ({"state": {**START, "b": np.zeros(5, np.float32)}}, "input 'b' is given with the shape [5]"),
    ({"batch_size": 0}, "batch_size is 0; it must be 1 or more"),
    ({"epochs": 0}, "epochs is 0; it must be 1 or more"),
    ({"seed": -1}, "seed is -1; it must be 0 or more"),
    ({"learning_rate": -0.1}, "learning_rate is -0.1; it must be a number, 0 or more"),
    ({"learning_rate": float("nan")}, "learning_rate is nan; it must be a number"),
    (
        {"learning_rate": 1e30},
        "the loss is nan at step 2 of 2; the first tensor that is no finite number is ",
    ),
]


@pytest.mark.parametrize(("change", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_refused(steps: dict[str, Path], change: dict[str, Any], words: str) -> None:
    arguments = {
        "data": bars(9),
        "state": START,
        "epochs": 2,
        "learning_rate": 0.1,
        "batch_size": 9,
        **change,
    }
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        train(converters.InferSession(0, steps["N"]), **arguments)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", ["onnx", "air", "om"])
def test_a_label_that_is_no_class_is_found_in_every_format(
    steps: dict[str, Path], tmp_path: Path, suffix: str
) -> None:
    onnx.save(mpg.add_training_step(forward()), tmp_path / "step.onnx")
    step = tmp_path / "step.onnx" if suffix == "onnx" else steps["N"].with_suffix(f".{suffix}")
    data = {**bars(9), "labels": np.full(9, 2)}
    with pytest.raises(mpg.MaxPoolGradError, match="labels holds 2 for example 0; the step has 2 classes"):
        train(converters.InferSession(0, step), data, START, epochs=1, learning_rate=0.1)


def test_a_fixed_batch_is_kept(steps: dict[str, Path]) -> None:
    session = converters.InferSession(0, steps["8"])
    with pytest.raises(mpg.MaxPoolGradError, match="batch_size is 4, but the model's batch is 8"):
        train(session, bars(9), START, epochs=1, learning_rate=0.1, batch_size=4)
    with pytest.raises(mpg.MaxPoolGradError, match=r"the data has 7 examples; a batch takes 8: .* is open"):
        train(session, bars(7), START, epochs=1, learning_rate=0.1)


def test_a_model_that_is_no_training_step(steps: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match="it is no training step, it has no output 'loss'"):
        train(converters.InferSession(0, steps["forward"]), bars(9), START, epochs=1, learning_rate=0.1)
    onnx.save(mpg.add_training_step(forward(), outputs="grads"), tmp_path / "grads.onnx")
    with pytest.raises(mpg.MaxPoolGradError, match="has no input 'learning_rate'"):
        train(
            converters.InferSession(0, tmp_path / "grads.onnx"), bars(9), START, epochs=1, learning_rate=0.1
        )


def _never(done: int, total: int) -> None:
    raise AssertionError("it trains towards an output that cannot be written")


def test_files_to_files(steps: dict[str, Path], tmp_path: Path) -> None:
    write_npz(tmp_path / "bars.npz", {**bars(40), "note": np.zeros(3)})
    data, state = tmp_path / "bars.npz", tmp_path / "state.npz"
    first = train_files(
        steps["N"],
        data,
        sources=Sources(forward=steps["forward"]),
        results=Results(output=state),
        epochs=2,
        schedule=Schedule(0.05),
    )
    assert {name: value.tobytes() for name, value in read_npz(state).items()} == {
        name: value.tobytes() for name, value in first.state.items()
    }
    second = train_files(steps["N"], data, sources=Sources(state), epochs=1, schedule=Schedule(0.05))
    assert second.epochs[0].loss < first.epochs[0].loss
    with pytest.raises(mpg.MaxPoolGradError, match="has no value to start from"):
        train_files(steps["N"], data, epochs=1, schedule=Schedule(0.05))
    write_npz(tmp_path / "all.npz", {**bars(40), **first.state})
    assert (
        train_files(steps["N"], tmp_path / "all.npz", epochs=1, schedule=Schedule(0.05)).losses
        == second.losses
    )
    write_npz(tmp_path / "names.npz", {"images": bars(9)["x"], "labels": bars(9)["labels"]})
    told = r"names.npz: it has no array 'x'; the step takes 'x', 'labels', the file holds 'images', 'labels'"
    with pytest.raises(mpg.MaxPoolGradError, match=told):
        train_files(steps["N"], tmp_path / "names.npz", epochs=1, schedule=Schedule(0.05))
    for output, told in (("none/q.npz", "there is no folder .*none; make it first"), ("", "it is a folder")):
        with pytest.raises(mpg.MaxPoolGradError, match=told):
            train_files(
                steps["N"],
                data,
                sources=Sources(state),
                results=Results(output=tmp_path / output),
                epochs=1,
                schedule=Schedule(0.05),
                progress=_never,
            )
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".npz"] * 4, "no temporary file is left"
    (tmp_path / "bad.npz").write_bytes(b"no archive")
    with pytest.raises(mpg.MaxPoolGradError, match=r"bad.npz: it is no .npz file of arrays"):
        train_files(
            steps["N"],
            tmp_path / "bad.npz",
            sources=Sources(forward=steps["forward"]),
            epochs=1,
            schedule=Schedule(0.05),
        )


def test_every_parameter_name_can_be_saved(tmp_path: Path) -> None:
    arrays = {name: np.arange(3) for name in ("file", "args", "a/b", "allow_pickle", "x.momentum")}
    write_npz(tmp_path / "a.npz", arrays)
    assert list(read_npz(tmp_path / "a.npz")) == list(arrays)


def test_evaluation_refuses_what_it_cannot_run() -> None:
    with pytest.raises(mpg.MaxPoolGradError, match="it has no initializer 'q'"):
        ForwardModel(forward(), ["q"])
    two = onnx_model("y = Relu(x) z = Neg(x)", "float[N,3] x", "float[N,3] y, float[N,3] z")
    with pytest.raises(mpg.MaxPoolGradError, match="it has 2 outputs; name the one with the logits"):
        ForwardModel(two, [])


def test_evaluation_from_an_om(tmp_path: Path) -> None:
    om = converters.compile(forward("8"), tmp_path / "forward", soc_version="Ascend910B1").om
    data = bars(13)
    other = {"c": np.array([5, -5], np.float32)}
    from_om = ForwardModel(om, ["c"]).logits(other, data)
    assert from_om.tobytes() == ForwardModel(forward("8"), ["c"]).logits(other, data).tobytes()
    assert from_om.shape == (13, 2)
    assert ForwardModel(om, ["c"]).accuracy(other, data, np.zeros(13, int)) == 1


def test_names_with_colons_keep_them(tmp_path: Path) -> None:
    """As TensorFlow's have them; GE's nodes have none: a colon divides a node from its output's number."""
    names = {"x": "input:0", "w": "conv/kernel:0", "b": "conv/kernel_0", "logits": "out:0"}
    model = forward()
    values = (*model.graph.input, *model.graph.output, *model.graph.initializer)
    for value in values:
        value.name = names.get(value.name, value.name)
    for node in model.graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
    onnx.save(model, tmp_path / "forward.onnx")
    step = mpg.add_training_step(model)
    compiled = converters.compile(step, tmp_path / "step", soc_version="Ascend910B1")
    data = bars(16)
    np.savez(tmp_path / "data.npz", **{"input:0": data["x"], "labels": data["labels"]})
    for path in (compiled.om, compiled.air):
        assert path is not None
        inputs = [info.name for info in converters.InferSession(0, path).get_inputs()]
        assert inputs == [value.name for value in step.graph.input]
        history = train_files(
            path,
            tmp_path / "data.npz",
            sources=Sources(forward=tmp_path / "forward.onnx"),
            epochs=2,
            schedule=Schedule(0.1),
        )
        assert {"conv/kernel:0", "conv/kernel_0", "conv/kernel:0.momentum"} <= set(history.state)


def test_weights_whose_bytes_are_cut(tmp_path: Path, steps: dict[str, Path]) -> None:
    model = forward()
    model.graph.initializer[0].raw_data = model.graph.initializer[0].raw_data[:-1]
    onnx.save(model, tmp_path / "cut.onnx")
    np.savez(tmp_path / "data.npz", **bars(16))
    with pytest.raises(mpg.MaxPoolGradError, match="the elements of 'w' cannot be read: "):
        train_files(
            steps["N"],
            tmp_path / "data.npz",
            sources=Sources(forward=tmp_path / "cut.onnx"),
            epochs=1,
            schedule=Schedule(0.1),
        )
