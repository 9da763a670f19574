"""Trainings with master weights: kept in checkpoints, left out of the exported model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx import add_training_step, converters
from maxpoolgrad_onnx.converters.runtime.npz import read_npz, write_npz
from maxpoolgrad_onnx.converters.training import Schedule
from maxpoolgrad_onnx.converters.training.export import export
from maxpoolgrad_onnx.converters.training.files import Results, Sources
from maxpoolgrad_onnx.gradient import Adam
from maxpoolgrad_onnx.model_files import load_model
from support_convert import onnx_model
from support_training import TrainingFiles, assert_same, bars, interrupted, run


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> TrainingFiles:
    files = TrainingFiles(tmp_path_factory.mktemp("halves"))
    weights = {
        "w": np.random.default_rng(3).normal(0, 0.3, (16, 2)).astype(np.float16),
        "b": np.zeros(2, np.float16),
    }
    nodes = "h = Cast<to=10>(x) f = Flatten(h) m = MatMul(f, w) a = Add(m, b) logits = Cast<to=1>(a)"
    forward = onnx_model(nodes, "float[N,1,4,4] x", "float[N,2] logits", weights)
    onnx.save(forward, files.forward)
    step = add_training_step(forward, optimizer=Adam(), master_weights=True)
    converters.compile(step, files.step.with_suffix(""), soc_version="Ascend910B1")
    write_npz(files.data, bars(50))
    return files


def test_masters_go_on_where_the_training_was_stopped(halves: TrainingFiles, tmp_path: Path) -> None:
    output, checkpoint = tmp_path / "o.npz", tmp_path / "c.npz"
    whole = run(halves, results=Results(output=output))
    interrupted(halves, checkpoint)
    assert_same(run(halves, resume=checkpoint), whole)

    state = read_npz(output)
    for name in "wb":
        assert state[f"{name}.master"].dtype == np.float32
        assert np.array_equal(state[name], state[f"{name}.master"].astype(np.float16))
        assert np.any(state[name] != state[f"{name}.master"])
    assert export(output, halves.forward, tmp_path / "trained.onnx") == 2
    trained = {t.name: t for t in load_model(tmp_path / "trained.onnx").graph.initializer}
    assert np.array_equal(onnx.numpy_helper.to_array(trained["w"]), state["w"])


def test_masters_start_as_the_parameters_that_are_given(halves: TrainingFiles, tmp_path: Path) -> None:
    start = {"w": np.full((16, 2), 0.125, np.float16), "b": np.ones(2, np.float16)}
    write_npz(tmp_path / "s.npz", start)
    sources = Sources(state=tmp_path / "s.npz", forward=halves.forward)
    history = run(halves, sources=sources, epochs=2, schedule=Schedule(0.0))
    for name, array in start.items():
        assert np.array_equal(history.state[f"{name}.master"], array)
