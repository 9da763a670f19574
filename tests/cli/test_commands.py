"""The commands one after the other on real files, as a user goes through them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx import max_pool_v3_grad
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.gradient import initial_state
from maxpoolgrad_onnx.model_files import load_model

Capture = pytest.CaptureFixture[str]


_FORWARD = """
<ir_version: 9, opset_import: ["" : 18]>
forward (float[N, 1, 9, 9] x) => (float[N, 3] logits)
{
    a = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x, w0, b0)
    b = Relu (a)
    c = MaxPool <kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1> (b)
    d = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (c, w1, b1)
    e = Relu (d)
    f = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (e)
    g = Flatten (f)
    logits = Gemm (g, w2, b2)
}
"""
_WEIGHTS = {"w0": (4, 1, 3, 3), "b0": (4,), "w1": (5, 4, 3, 3), "b1": (5,), "w2": (20, 3), "b2": (3,)}


def _forward_model() -> onnx.ModelProto:
    """Two convolutions, two pools and a head, its weights random."""
    model = onnx.parser.parse_model(_FORWARD)
    rng = np.random.default_rng(0)
    for name, shape in _WEIGHTS.items():
        array = rng.normal(0, 0.3, shape).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    return model


@dataclass(frozen=True)
class Files:
    folder: Path

    def __getattr__(self, suffix: str) -> Path:
        return self.folder / f"step.{suffix}"

    @property
    def forward(self) -> Path:
        return self.folder / "forward.onnx"

    @property
    def data(self) -> Path:
        return self.folder / "data.npz"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A forward model and data; grad and atc have made step.onnx, step.air and step.om of it."""
    made = Files(tmp_path_factory.mktemp("road"))
    onnx.save(_forward_model(), made.forward)
    rng = np.random.default_rng(1)
    np.savez(made.data, x=rng.standard_normal((12, 1, 9, 9), np.float32), labels=rng.integers(0, 3, 12))
    assert main(["grad", str(made.forward), "-o", str(made.onnx)]) == 0
    words = [f"--model={made.onnx}", f"--output={made.folder / 'step'}", "--soc_version=Ascend910B1"]
    assert main(["atc", "--framework=5", *words]) == 0
    return made


def test_the_step_is_sound(files: Files, capfd: Capture) -> None:
    assert main(["check", str(files.onnx)]) == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    assert captured.out.count("equal") == 2
    assert "DIFFERENT" not in captured.out


def test_the_om_is_shown(files: Files, capfd: Capture) -> None:
    assert main(["inspect", "--json", str(files.om)]) == 0
    report = json.loads(capfd.readouterr().out)
    assert len(report["pool_nodes"]) == 2
    assert {port["name"] for port in report["outputs"]} >= {"loss", "w0.updated"}


@pytest.mark.parametrize("suffix", ["onnx", "air", "om"])
def test_the_step_runs(files: Files, tmp_path: Path, capfd: Capture, suffix: str) -> None:
    words = ["--output", tmp_path, "--output_dirname", "out", "--outfmt", "NPY", "--loop", "2"]
    assert main(["run", str(getattr(files, suffix)), *map(str, words)]) == 0
    summary = json.loads((tmp_path / "out_summary.json").read_text())
    assert summary["NPU_compute_time"]["min"] > 0
    assert len(list((tmp_path / "out").glob("*.npy"))) == len(load_model(files.onnx).graph.output)
    assert "median" in capfd.readouterr().out


def test_the_om_is_trained(files: Files, tmp_path: Path, capfd: Capture) -> None:
    state, more = tmp_path / "state.npz", tmp_path / "more.npz"
    words = ["train", str(files.om), "--data", str(files.data), "--lr", "0.05"]
    assert main([*words, "--forward", str(files.forward), "--epochs", "4", "-o", str(state)]) == 0
    first = _losses(capfd.readouterr().out)
    assert len(first) == 4
    assert first[-1] < first[0]
    assert main([*words, "--state", str(state), "-o", str(more)]) == 0
    assert _losses(capfd.readouterr().out)[0] < first[0]
    assert set(np.load(more).files) == set(initial_state(load_model(files.forward), load_model(files.onnx)))


