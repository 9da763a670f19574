"""Which file is for which input, and which files make a batch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.runtime.open_sizes import OpenSizes
from maxpoolgrad_onnx.converters.runtime.run import run
from support_convert import onnx_model

POOL = {"ksize": (1, 1, 2, 2), "strides": (1, 1, 2, 2)}


@pytest.fixture
def grad(tmp_path: Path) -> Path:
    """The operator alone; orig_output and grad have the same size."""
    path = tmp_path / "grad.onnx"
    onnx.save(mpg.make_model((4, 1, 4, 4), **POOL), path)
    return path


def arrays(batch: int = 4) -> dict[str, Array]:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((batch, 1, 4, 4)).astype(np.float32)
    y = mpg.max_pool_v3(x, **POOL)
    return {"orig_input": x, "orig_output": y, "grad": rng.standard_normal(y.shape).astype(np.float32)}


def saved(folder: Path, **named: Array) -> dict[str, Path]:
    folder.mkdir(exist_ok=True)
    for name, array in named.items():
        np.save(folder / f"{name}.npy", array)
    return {name: folder / f"{name}.npy" for name in named}


def results(model: Path, tmp_path: Path, inputs: Any, **options: Any) -> list[Array]:
    report = run(model, inputs=inputs, output=tmp_path, output_dirname="r", outfmt="NPY", **options)
    return [np.load(path) for path in report.files]


def test_a_swap_of_files_that_are_called_as_inputs_is_refused(grad: Path, tmp_path: Path) -> None:
    files = saved(tmp_path / "in", **arrays())
    (right,) = results(grad, tmp_path, list(files.values()))
    assert np.array_equal(right, mpg.max_pool_v3_grad(*arrays().values(), **POOL))
    swapped = [files["orig_input"], files["grad"], files["orig_output"]]
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        run(grad, inputs=swapped)
    assert str(caught.value) == (
        f"{grad}: {files['grad']} is given for input 'orig_output', but is called as input 'grad' is; give "
        "the inputs in their order, 'orig_input', 'orig_output', 'grad', or name them: "
        f"orig_output={files['grad']}"
    )
    assert caught.value.code == "145000"


def test_a_swap_of_folders_is_refused(grad: Path, tmp_path: Path) -> None:
    folders = [saved(tmp_path / name, one=array)["one"].parent for name, array in arrays().items()]
    assert len(results(grad, tmp_path, folders)) == 1
    with pytest.raises(mpg.MaxPoolGradError, match="is called as input 'grad' is"):
        run(grad, inputs=[folders[0], folders[2], folders[1]])


def test_names_go_before_order(grad: Path, tmp_path: Path) -> None:
    given = arrays()
    files = saved(tmp_path / "a=b", p=given["grad"], q=given["orig_output"], r=given["orig_input"])
    named = [f"grad={files['p']}", f"orig_output={files['q']}", f"orig_input={files['r']}"]
    (result,) = results(grad, tmp_path, named)
    assert np.array_equal(result, mpg.max_pool_v3_grad(*given.values(), **POOL))
    (same,) = results(grad, tmp_path, [files["r"], files["q"], files["p"]])
    assert np.array_equal(same, result), "a path that holds = and exists is a path"
    for inputs, words in (
        ([*named[:2], f"orig={files['r']}"], "it has no input 'orig'; its inputs are 'orig_input'"),
        (named[:2], "input 'orig_input' is not given"),
    ):
        with pytest.raises(mpg.MaxPoolGradError, match=words) as caught:
            run(grad, inputs=inputs)
        assert caught.value.code == "E10016"


def cut(folder: Path, parts: int, suffix: str) -> list[Path]:
    """The three inputs, cut into files of 4 / parts examples, in ais_bench's order."""
    folder.mkdir()
    paths = []
    for letter, array in zip("xyg", arrays().values(), strict=True):
        for number, piece in enumerate(np.split(array, parts)):
            path = folder / f"{letter}{number}.{suffix}"
            np.save(path, piece) if suffix == "npy" else piece.tofile(path)
            paths.append(path)
    return paths


@pytest.mark.parametrize("suffix", ["npy", "bin"])
@pytest.mark.parametrize("parts", [2, 4])
def test_several_files_make_a_batch(grad: Path, tmp_path: Path, parts: int, suffix: str) -> None:
    found = results(grad, tmp_path, cut(tmp_path / "in", parts, suffix))
    assert len(found) == parts
    assert np.array_equal(np.concatenate(found), mpg.max_pool_v3_grad(*arrays().values(), **POOL))
    summary = json.loads((tmp_path / "r_summary.json").read_text())
    assert len(summary["filesinfo"]) == parts
    assert [Path(path).name for path in summary["filesinfo"]["1"]["infiles"]] == [
        f"{letter}1.{suffix}" for letter in "xyg"
    ]
    assert [Path(path).name for path in summary["filesinfo"]["1"]["outfiles"]] == ["x1_0.npy"]
    assert summary["NPU_compute_time"]["count"] == 1


def test_examples_without_their_first_axis_make_a_batch(grad: Path, tmp_path: Path) -> None:
    files = [
        saved(tmp_path / f"f{number}", **{f"{key}{at}": example})[f"{key}{at}"]
        for number, (key, array) in enumerate(arrays().items())
        for at, example in enumerate(array)
    ]
    found = results(grad, tmp_path, files)
    assert np.array_equal(np.concatenate(found), mpg.max_pool_v3_grad(*arrays().values(), **POOL))


