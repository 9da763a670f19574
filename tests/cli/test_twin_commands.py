"""`maxpoolgrad run --kernel twin` and `maxpoolgrad kernel-report`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.cli.main import main

Capture = pytest.CaptureFixture[str]
POOL = {"ksize": (1, 1, 3, 3), "strides": (1, 1, 2, 2), "pads": (1, 1, 1, 1)}


@pytest.fixture
def step(tmp_path: Path) -> Path:
    model = mpg.make_model((2, 16, 8, 8), name="grad", **POOL)
    return converters.compile(model, tmp_path / "step", soc_version="Ascend910B1").om


def saved_inputs(folder: Path) -> tuple[str, np.ndarray]:  # type: ignore[type-arg]
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 16, 8, 8)).astype(np.float32)
    y = mpg.max_pool_v3(x, **POOL)
    g = rng.standard_normal(y.shape).astype(np.float32)
    paths = []
    for name, array in (("x", x), ("y", y), ("g", g)):
        np.save(folder / f"{name}.npy", array)
        paths.append(str(folder / f"{name}.npy"))
    return ",".join(paths), mpg.max_pool_v3_grad(x, y, g, **POOL)


def test_run_on_the_twin(step: Path, tmp_path: Path, capsys: Capture) -> None:
    inputs, expected = saved_inputs(tmp_path)
    flags = ["--kernel", "twin", "--soc-version", "Ascend910B1", "--input", inputs, "--outfmt", "NPY"]
    where = ["--output", str(tmp_path), "--output_dirname", "out"]
    assert main(["run", str(step), *flags, *where]) == 0
    out = capsys.readouterr().out
    assert "bytes written" in out
    assert str(expected.nbytes) in out
    assert np.load(tmp_path / "out" / "x_0.npy").tobytes() == expected.tobytes()
    summary = json.loads((tmp_path / "out_summary.json").read_text())
    (figures,) = summary["kernels"].values()
    assert figures["bytes written"] == expected.nbytes
    assert figures["cores"] >= 1


def test_without_the_twin_nothing_is_said_of_kernels(step: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["run", str(step), "--output", str(tmp_path), "--output_dirname", "out"]) == 0
    assert "bytes written" not in capsys.readouterr().out
    assert "kernels" not in json.loads((tmp_path / "out_summary.json").read_text())


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--kernel", "twin", "--soc_version", "Ascend910B4"], "bound for Ascend910B1, not for Ascend910B4"),
        (["--kernel", "npu"], "kernel is 'npu'; allowed are native and twin"),
        (["--soc-version", "Ascend910B1"], "only the twin has a processor"),
    ],
)
def test_refusals(step: Path, capsys: Capture, flags: list[str], sentence: str) -> None:
    assert main(["run", str(step), *flags]) == 1
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_kernel_report(tmp_path: Path, capsys: Capture) -> None:
    flags = ["--soc-version", "Ascend910B1", "--format", "NCHW", "--dtype", "float16", "--batch", "1"]
    assert main(["kernel-report", *flags, "--output", str(tmp_path / "report")]) == 0
    out = capsys.readouterr().out
    assert "k13 s1 p6 at 13x13" in out
    assert "CANN's" in out
    assert {path.name for path in (tmp_path / "report").iterdir()} == {
        "kernel-report.json",
        "kernel-report.png",
    }
    assert main(["kernel-report", *flags, "--json"]) == 0
    measurements = json.loads(capsys.readouterr().out)
    assert [entry["workload"]["kernel"] for entry in measurements] == [2, 3, 3, 13]


def test_kernel_report_in_markdown(capsys: Capture) -> None:
    flags = ["--soc-version", "Ascend910B1", "--format", "NHWC", "--dtype", "float32", "--batch", "1"]
    assert main(["kernel-report", *flags, "--markdown"]) == 0
    header, rule, *rows = capsys.readouterr().out.splitlines()
    assert header.startswith("| pooling | dtype | Ascend910B1 NHWC | ")
    assert len(rows) == 4
    assert {line.count("|") for line in (header, rule, *rows)} == {5}


def test_kernel_report_refuses(capsys: Capture) -> None:
    assert main(["kernel-report", "--dtype", "int8"]) == 1
    assert "dtype is 'int8'; allowed are float16 and float32" in capsys.readouterr().err