def test_the_first_parameters_may_lie_with_the_data(files: Files, tmp_path: Path, capfd: Capture) -> None:
    data = tmp_path / "all.npz"
    np.savez(data, **np.load(files.data), **initial_state(load_model(files.forward), load_model(files.onnx)))
    assert main(["train", str(files.om), "--data", str(data)]) == 0
    alone = _losses(capfd.readouterr().out)
    assert main(["train", str(files.om), "--data", str(files.data), "--forward", str(files.forward)]) == 0
    assert _losses(capfd.readouterr().out) == alone


def test_a_training_without_parameters_is_told_what_to_give(files: Files, capfd: Capture) -> None:
    assert main(["train", str(files.om), "--data", str(files.data)]) == 1
    line = capfd.readouterr().err
    assert line.startswith(f"error: {files.om}: parameter '")
    assert "(--forward)" in line
    assert "(--state)" in line
    assert line.count("\n") == 1


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
def test_one_operator_from_make_to_run(data_format: str, tmp_path: Path, capfd: Capture) -> None:
    shape = "1,3,8,8" if data_format == "NCHW" else "1,8,8,3"
    model, out = tmp_path / "m.onnx", tmp_path / "m"
    layout = ["--data-format", data_format]
    pool = ["--ksize", "3,2", "--strides", "2", "--pads", "1,0,0,1", "--ceil-mode"]
    assert main(["make", str(model), "--shape", shape, *pool, *layout]) == 0
    assert main(["check", str(model)]) == 0
    words = [f"--model={model}", f"--output={out}", "--soc_version=Ascend950PR_9579", "--input_format=ND"]
    assert main(["atc", "--framework=5", *words]) == 0
    rng = np.random.default_rng(0)
    arrays = []
    for info in load_model(model).graph.input:
        dims = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
        arrays.append(rng.integers(-2, 3, dims).astype(np.float32))
        np.save(tmp_path / f"{info.name}.npy", arrays[-1])
    inputs = ",".join(str(tmp_path / f"{name}.npy") for name in ("orig_input", "orig_output", "grad"))
    results = ["--output", str(tmp_path), "--output_dirname", "r", "--outfmt", "NPY"]
    assert main(["run", f"{out}.om", "--input", inputs, *results]) == 0
    (result,) = (tmp_path / "r").glob("*.npy")
    k, s = ([1, 1, 3, 2], [1, 1, 2, 2]) if data_format == "NCHW" else ([1, 3, 2, 1], [1, 2, 2, 1])
    attributes = {
        "ksize": k,
        "strides": s,
        "pads": [1, 0, 0, 1],
        "data_format": data_format,
        "ceil_mode": True,
    }
    np.testing.assert_array_equal(np.load(result), max_pool_v3_grad(*arrays, **attributes))
    assert "gradients are lost" in capfd.readouterr().err, "orig_output is random"