def test_a_batch_that_is_not_full_is_filled_and_cut_off(grad: Path, tmp_path: Path) -> None:
    paths = cut(tmp_path / "in", 4, "npy")
    three = [path for path in paths if not path.stem.endswith("3")]
    found = results(grad, tmp_path, three)
    assert np.array_equal(np.concatenate(found), mpg.max_pool_v3_grad(*arrays().values(), **POOL)[:3])


def test_one_file_that_is_too_small_is_no_batch(grad: Path, tmp_path: Path) -> None:
    files = saved(tmp_path / "in", **{name: array[:1] for name, array in arrays().items()})
    with pytest.raises(mpg.MaxPoolGradError, match=r"shape \[1, 1, 4, 4\] \(64 bytes\); it takes \[4, 1, 4"):
        run(grad, inputs=list(files.values()))


def test_an_output_of_the_whole_batch(tmp_path: Path) -> None:
    model = onnx_model("s = ReduceSum<keepdims=0>(x) y = Neg(x)", "float[4,2] x", "float s, float[4,2] y")
    onnx.save(model, tmp_path / "m.onnx")
    files = [saved(tmp_path / "in", **{f"x{n}": np.full((1, 2), n, np.float32)})[f"x{n}"] for n in range(4)]
    total, *parts = results(tmp_path / "m.onnx", tmp_path, files)
    assert total == 12
    assert [float(part[0, 0]) for part in parts] == [0, -1, -2, -3]
    with pytest.raises(mpg.MaxPoolGradError, match=r"lacks 1 files, and output 's', \[\], cannot be taken"):
        results(tmp_path / "m.onnx", tmp_path, files[:3])


def test_another_batch_axis_of_outputs(tmp_path: Path) -> None:
    onnx.save(onnx_model("y = Transpose(x)", "float[2,3] x", "float[3,2] y"), tmp_path / "m.onnx")
    files = [saved(tmp_path / "in", **{f"f{n}": np.full((1, 3), n, np.float32)})[f"f{n}"] for n in range(2)]
    found = results(tmp_path / "m.onnx", tmp_path, files, output_batchsize_axis=1)
    assert [part.shape for part in found] == [(3, 1), (3, 1)]
    assert [float(part[0, 0]) for part in found] == [0, 1]


def test_outputs_of_one_name_are_refused(grad: Path, tmp_path: Path) -> None:
    same = [saved(tmp_path / f"f{n}", one=array[:2])["one"] for n, array in enumerate(arrays().values())]
    with pytest.raises(mpg.MaxPoolGradError, match="two files of the first input are called 'one'"):
        run(grad, inputs=[path for path in same for _ in range(2)], output=tmp_path)


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    model = onnx_model(
        "y = Relu(x) z = Neg(t)", "float[N,2,H,W] x, float[M] t", "float[N,2,H,W] y, float[M] z"
    )
    path = tmp_path / "open.onnx"
    onnx.save(model, path)
    return path


SIZES = [
    (OpenSizes(batch=3), [(3, 2, 1, 1), (3,)]),
    (OpenSizes(image="5,6"), [(1, 2, 5, 6), (1,)]),
    (OpenSizes(dims="x:1,2,3,4;t:7"), [(1, 2, 3, 4), (7,)]),
    (OpenSizes(shape="t:7;x:2,2,3,4"), [(2, 2, 3, 4), (7,)]),
]


@pytest.mark.parametrize(("sizes", "shapes"), SIZES)
def test_open_sizes_of_made_up_inputs(
    opened: Path, tmp_path: Path, sizes: OpenSizes, shapes: list[tuple[int, ...]]
) -> None:
    assert [found.shape for found in results(opened, tmp_path, [], open_sizes=sizes)] == shapes


def test_open_sizes_of_bare_elements(opened: Path, tmp_path: Path) -> None:
    np.arange(24, dtype=np.float32).tofile(tmp_path / "x.bin")
    np.zeros(7, np.float32).tofile(tmp_path / "t.bin")
    files = [tmp_path / "x.bin", tmp_path / "t.bin"]
    with pytest.raises(mpg.MaxPoolGradError, match="does not say which sizes are meant"):
        run(opened, inputs=files)
    found = results(opened, tmp_path, files, open_sizes=OpenSizes(image="3,4"))
    assert [array.shape for array in found] == [(1, 2, 3, 4), (7,)]


WRONG = [
    (OpenSizes(batch=2, image="3,4"), "dymBatch and dymHW are given; keep one of them", "E10009"),
    (OpenSizes(batch=0), "dymBatch is 0; it must be 1 or more", "E10001"),
    (OpenSizes(image="3"), "dymHW is '3'; give a height and a width, such as 300,500", "E10001"),
    (OpenSizes(image="3,x"), "dymHW has '3,x'; sizes are written as in 300,500", "E10001"),
    (OpenSizes(dims="x:1,2,3,4"), "input 't' is not given", "E10016"),
    (OpenSizes(shape="x:1,3,3,4;t:1"), "gives input 'x' the shape [1, 3, 3, 4]; it takes [-1, 2,", "145000"),
]


@pytest.mark.parametrize(("sizes", "words", "code"), WRONG, ids=[words for _, words, _ in WRONG])
def test_open_sizes_refused(opened: Path, sizes: OpenSizes, words: str, code: str) -> None:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        run(opened, open_sizes=sizes)
    assert words in str(caught.value)
    assert caught.value.code == code


def test_sizes_that_are_not_open(grad: Path) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match="no input leaves its height and width open: 'orig_input'"):
        run(grad, open_sizes=OpenSizes(image="3,4"))
