"""run(): files in, files out, as ais_bench has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.runtime.run import run
from support_convert import onnx_model


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """s = a + b and d = a - b, the first size open."""
    built = onnx_model(
        "s = Add(a, b) d = Sub(a, b)", "float[N,2] a, float[N,2] b", "float[N,2] s, float[N,2] d"
    )
    return converters.compile(built, tmp_path / "model", soc_version="Ascend910B1").om


A = np.array([[1, 2], [3, 4]], np.float32)
B = np.array([[10, 20], [30, 40]], np.float32)


def test_npy_files(model: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "one.npy", A)
    np.save(tmp_path / "two.npy", B)
    report = run(
        model,
        inputs=[tmp_path / "one.npy", tmp_path / "two.npy"],
        output=tmp_path / "out",
        output_dirname="stamp",
        outfmt="NPY",
    )
    assert list(report.files) == [tmp_path / "out" / "stamp" / f"one_{i}.npy" for i in (0, 1)]
    assert np.array_equal(np.load(report.files[0]), A + B)
    assert np.array_equal(np.load(report.files[1]), A - B)
    assert report.summary_path == tmp_path / "out" / "stamp_summary.json"
    summary = json.loads(report.summary_path.read_text())
    assert summary == report.summary
    assert set(summary["NPU_compute_time"]) == {"min", "max", "mean", "median", "percentile(99%)", "count"}
    assert summary["H2D_latency"]["count"] == summary["D2H_latency"]["count"] == 0
    assert summary["npu_compute_time_list"] == [summary["NPU_compute_time"]["mean"]]
    assert summary["backend"] == "host"
    assert summary["throughput"] == pytest.approx(2 * 1000 / summary["NPU_compute_time"]["mean"])
    assert summary["filesinfo"]["0"]["infiles"] == [str(tmp_path / "one.npy"), str(tmp_path / "two.npy")]
    assert summary["filesinfo"]["0"]["outfiles"] == [str(path) for path in report.files]


def test_folders_of_bin_files(model: Path, tmp_path: Path) -> None:
    for name, arrays in (("a", [A, A * 2, A[:1]]), ("b", [B, B * 2, B[:1]])):
        (tmp_path / name).mkdir()
        for number, array in enumerate(arrays):
            array.tofile(tmp_path / name / f"{number}.bin")
        (tmp_path / name / "notes.md").write_text("not an input")
    told: list[tuple[int, int]] = []
    report = run(
        model,
        inputs=[tmp_path / "a", tmp_path / "b"],
        output=tmp_path / "out",
        loop=2,
        progress=lambda *step: told.append(step),
    )
    assert [path.name for path in report.files] == [f"{n}_{i}.bin" for n in range(3) for i in range(2)]
    assert np.array_equal(np.fromfile(report.files[2], np.float32).reshape(2, 2), 2 * (A + B))
    assert np.array_equal(np.fromfile(report.files[4], np.float32), (A + B)[0])
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_text_output(model: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "third.npy", A / 3)
    report = run(model, inputs=[tmp_path / "third.npy"] * 2, output=tmp_path / "out", outfmt="TXT")
    assert np.array_equal(np.loadtxt(report.files[0], np.float32), A / 3 + A / 3)


def test_made_up_inputs(model: Path, tmp_path: Path) -> None:
    zeros = run(model, output=tmp_path / "out", output_dirname="z", outfmt="NPY", batchsize=3)
    assert [path.name for path in zeros.files] == ["pure_infer_data_0.npy", "pure_infer_data_1.npy"]
    assert np.array_equal(np.load(zeros.files[0]), np.zeros((3, 2), np.float32))
    noise = run(model, output=tmp_path / "out", output_dirname="r", outfmt="NPY", pure_data_type="random")
    assert np.load(noise.files[0]).shape == (1, 2)
    assert 0 < np.load(noise.files[0]).max() < 2


def test_nothing_is_written_without_an_output(model: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    report = run(model, loop=5, warmup_count=2)
    assert (report.files, report.summary_path) == ((), None)
    assert report.summary["NPU_compute_time"]["min"] > 0
    assert report.summary["NPU_compute_time"]["count"] == 5
    assert sorted(tmp_path.iterdir()) == before


def test_warns_of_windows_without_a_match(tmp_path: Path) -> None:
    grad = onnx_model(
        "y = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, g)",
        "float[1,1,4,4] x, float[1,1,2,2] p, float[1,1,2,2] g",
        "float[1,1,4,4] y",
    )
    onnx.save(grad, tmp_path / "grad.onnx")
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    p = mpg.max_pool_v3(x, ksize=(1, 1, 2, 2), strides=(1, 1, 2, 2))
    for name, array in (("x", x), ("p", p), ("g", p), ("off", p + 0.5)):
        np.save(tmp_path / f"{name}.npy", array)
    paths = {name: tmp_path / f"{name}.npy" for name in ("x", "p", "g", "off")}
    assert run(tmp_path / "grad.onnx", inputs=[paths["x"], paths["p"], paths["g"]]).warnings == ()
    (warning,) = run(tmp_path / "grad.onnx", inputs=[paths["x"], paths["off"], paths["g"]]).warnings
    assert "4 windows hold no element that equals their orig_output" in warning


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"inputs": ["a.npy"]}, "1 input path is given; it takes 'a', 'b': give as many files for each"),
    ({"inputs": ["two"]}, "1 input path is given; it takes 'a', 'b': give a file or folder for each"),
    ({"inputs": ["a.npy", "none.npy"]}, "none.npy"),
    ({"inputs": ["a.npy", "empty"]}, "the folder has no .npy or .bin file"),
    ({"inputs": ["a.npy", "two"]}, "different numbers of files: {tmp}/a.npy has 1, {tmp}/two has 2"),
    ({"inputs": ["a.npy", "text.npy"]}, "text.npy: it is no .npy file of numbers"),
    ({"inputs": ["a.npy", "objects.npy"]}, "objects.npy: it is no .npy file of numbers"),
    ({"inputs": ["a.npy", "a.txt"]}, "a.txt is given for input 'b', but is called as input 'a' is"),
    ({"inputs": ["a.npy", "b=a.txt"]}, "a.npy is given without a name, others with one; write all as name"),
    ({"inputs": ["a=a.npy", "b=a.txt"]}, "a.txt: its suffix is '.txt'; inputs are .npy files, or .bin"),
    (
        {"inputs": ["a.npy", "odd.bin"]},
        "odd.bin: it has 12 bytes; input 'b' takes a multiple of 8, float32 [-1, 2]",
    ),
    ({"inputs": ["a.npy", "double.npy"]}, "double.npy: input 'b' is given as float64; it takes float32"),
    ({"inputs": ["a.npy", "flat.npy"]}, "input 'b' is given with the shape [2] (8 bytes); it takes [-1, 2]"),
    ({"inputs": ["a.npy", "again.npy"], "outfmt": "XML"}, "outfmt is 'XML'; allowed are NPY, BIN, TXT"),
    ({"loop": 0}, "loop is 0; it must be 1 or more"),
    ({"warmup_count": -1}, "warmup_count is -1; it must be 0 or more"),
    ({"batchsize": 0}, "batchsize is 0; it must be 1 or more"),
    (
        {"inputs": ["a.npy", "again.npy"], "batchsize": 8},
        "batchsize is 8, but the inputs are 'a' [2, 2], 'b' [2, 2]; give theirs, or leave it out",
    ),
    ({"pure_data_type": "ones"}, "pure_data_type is 'ones'; allowed are zero and random"),
    ({"output": "a.npy"}, "a.npy/stamp: the folder cannot be made: not a directory"),
    ({"output": None}, "output_dirname is 'stamp', but there is no output; give --output, too"),
    ({"output_batchsize_axis": -1}, "output_batchsize_axis is -1; it must be 0 or more"),
    ({"backend": "gpu"}, "backend is 'gpu'; allowed are auto, host, device"),
    ({"acl_json_path": "acl.json"}, "but it runs on the host, which has no AscendCL; leave it out"),
]


@pytest.mark.parametrize(("change", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_refused(model: Path, tmp_path: Path, change: dict[str, Any], words: str) -> None:
    np.save(tmp_path / "a.npy", A)
    np.save(tmp_path / "again.npy", A)
    np.save(tmp_path / "flat.npy", A[0])
    np.save(tmp_path / "double.npy", A.astype(np.float64))
    np.save(tmp_path / "objects.npy", np.array([None]), allow_pickle=True)
    np.zeros(3, np.float32).tofile(tmp_path / "odd.bin")
    (tmp_path / "text.npy").write_text("text")
    (tmp_path / "a.txt").write_text("text")
    for folder, count in (("empty", 0), ("two", 2)):
        (tmp_path / folder).mkdir()
        for number in range(count):
            np.save(tmp_path / folder / f"{number}.npy", A)
    change = {"output": "out", **change}
    if "inputs" in change:
        named = (name.rpartition("=") for name in change["inputs"])
        change["inputs"] = [f"{name}{equals}{tmp_path / path}" for name, equals, path in named]
    if change["output"]:
        change["output"] = tmp_path / change["output"]
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        run(model, output_dirname="stamp", **change)
    assert words.replace("{tmp}", str(tmp_path)) in str(caught.value)
    assert "\n" not in str(caught.value)
