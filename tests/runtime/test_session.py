"""InferSession: what it says of a model, what it takes, what it gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.runtime import TensorInfo
from support_convert import onnx_model

GRAD = onnx_model(
    "out_grad = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(orig_input, orig_output, grad)",
    "float[2,3,4,4] orig_input, float[2,3,2,2] orig_output, float[2,3,2,2] grad",
    "float[2,3,4,4] out_grad",
)
OPEN = onnx_model("y = Add(x, w)", "float[N,4] x", "float[N,4] y", {"w": np.ones(4, np.float32)})


def pool_feeds(seed: int = 0) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((2, 3, 4, 4)).astype(np.float32)
    y = mpg.max_pool_v3(x, ksize=(1, 1, 2, 2), strides=(1, 1, 2, 2))
    return {"orig_input": x, "orig_output": y, "grad": rng.standard_normal(y.shape).astype(np.float32)}


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("models")
    for name, model in (("grad", GRAD), ("open", OPEN)):
        converters.compile(model, folder / name, soc_version="Ascend910B1")
        onnx.save(model, folder / f"{name}.onnx")
    return {path.name: path for path in folder.iterdir()}


@pytest.mark.parametrize("suffix", ["om", "air", "onnx"])
def test_all_three_formats_run(paths: dict[str, Path], suffix: str) -> None:
    session = converters.InferSession(0, paths[f"grad.{suffix}"])
    feeds = pool_feeds()
    expected = mpg.max_pool_v3_grad(*feeds.values(), ksize=(1, 1, 2, 2), strides=(1, 1, 2, 2))
    for given in (feeds, list(feeds.values()), dict(reversed(feeds.items()))):
        (result,) = session.infer(given)
        assert result.tobytes() == expected.tobytes()


def test_inputs_and_outputs(paths: dict[str, Path]) -> None:
    session = converters.InferSession(0, paths["grad.om"])
    assert session.get_inputs() == [
        TensorInfo("orig_input", (2, 3, 4, 4), "float32", "NCHW"),
        TensorInfo("orig_output", (2, 3, 2, 2), "float32", "NCHW"),
        TensorInfo("grad", (2, 3, 2, 2), "float32", "NCHW"),
    ]
    assert [(info.name, info.realsize, info.size) for info in session.get_outputs()] == [
        ("out_grad", 384, 384)
    ]
    opened = converters.InferSession(0, paths["open.om"])
    assert [(info.shape, info.realsize) for info in opened.get_inputs()] == [((-1, 4), 0)]


def test_open_sizes_take_any(paths: dict[str, Path]) -> None:
    session = converters.InferSession(0, paths["open.om"])
    for size in (0, 1, 5):
        (result,) = session.infer([np.full((size, 4), 2, np.float32)])
        assert np.array_equal(result, np.full((size, 4), 3, np.float32))


def test_any_memory_layout_gives_the_same(paths: dict[str, Path]) -> None:
    session = converters.InferSession(0, paths["grad.om"])
    feeds = pool_feeds()
    (expected,) = session.infer(feeds)
    strange = {
        "orig_input": np.asfortranarray(feeds["orig_input"]),
        "orig_output": np.repeat(feeds["orig_output"], 2, axis=3)[..., ::2],
        "grad": feeds["grad"].astype(">f4"),
    }
    assert session.infer(strange)[0].tobytes() == expected.tobytes()


WRONG = [
    ({"grad": np.zeros((2, 3, 2, 2))}, "145000", "input 'grad' is given as float64; it takes float32"),
    (
        {"grad": np.zeros((2, 3, 4, 1), "f")},
        "145000",
        "shape [2, 3, 4, 1] (96 bytes); it takes [2, 3, 2, 2] (96 bytes)",
    ),
    ({"grad": np.zeros((3, 2, 2), "f")}, "145000", "input 'grad' is given with the shape [3, 2, 2]"),
    (
        {"grad": None},
        "E10016",
        "input 'grad' is not given; it takes 'orig_input', 'orig_output', 'grad', given are 'orig_input', "
        "'orig_output'",
    ),
    ({"gard": np.zeros((2, 3, 2, 2), "f")}, "E10016", "it has no input 'gard'; its inputs are 'orig_input'"),
]


@pytest.mark.parametrize(("change", "code", "words"), WRONG, ids=[words for _, _, words in WRONG])
def test_wrong_feeds(paths: dict[str, Path], change: dict[str, object], code: str, words: str) -> None:
    session = converters.InferSession(0, paths["grad.om"])
    feeds = {name: value for name, value in {**pool_feeds(), **change}.items() if value is not None}
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        session.infer(feeds)
    assert words in str(caught.value)
    assert str(paths["grad.om"]) in str(caught.value)
    assert caught.value.code == code


def test_wrong_number_of_feeds(paths: dict[str, Path]) -> None:
    session = converters.InferSession(0, paths["grad.om"])
    with pytest.raises(mpg.MaxPoolGradError, match="2 inputs are given; it takes 3: 'orig_input'") as caught:
        session.infer(list(pool_feeds().values())[:2])
    assert caught.value.code == "145000"


@pytest.mark.parametrize("feeds", [np.zeros((2, 4), np.float32), None])
def test_feeds_that_are_no_list(paths: dict[str, Path], feeds: Any) -> None:
    session = converters.InferSession(0, paths["open.om"])
    with pytest.raises(mpg.MaxPoolGradError, match=r"are given as \w+; give a list of arrays, for 'x', or a"):
        session.infer(feeds)


def test_the_onnx_model_that_is_run(paths: dict[str, Path]) -> None:
    model = converters.InferSession(0, paths["grad.om"]).onnx_model
    assert [node.op_type for node in model.graph.node] == ["MaxPoolV3Grad"]


def test_kernel_and_device(paths: dict[str, Path]) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match="kernel is 'acl'; allowed are native and twin"):
        converters.InferSession(0, paths["grad.om"], kernel="acl")
    with pytest.raises(mpg.MaxPoolGradError, match="device_id is -1; it must be 0 or more"):
        converters.InferSession(-1, paths["grad.om"])
    assert converters.InferSession(7, paths["grad.om"]).device_id == 7


def test_summary_counts_runs(paths: dict[str, Path]) -> None:
    session = converters.InferSession(0, paths["open.om"])
    assert session.summary().statistics() == {}
    for _ in range(4):
        session.infer([np.zeros((1, 4), np.float32)])
    statistics = session.summary().statistics()
    assert len(session.summary().exec_time_list) == 4
    assert 0 < statistics["min"] <= statistics["median"] <= statistics["percentile(99%)"] <= statistics["max"]
    assert statistics["throughput"] == pytest.approx(1000 / statistics["mean"])
    session.reset_summary()
    assert session.summary().exec_time_list == ()


def test_what_onnx_runtime_refuses_is_one_line(tmp_path: Path) -> None:
    model = onnx_model("y = MatMul(a, b)", "float[2,N] a, float[M,2] b", "float[2,2] y")
    onnx.save(model, tmp_path / "m.onnx")
    session = converters.InferSession(0, tmp_path / "m.onnx")
    with pytest.raises(mpg.MaxPoolGradError, match="ONNX Runtime cannot run it: ") as caught:
        session.infer([np.zeros((2, 3), np.float32), np.zeros((4, 2), np.float32)])
    assert "\n" not in str(caught.value)
    unknown = onnx.helper.make_node("Nothing", ["x"], ["y"])
    model.graph.node[0].CopyFrom(unknown)
    onnx.save(model, tmp_path / "n.onnx")
    with pytest.raises(
        mpg.MaxPoolGradError, match=r"n\.onnx: ONNX Runtime cannot run it: .*; check the model with onnx"
    ):
        converters.InferSession(0, tmp_path / "n.onnx")


def test_freed_session_says_so(paths: dict[str, Path]) -> None:
    session = converters.InferSession(0, paths["open.om"])
    session.free_resource()
    session.free_resource()
    with pytest.raises(mpg.MaxPoolGradError, match="the session is freed"):
        session.infer([np.zeros((1, 4), np.float32)])


def test_the_end_of_a_block_frees(paths: dict[str, Path]) -> None:
    with converters.InferSession(0, paths["open.om"]) as session:
        assert session.backend == "host"
        session.infer([np.zeros((1, 4), np.float32)])
    with pytest.raises(mpg.MaxPoolGradError, match="the session is freed"):
        session.infer([np.zeros((1, 4), np.float32)])


@pytest.mark.parametrize("mode", ["static", "dymbatch", "dymhw", "dymdims", "dymshape"])
def test_modes_of_ais_bench(paths: dict[str, Path], mode: str) -> None:
    session = converters.InferSession(0, paths["open.om"])
    assert session.infer([np.zeros((3, 4), np.float32)], mode)[0].shape == (3, 4)
    with pytest.raises(
        mpg.MaxPoolGradError, match="mode is 'dynamic'; allowed are static, dymbatch"
    ) as caught:
        session.infer([np.zeros((3, 4), np.float32)], mode="dynamic")
    assert caught.value.code == "E10001"


def test_session_options_are_used(paths: dict[str, Path], tmp_path: Path) -> None:
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "optimized.onnx")
    converters.InferSession(0, paths["open.om"], sess_options=options)
    assert (tmp_path / "optimized.onnx").is_file()


def test_windows_without_a_match_are_counted(paths: dict[str, Path]) -> None:
    session = converters.InferSession(0, paths["grad.om"])
    feeds = pool_feeds()
    assert session.unmatched_windows(feeds) == {}
    feeds["orig_output"] = feeds["orig_output"].astype(np.float16).astype(np.float32)
    (count,) = session.unmatched_windows(feeds).values()
    assert 12 < count <= 24


def test_a_model_built_for_a_device_is_refused(tmp_path: Path) -> None:
    from dataclasses import replace

    model = converters.onnx_to_ge(OPEN)
    replace(model, attrs={"soc_version": "Ascend910B2"}).save(tmp_path / "device.air")
    with pytest.raises(mpg.MaxPoolGradError, match="built for 'Ascend910B2'; the host runs") as caught:
        converters.InferSession(0, tmp_path / "device.air")
    assert caught.value.code == "EE1001"


@pytest.mark.parametrize("content", [b"", b"IMOD", b"\x08\x09", b"text"])
@pytest.mark.parametrize("suffix", ["om", "air", "onnx"])
def test_bad_files_give_one_line(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"bad.{suffix}"
    path.write_bytes(content)
    with pytest.raises(mpg.MaxPoolGradError, match=str(path)) as caught:
        converters.InferSession(0, path)
    assert "\n" not in str(caught.value)
    with pytest.raises(mpg.MaxPoolGradError, match="missing"):
        converters.InferSession(0, tmp_path / f"missing.{suffix}")