def test_make_writes_what_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    words = [
        "--shape",
        "N,2,9,9",
        "--ksize",
        "3",
        "--padding-mode",
        "SAME",
        "--dtype",
        "float16",
        "--name",
        "n",
    ]
    assert main(["make", str(path), *words]) == 0
    node = load_model(path).graph.node[0]
    written = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    assert node.name == "n"
    assert written["ksize"] == written["strides"] == [1, 1, 3, 3]
    assert written["padding_mode"] == b"SAME"
    assert load_model(path).graph.input[0].type.tensor_type.elem_type == onnx.TensorProto.FLOAT16


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--ksize", "256"], "ksize is [1, 1, 256, 256]; its height 256 must lie in [1, 255]"),
        (["--ksize", "2", "--dtype", "float64"], "float64; allowed are float16 and float32"),
        (["--ksize", "2", "--padding-mode", "FULL"], "padding_mode is 'FULL'; allowed are"),
        (["--ksize", "2", "--pads", "-1"], "each of [top, bottom, left, right] must be 0 or more"),
        (["--ksize", "2", "--opset", "19"], "opset is 19"),
        (["--ksize", "2", "--output-shape", "1,2,5,4"], "height of orig_output is 5"),
    ],
)
def test_make_refuses_what_the_operator_refuses(
    words: list[str], told: str, tmp_path: Path, capfd: Capture
) -> None:
    assert main(["make", str(tmp_path / "m.onnx"), "--shape", "1,2,8,8", *words]) == 1
    line = capfd.readouterr().err
    assert told in line
    assert line.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_grad_protects_its_input_and_names_what_it_refuses(
    files: Files, tmp_path: Path, capfd: Capture
) -> None:
    before = files.forward.read_bytes()
    assert main(["grad", str(files.forward), "-o", str(files.forward)]) == 1
    assert "it is the input itself" in capfd.readouterr().err
    assert files.forward.read_bytes() == before
    assert main(["grad", str(files.forward), "-o", str(tmp_path / "s.onnx"), "--optimizer", "lion"]) == 1
    assert "'lion'; allowed are 'sgd', 'adam', 'adamw'" in capfd.readouterr().err
    assert not (tmp_path / "s.onnx").exists()


def test_a_precision_that_loses_gradients_is_a_warning(tmp_path: Path, capfd: Capture) -> None:
    model = onnx.parser.parse_model(
        """
        <ir_version: 9, opset_import: ["" : 18, "npu" : 1]>
        g (float[1, 1, 8, 8] x, float[1, 1, 4, 4] grad) => (float[1, 1, 8, 8] out_grad)
        {
            pooled = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
            half = Cast <to = 10> (pooled)
            y = Cast <to = 1> (half)
            [pg] out_grad = npu.MaxPoolV3Grad <ksize = [1,1,2,2], strides = [1,1,2,2]> (x, y, grad)
        }
        """
    )
    onnx.save(model, tmp_path / "m.onnx")
    assert main(["check", str(tmp_path / "m.onnx")]) == 0
    line = capfd.readouterr().err
    assert line.startswith("warning: node 'pg': ")
    assert "match nothing" in line


@pytest.mark.parametrize("command", ["check", "grad", "run", "inspect", "train"])
@pytest.mark.parametrize("content", [None, b"", b"no model"])
def test_a_bad_file_is_one_line(
    command: str, content: bytes | None, files: Files, tmp_path: Path, capfd: Capture
) -> None:
    path = tmp_path / "bad.onnx"
    if content is not None:
        path.write_bytes(content)
    more = {"grad": ["-o", str(tmp_path / "out.onnx")], "train": ["--data", str(files.data)]}
    assert main([command, str(path), *more.get(command, [])]) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"error: {path}")
    assert captured.err.count("\n") == 1
    assert not (tmp_path / "out.onnx").exists()


