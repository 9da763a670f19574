"""Trained parameters put back into the forward model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.runtime.npz import write_npz
from maxpoolgrad_onnx.converters.training.files import Results
from support_training import (
    TrainingFiles,
    bars_model,
    run,
)


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
