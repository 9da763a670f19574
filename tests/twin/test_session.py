"""InferSession(kernel="twin"): the twin runs every MaxPoolV3Grad of a model, from the bytes that bind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters import twin
from maxpoolgrad_onnx.converters.om import OmFile, launches_of, to_om
from maxpoolgrad_onnx.converters.runtime import twin_session
from maxpoolgrad_onnx.gradient import initial_state
from support import same_bits
from support_cnn import random_cnns
from support_convert import onnx_model

POOL = {"ksize": (1, 1, 2, 2), "strides": (1, 1, 2, 2)}
# Two in a row and one beside them, with ordinary nodes before, between and behind.
CHAIN = onnx_model(
    "a = Relu(x) [g1] b = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(a, p, q) c = Add(b, x)"
    "[g2] d = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(c, p, q)"
    "[g3] e = npu.NPUMaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, q) "
    "f = Sum(a, d, e) y = Mul(f, w)",
    "float[2,3,4,4] x, float[2,3,2,2] p, float[2,3,2,2] q",
    "float[2,3,4,4] y, float[2,3,4,4] e",
    {"w": np.float32([[[[1, 2, 3, 4]]]])},
)
OPEN = onnx_model(
    "[g] y = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, q)",
    "float16[N,3,4,4] x, float16[N,3,2,2] p, float16[N,3,2,2] q",
    "float16[N,3,4,4] y",
)


def feeds(dtype: str = "float32", batch: int = 2) -> dict[str, Array]:
    rng = np.random.default_rng(7)
    x = np.abs(rng.standard_normal((batch, 3, 4, 4))).astype(dtype)
    p = mpg.max_pool_v3(x, **POOL)
    return {"x": x, "p": p, "q": rng.standard_normal(p.shape).astype(dtype)}


def compiled(folder: Path, model: onnx.ModelProto = CHAIN, soc_version: str = "Ascend910B1") -> Path:
    return converters.compile(model, folder / "m", soc_version=soc_version).om


@pytest.mark.parametrize("soc_version", ["Ascend910B1", "Ascend950PR_9579"])
def test_twin_and_native_agree(tmp_path: Path, soc_version: str) -> None:
    path = compiled(tmp_path, soc_version=soc_version)
    native = converters.InferSession(0, path)
    session = converters.InferSession(0, path, kernel="twin", soc_version=soc_version)
    assert session.get_outputs() == native.get_outputs()
    assert session.twin_reports() == {}
    for expected, result in zip(native.infer(feeds()), session.infer(feeds()), strict=True):
        assert same_bits(result, expected)
    reports = session.twin_reports()
    assert set(reports) == set(launches_of(OmFile.load(path)))
    assert len(reports) == 3
    assert all(report.faults == [] and report.bytes_written == 384 for report in reports.values())
    assert native.twin_reports() == {}


def test_training_steps_run_on_the_twin(scale: Callable[[int, int], int], tmp_path: Path) -> None:
    ran = 0
    for index, cnn in enumerate(random_cnns(11, scale(8, 200))):
        step = mpg.add_training_step(cnn.model)
        soc_version = ("Ascend910B1", "Ascend950PR_9579")[index % 2]
        path = compiled(tmp_path, step, soc_version)
        state = {**cnn.feeds, **initial_state(cnn.model, step), "learning_rate": np.array(0.1, np.float32)}
        session = converters.InferSession(0, path, kernel="twin")
        for expected, result in zip(
            converters.InferSession(0, path).infer(state), session.infer(state), strict=True
        ):
            assert same_bits(result, expected)
        ran += len(session.twin_reports())
    assert ran > scale(8, 200)


def test_an_open_size_is_planned_when_it_is_known(tmp_path: Path) -> None:
    path = compiled(tmp_path, OPEN)
    assert launches_of(OmFile.load(path)) == {}
    session = converters.InferSession(0, path, kernel="twin")
    for batch in (1, 3):
        given = feeds("float16", batch)
        (result,) = session.infer(given)
        assert same_bits(result, mpg.max_pool_v3_grad(*given.values(), **POOL))
        (report,) = session.twin_reports().values()
        assert report.bytes_written == result.nbytes


@pytest.mark.parametrize("suffix", ["onnx", "air"])
def test_files_without_binding(tmp_path: Path, suffix: str) -> None:
    onnx.save(CHAIN, tmp_path / "m.onnx")
    compiled(tmp_path)
    path = tmp_path / f"m.{suffix}"
    expected = converters.InferSession(0, path).infer(feeds())
    session = converters.InferSession(0, path, kernel="twin", soc_version="Ascend950PR_9579")
    assert all(same_bits(a, b) for a, b in zip(session.infer(feeds()), expected, strict=True))
    assert all(report.strategy.startswith("gather") for report in session.twin_reports().values())
    assert converters.InferSession(0, path, kernel="twin").infer(feeds())


def test_onnxruntimes_own_values(tmp_path: Path) -> None:
    session = converters.InferSession(0, compiled(tmp_path), kernel="twin")
    values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array) for name, array in feeds().items()}
    results = session.infer_values(values)
    expected = session.infer(feeds())
    for info, array in zip(session.get_outputs(), expected, strict=True):
        assert results[info.name].numpy().tobytes() == array.tobytes()


def test_the_launch_in_the_file_is_what_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = compiled(tmp_path)
    ran = []

    def spy(launch: object, *rest: object) -> object:
        ran.append(launch)
        return twin.run_launch(launch, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(twin_session, "run_launch", spy)
    converters.InferSession(0, path, kernel="twin").infer(feeds())
    assert sorted(map(str, ran)) == sorted(map(str, launches_of(OmFile.load(path)).values()))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"block_dim": 1}, "binds it with block dim 1; the plan made here has "),
        ({"tiling_key": 1}, "binds it with tiling key 1; the plan made here has "),
        ({"schedule_mode": 1}, "binds it with schedule mode 1; the plan made here has 0"),
        ({"tiling_data": b"12345678"}, "binds it with 8 bytes of tiling data; the plan made here has "),
    ],
)
def test_a_launch_of_another_plan_is_refused(tmp_path: Path, change: dict[str, object], found: str) -> None:
    """A file of another release, or one that was tampered with."""
    path = compiled(tmp_path)
    launches = {
        name: replace(launch, **change)  # type: ignore[arg-type]
        for name, launch in launches_of(OmFile.load(path)).items()
    }
    to_om(converters.load(path), launches).save(path)
    session = converters.InferSession(0, path, kernel="twin")
    with pytest.raises(mpg.MaxPoolGradError, match=f"{found}.*: compile the model again") as caught:
        session.infer(feeds())
    assert caught.value.code == "EE1001"
    assert converters.InferSession(0, path).infer(feeds()), "the host's own kernel needs no launch"


def test_a_flipped_bit_of_the_tiling_data_is_refused(tmp_path: Path) -> None:
    path = compiled(tmp_path)
    launch = next(iter(launches_of(OmFile.load(path)).values()))
    content = bytearray(path.read_bytes())
    content[content.index(launch.tiling_data) + 100] ^= 1
    path.write_bytes(content)
    session = converters.InferSession(0, path, kernel="twin")
    with pytest.raises(mpg.MaxPoolGradError, match="others from byte 100 on: compile the model again"):
        session.infer(feeds())


def test_a_fault_is_raised_with_its_node_and_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = twin.TwinFault("core_race", 3, "core 3 writes what core 2 wrote", "op_kernel/a.h:7", 1)

    def faulty(*arguments: object) -> object:
        out_grad, report = twin.run_launch(*arguments)  # type: ignore[arg-type]
        return out_grad, replace(report, faults=[fault])

    monkeypatch.setattr(twin_session, "run_launch", faulty)
    session = converters.InferSession(0, compiled(tmp_path), kernel="twin")
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        session.infer(feeds())
    assert "caught 1 faults" in str(caught.value)
    assert "core_race, core 3 writes what core 2 wrote (op_kernel/a.h:7)" in str(caught.value)


def test_another_processor_than_the_files(tmp_path: Path) -> None:
    path = compiled(tmp_path)
    with pytest.raises(mpg.MaxPoolGradError, match="bound for Ascend910B1, not for Ascend910B4") as caught:
        converters.InferSession(0, path, kernel="twin", soc_version="Ascend910B4")
    assert caught.value.code == "EE1001"
    session = converters.InferSession(0, compiled(tmp_path, OPEN), kernel="twin", soc_version="Ascend910B4")
    assert session.infer(feeds("float16")), "a file that binds nothing runs for any"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"kernel": "cann"}, "kernel is 'cann'; allowed are native and twin"),
        ({"soc_version": "Ascend910B1"}, "only the twin has a processor"),
        ({"kernel": "twin", "soc_version": "Ascend310P3"}, "is not supported"),
    ],
)
def test_refused_arguments(tmp_path: Path, arguments: dict[str, str], found: str) -> None:
    onnx.save(OPEN, tmp_path / "m.onnx")
    with pytest.raises(mpg.MaxPoolGradError, match=found):
        converters.InferSession(0, tmp_path / "m.onnx", **arguments)  # type: ignore[arg-type]


def test_what_the_operator_refuses_when_it_runs(tmp_path: Path) -> None:
    session = converters.InferSession(0, compiled(tmp_path, OPEN), kernel="twin")
    given = feeds("float16")
    with pytest.raises(mpg.MaxPoolGradError, match="the shape of grad is"):
        session.infer({**given, "q": given["q"][:1]})


def test_nodes_inside_other_nodes_are_refused(tmp_path: Path) -> None:
    inner = onnx_model(
        "y = If(c) <then_branch = t () => (float[2,3,4,4] r) {"
        " r = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, q) }, "
        "else_branch = e () => (float[2,3,4,4] s) { s = Identity(x) }>",
        "bool c, float[2,3,4,4] x, float[2,3,2,2] p, float[2,3,2,2] q",
        "float[2,3,4,4] y",
    )
    onnx.save(inner, tmp_path / "m.onnx")
    with pytest.raises(mpg.MaxPoolGradError, match="1 MaxPoolV3Grad lie inside other nodes"):
        converters.InferSession(0, tmp_path / "m.onnx", kernel="twin")


def test_a_node_may_take_from_outside_inside(tmp_path: Path) -> None:
    """The branches of an If read what an earlier stage made, without naming it as an input."""
    outer = onnx_model(
        "[g] b = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, q) "
        "y = If(c) <then_branch = t () => (float[2,3,4,4] r) { r = Neg(b) }, "
        "else_branch = e () => (float[2,3,4,4] s) { s = Identity(x) }>",
        "bool c, float[2,3,4,4] x, float[2,3,2,2] p, float[2,3,2,2] q",
        "float[2,3,4,4] y",
    )
    onnx.save(outer, tmp_path / "m.onnx")
    for condition in (True, False):
        given = {"c": np.array(condition), **feeds()}
        (expected,) = converters.InferSession(0, tmp_path / "m.onnx").infer(given)
        (result,) = converters.InferSession(0, tmp_path / "m.onnx", kernel="twin").infer(given)
        assert same_bits(result, expected)


def test_an_input_or_constant_as_output(tmp_path: Path) -> None:
    model = onnx_model(
        "z = Identity(x) y = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(w, p, q)",
        "float[2,3,4,4] x, float[2,3,2,2] p, float[2,3,2,2] q",
        "float[2,3,4,4] y, float[2,3,4,4] z",
        {"w": feeds()["x"]},
    )
    onnx.save(model, tmp_path / "m.onnx")
    for suffix in ("onnx", "om"):
        compiled(tmp_path, model)
        y, z = converters.InferSession(0, tmp_path / f"m.{suffix}", kernel="twin").infer(feeds())
        assert same_bits(y, mpg.max_pool_v3_grad(*feeds().values(), **POOL))
        assert same_bits(z, feeds()["x"])


def test_a_freed_session(tmp_path: Path) -> None:
    session = converters.InferSession(0, compiled(tmp_path), kernel="twin")
    session.free_resource()
    with pytest.raises(mpg.MaxPoolGradError, match="the session is freed"):
        session.infer(feeds())