@pytest.mark.parametrize("command", ["check", "grad", "run"])
def test_a_truncated_model_is_one_line(command: str, files: Files, tmp_path: Path, capfd: Capture) -> None:
    path = tmp_path / "cut.onnx"
    whole = files.forward.read_bytes()
    more = ["-o", str(tmp_path / "out.onnx")] if command == "grad" else []
    for length in (1, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        assert main([command, str(path), *more]) == 1
        captured = capfd.readouterr()
        assert captured.err.count("\n") >= 1
        assert "internal error" not in captured.err
        assert not (tmp_path / "out.onnx").exists()


def test_an_output_that_cannot_be_written(files: Files, tmp_path: Path, capfd: Capture) -> None:
    nowhere = tmp_path / "none" / "out"
    pool = ["--shape", "1,1,4,4", "--ksize", "2"]
    data = ["--data", str(files.data), "--forward", str(files.forward)]
    for words in (
        ["make", f"{nowhere}.onnx", *pool],
        ["grad", str(files.forward), "-o", f"{nowhere}.onnx"],
        ["train", str(files.om), *data, "-o", f"{nowhere}.npz"],
    ):
        assert main(words) == 1
        line = capfd.readouterr().err
        assert line.startswith(f"error: {nowhere}")
        assert f"cannot be written: there is no folder {nowhere.parent}; make it first" in line
        assert line.count("\n") == 1


def test_an_output_that_is_a_folder(files: Files, tmp_path: Path, capfd: Capture) -> None:
    for folder in (str(tmp_path), f"{tmp_path}/none/"):
        assert main(["grad", str(files.forward), "-o", folder]) == 1
        assert capfd.readouterr().err == f"error: {folder}: it is a folder; add a file name\n"
    assert list(tmp_path.iterdir()) == []


def test_a_training_without_output_says_so(files: Files, tmp_path: Path, capfd: Capture) -> None:
    words = ["train", str(files.om), "--data", str(files.data), "--forward", str(files.forward)]
    assert main(words) == 0
    assert capfd.readouterr().out.endswith("the parameters are not kept; give --output for that\n")
    assert main([*words, "-o", str(tmp_path / "t.npz")]) == 0
    assert capfd.readouterr().out.endswith(f"wrote {tmp_path / 't.npz'}\n")


def test_what_a_run_counts(tmp_path: Path, capfd: Capture) -> None:
    model = tmp_path / "m.onnx"
    assert main(["make", str(model), "--shape", "N,1,4,4", "--ksize", "2"]) == 0
    words = ["run", str(model), "--output", str(tmp_path), "--output_dirname", "r"]
    capfd.readouterr()
    assert main(words) == 0
    out = capfd.readouterr().out
    assert "[INFO] NPU_compute_time (ms): min = " in out
    assert "[INFO] throughput 1000*batchsize.mean(1)/NPU_compute_time.mean(" in out
    assert f"wrote 1 file and {tmp_path / 'r_summary.json'}\n" in out
    assert main([*words, "--batchsize", "2", "--debug", "1", "--display_all_summary", "true"]) == 0
    out = capfd.readouterr().out
    assert "batchsize.mean(2)" in out
    for shown in ("H2D_latency (ms): ", "D2H_latency (ms): ", "[DEBUG] model aclExec cost : ", "orig_output"):
        assert shown in out


def test_flags_of_ais_bench_that_mean_nothing_here(tmp_path: Path, capfd: Capture) -> None:
    model = tmp_path / "m.onnx"
    assert main(["make", str(model), "--shape", "N,1,4,4", "--ksize", "2"]) == 0
    taken = ["--auto_set_dymshape_mode", "1", "--outputSize", "1000", "--run_mode", "array"]
    assert main(["run", "-m", str(model), *taken, "--dymShape_range", ""]) == 0
    capfd.readouterr()
    for words, told in (
        (["--dump", "1"], "--dump is not done here; give --acl_json_path"),
        (["--device", "0,1"], "--device is 0,1; one run takes one device"),
        (["--debug", "maybe"], "'maybe' is neither 0 nor 1"),
    ):
        assert main(["run", str(model), *words]) == 2
        assert told in capfd.readouterr().err


def test_the_installed_commands(files: Files, tmp_path: Path) -> None:
    """Once as a user calls them, each a process of its own."""
    program = str(Path(sys.executable).with_name("maxpoolgrad"))
    for words in (
        ["check", "step.onnx"],
        [
            "atc",
            "--framework=5",
            "--model=step.onnx",
            f"--output={tmp_path}/s",
            "--soc_version=Ascend910_9391",
        ],
        ["run", f"{tmp_path}/s.om"],
    ):
        done = subprocess.run(
            [program, *words], cwd=files.folder, text=True, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout


def _losses(table: str) -> list[float]:
    rows = [line.split() for line in table.splitlines()]
    return [float(row[1]) for row in rows if len(row) == 2 and row[0].isdecimal()]


def test_demo_refuses_what_makes_no_sense(tmp_path: Path, capfd: Capture) -> None:
    assert main(["demo", "--output", str(tmp_path / "d"), "--seeds", "0"]) == 1
    assert capfd.readouterr().err == "error: seeds is 0; it must be 1 or more\n"
    assert not (tmp_path / "d").exists()
