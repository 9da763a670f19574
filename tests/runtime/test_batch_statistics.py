"""Batch normalisation in training changes nothing that it is given, and so gives the same in every run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.training.forward import ForwardModel
from support_convert import onnx_model

NORM = "BatchNormalization<training_mode=1, momentum=0.5>"
ONES, ZEROS = np.ones(3, np.float32), np.zeros(3, np.float32)
X = np.random.default_rng(0).standard_normal((2, 3, 4, 4)).astype(np.float32)
NORMALISED = (X - X.mean((0, 2, 3), keepdims=True)) / np.sqrt(X.var((0, 2, 3), keepdims=True) + 1e-5)


@pytest.fixture(params=["native", "twin"])
def kernel(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("suffix", ["onnx", "om"])
def test_a_scale_of_ones_beside_equal_statistics(tmp_path: Path, suffix: str, kernel: str) -> None:
    model = onnx_model(
        f"y, m, v = {NORM}(x, scale, bias, mean, var)",
        "float[2,3,4,4] x",
        "float[2,3,4,4] y",
        {"scale": ONES, "bias": ZEROS, "mean": ZEROS, "var": ONES},
    )
    path = _written(model, tmp_path, suffix)
    with converters.InferSession(0, path, kernel=kernel) as session:
        for _ in range(2):
            (y,) = session.infer([X])
            np.testing.assert_allclose(y, NORMALISED, atol=1e-5)


@pytest.mark.parametrize("suffix", ["onnx", "om"])
def test_constant_statistics_stay_from_run_to_run(tmp_path: Path, suffix: str, kernel: str) -> None:
    model = onnx_model(
        f"y, m, v = {NORM}(x, scale, bias, mean, var) negative = Neg(m)",
        "float[2,3,4,4] x",
        "float[2,3,4,4] y, float[3] negative",
        {"scale": 3 * ONES, "bias": 4 * ONES, "mean": 5 * ONES, "var": 6 * ONES},
    )
    path = _written(model, tmp_path, suffix)
    with converters.InferSession(0, path, kernel=kernel) as session:
        for _ in range(3):
            _, negative = session.infer([X])
            np.testing.assert_allclose(negative, -(5 + X.mean((0, 2, 3))) / 2, rtol=1e-6)


def test_the_callers_arrays_stay_as_they_are(tmp_path: Path) -> None:
    model = onnx_model(
        f"y, m, v = {NORM}(x, scale, bias, mean, var) negative = Neg(m)",
        "float[2,3,4,4] x, float[3] mean, float[3] var",
        "float[2,3,4,4] y, float[3] negative",
        {"scale": ONES, "bias": ZEROS},
    )
    feeds = {"x": X.copy(), "mean": 5 * ONES, "var": 6 * ONES}
    with converters.InferSession(0, _written(model, tmp_path, "om")) as session:
        session.infer(feeds)
    assert feeds["mean"].tolist() == [5, 5, 5]
    assert feeds["var"].tolist() == [6, 6, 6]


def test_a_forward_model_in_training_form_gives_the_same_logits_again() -> None:
    model = onnx_model(
        f"y, m, v = {NORM}(x, scale, bias, mean, var) mixed = Mul(m, scale) logits = ReduceMean(y) "
        "sum = Add(logits, mixed)",
        "float[2,3,4,4] x",
        "float[1,1,1,3] sum",
        {"scale": ONES, "bias": ZEROS, "mean": 5 * ONES, "var": 6 * ONES},
    )
    forward = ForwardModel(model, ["scale", "mean"])
    parameters = {"scale": 2 * ONES, "mean": 7 * ONES}
    first = forward.logits(parameters, {"x": X})
    assert np.array_equal(first, forward.logits(parameters, {"x": X}))
    assert parameters["mean"].tolist() == [7, 7, 7]


def _written(model: object, folder: Path, suffix: str) -> Path:
    import onnx

    path = folder / f"norm.{suffix}"
    if suffix == "onnx":
        onnx.save(model, path)
    else:
        converters.compile(model, folder / "norm", soc_version="Ascend910B1")  # type: ignore[arg-type]
    return path
