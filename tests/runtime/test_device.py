"""A device run: which calls pyACL gets, what its codes become, and that nothing stays allocated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.training import train
from support_acl import MAKE_OR_RUN, Port
from support_device import X, fake, session

pytestmark = pytest.mark.usefixtures("finalized")

ROUTE = """
    init rt.set_device rt.create_context mdl.load_from_file mdl.create_desc mdl.get_desc
    mdl.create_dataset mdl.get_num_inputs mdl.get_input_name_by_index mdl.get_input_data_type
    mdl.get_input_dims
    mdl.get_input_format mdl.get_input_size_by_index rt.malloc create_data_buffer mdl.add_dataset_buffer
    mdl.create_dataset mdl.get_num_outputs mdl.get_output_name_by_index mdl.get_output_data_type
    mdl.get_output_dims mdl.get_output_format mdl.get_output_size_by_index rt.malloc rt.malloc_host
    create_data_buffer mdl.add_dataset_buffer
    rt.set_context util.bytes_to_ptr rt.memcpy mdl.execute mdl.get_cur_output_dims rt.memcpy util.ptr_to_bytes
    rt.set_context destroy_data_buffer rt.free_host rt.free mdl.destroy_dataset destroy_data_buffer rt.free
    mdl.destroy_dataset mdl.destroy_desc mdl.unload rt.destroy_context rt.reset_device
"""


def test_the_calls_and_their_order(monkeypatch: pytest.MonkeyPatch, om: Path) -> None:
    acl = fake()
    with session(monkeypatch, acl, om) as opened:
        assert (opened.backend, opened.device_id) == ("device", 1)
        (info,) = opened.get_inputs()
        assert (info.name, info.shape, info.datatype, info.format, info.realsize) == (
            "x",
            (2, 3),
            "float32",
            "NCHW",
            24,
        )
        (result,) = opened.infer({"x": X})
        assert np.array_equal(result, 2 * X)
        times = opened.summary()
        assert [len(t) for t in (times.exec_time_list, times.h2d_time_list, times.d2h_time_list)] == [1, 1, 1]
    assert acl.names() == ROUTE.split()
    assert acl.live == {}
    calls = {call[0]: call for call in acl.calls}
    assert calls["init"] == ("init",)
    assert (
        calls["rt.set_device"][1:] == calls["rt.create_context"][1:] == calls["rt.reset_device"][1:] == (1,)
    )
    assert calls["mdl.load_from_file"] == ("mdl.load_from_file", str(om))
    model, inputs, outputs = calls["mdl.execute"][1:]
    assert calls["mdl.unload"][1:] == (model,)
    assert inputs != outputs


@pytest.mark.parametrize("name", MAKE_OR_RUN)
def test_an_error_at_each_call_leaves_nothing(monkeypatch: pytest.MonkeyPatch, om: Path, name: str) -> None:
    inputs = [Port("x", [-1, 3], 24), Port("ascend_mbatch_shape_data", [1], 4, dtype=3)]
    acl = fake(inputs=inputs, batches=[1, 2], failing={name: 507018})
    words = (
        f"acl.{name} returned 507018: an AI CPU task failed" if name not in _HANDLES else f"acl.{name} gave"
    )
    with (
        pytest.raises(mpg.MaxPoolGradError, match=words) as caught,
        session(monkeypatch, acl, om) as opened,
    ):
        opened.infer([X])
    assert str(caught.value).startswith(f"{om}: ")
    assert "\n" not in str(caught.value)
    made = {kind for kind in acl.live.values() if kind != _KEPT.get(name)}
    assert made == set(), "only what the failing call itself should give back is still there"


_HANDLES = ("mdl.create_desc", "mdl.create_dataset", "create_data_buffer")
_KEPT = {
    "rt.reset_device": "device",
    "rt.destroy_context": "context",
    "rt.free": "memory",
    "rt.free_host": "host memory",
    "mdl.unload": "model",
    "mdl.destroy_desc": "description",
    "mdl.destroy_dataset": "data set",
    "destroy_data_buffer": "buffer",
}


CODES = [
    (145000, "", "the size of an input is not the model's; give what get_inputs() lists", "145000"),
    (507008, "", "the .om is for another soc_version; compile the model with the --soc_version of", "EE1001"),
    (
        545001,
        "EE1001: [PID: 7] The argument is invalid",
        "the .om is for another soc_version (EE1001:",
        "EE1001",
    ),
    (500002, "EZ3002: no kernel\nfor it", "an operator has no kernel for this device (EZ3002: no", "EZ3003"),
    (123, "", "a failure that this program does not know; source CANN's set_env.sh", None),
    (207001, "x" * 1000, "the device's memory ran out (xxx", None),
]


@pytest.mark.parametrize(("code", "message", "words", "carried"), CODES)
def test_codes_become_sentences(
    monkeypatch: pytest.MonkeyPatch, om: Path, code: int, message: str, words: str, carried: str | None
) -> None:
    acl = fake(failing={"mdl.load_from_file": code}, message=message)
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        session(monkeypatch, acl, om)
    assert f"acl.mdl.load_from_file returned {code}: {words}" in str(caught.value)
    assert caught.value.code == carried
    assert len(str(caught.value)) < 700
    assert acl.live == {}


def test_release_goes_on_after_a_failure(monkeypatch: pytest.MonkeyPatch, om: Path) -> None:
    acl = fake(failing={"rt.free_host": 507899, "mdl.unload": 507000})
    opened = session(monkeypatch, acl, om)
    with pytest.raises(mpg.MaxPoolGradError, match=r"acl\.rt\.free_host returned 507899"):
        opened.free_resource()
    assert [name for name in acl.names() if name != "get_recent_err_msg"][-2:] == [
        "rt.destroy_context",
        "rt.reset_device",
    ]
    opened.free_resource()
    assert acl.names().count("rt.reset_device") == 1


def test_an_error_of_the_block_is_the_one_that_is_seen(monkeypatch: pytest.MonkeyPatch, om: Path) -> None:
    acl = fake(failing={"rt.free_host": 507899})
    with pytest.raises(ZeroDivisionError), session(monkeypatch, acl, om):
        _ = 1 / 0


def test_initialized_once_and_released_at_the_end(
    monkeypatch: pytest.MonkeyPatch, om: Path, finalized: list[object]
) -> None:
    acl = fake()
    first = session(monkeypatch, acl, om)
    second = converters.InferSession(0, om)
    assert acl.names().count("init") == 1
    first.free_resource()
    assert np.array_equal(second.infer([X])[0], 2 * X)
    second.free_resource()
    assert acl.live == {}
    assert len([call for call in finalized if getattr(call, "__name__", "") == "call"]) == 1


def test_initialized_by_another_library(
    monkeypatch: pytest.MonkeyPatch, om: Path, finalized: list[object]
) -> None:
    acl = fake(failing={"init": 100002})
    with session(monkeypatch, acl, om) as opened:
        assert np.array_equal(opened.infer([X])[0], 2 * X)
    assert not [call for call in finalized if getattr(call, "__name__", "") == "call"]


def test_a_configuration_counts_once(monkeypatch: pytest.MonkeyPatch, om: Path, tmp_path: Path) -> None:
    acl = fake()
    with session(monkeypatch, acl, om, acl_json_path=tmp_path / "acl.json"):
        assert acl.calls[0] == ("init", str(tmp_path / "acl.json"))
        with pytest.raises(mpg.MaxPoolGradError, match=r"once in a process; give other\.json to the first"):
            converters.InferSession(0, om, acl_json_path="other.json")


PROFILES = [
    ({"batches": [1, 2]}, [-1, 3], (1, 3), "mdl.set_dynamic_batch_size", (1,), "3, 3"),
    (
        {"images": [(2, 3), (1, 2)]},
        [1, 1, -1, -1],
        (1, 1, 1, 2),
        "mdl.set_dynamic_hw_size",
        (1, 2),
        "1, 1, 3, 3",
    ),
    (
        {"dims": [[2, 3], [1, 2]]},
        [-1, -1],
        (1, 2),
        "mdl.set_input_dynamic_dims",
        ({"name": "", "dimCount": 2, "dims": [1, 2]},),
        "1, 3",
    ),
]


@pytest.mark.parametrize(("kind", "dims", "shape", "call", "arguments", "none"), PROFILES)
def test_profiles(
    monkeypatch: pytest.MonkeyPatch,
    om: Path,
    kind: dict[str, object],
    dims: list[int],
    shape: tuple[int, ...],
    call: str,
    arguments: tuple[object, ...],
    none: str,
) -> None:
    inputs = [Port("x", dims, 24), Port("ascend_mbatch_shape_data", [1], 4, dtype=3)]
    acl = fake(inputs=inputs, current=[shape], **kind)
    with session(monkeypatch, acl, om) as opened:
        assert [info.name for info in opened.get_inputs()] == ["x"]
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        (result,) = opened.infer([x], mode="dymdims")
        assert np.array_equal(result, 2 * x)
        (chosen,) = (made for made in acl.calls if made[0] == call)
        assert chosen[3:] == (1, *arguments)
        wrong = np.zeros([int(size) for size in none.split(", ")], np.float32)
        with pytest.raises(mpg.MaxPoolGradError, match=r"it was compiled for \[") as caught:
            opened.infer([wrong])
        assert caught.value.code in ("145000", None)
    assert acl.live == {}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"inputs": [Port("x", [-1, 3], 0)]},
            "input 'x' has the shape [-1, 3], whose size is known only when",
        ),
        (
            {"outputs": [Port("y", [2, 3], 24, dtype=19)]},
            "output 'y' has AscendCL's data type 19, which NumPy",
        ),
        (
            {"outputs": [Port("y", [2, 3], 24, dtype=99)]},
            "output 'y' has AscendCL's data type 99, which NumPy",
        ),
        ({"current": [[2, 300]]}, "output 'y' came as [2, 300], 2400 bytes; its memory has 24"),
        ({"inputs": [Port("x", [2, 3], 32)]}, "input 'x' is given with 24 bytes; the device takes 32"),
    ],
)
def test_models_that_cannot_run(
    monkeypatch: pytest.MonkeyPatch, om: Path, changes: dict[str, object], words: str
) -> None:
    acl = fake(**changes)
    with (
        pytest.raises(mpg.MaxPoolGradError) as caught,
        session(monkeypatch, acl, om) as opened,
    ):
        opened.infer([X])
    assert words in str(caught.value)
    assert acl.live == {}


def test_an_output_without_elements(monkeypatch: pytest.MonkeyPatch, om: Path) -> None:
    acl = fake(current=[[0, 3]])
    with session(monkeypatch, acl, om) as opened:
        assert opened.infer([X])[0].shape == (0, 3)


def test_what_only_a_host_has(monkeypatch: pytest.MonkeyPatch, om: Path) -> None:
    from onnxruntime import OrtValue

    with session(monkeypatch, fake(), om) as opened:
        assert opened.unmatched_windows([X]) == {}
        assert opened.twin_reports() == {}
        with pytest.raises(mpg.MaxPoolGradError, match="it runs on a device, not as ONNX"):
            _ = opened.onnx_model
        values = opened.infer_values({"x": OrtValue.ortvalue_from_numpy(X)})
        assert np.array_equal(values["y"].numpy(), 2 * X), "called as in ONNX, not add:0:y as atc has it"


def test_a_training_step(monkeypatch: pytest.MonkeyPatch, om: Path) -> None:
    """The stand-in's parameter doubles with each step; the loss is what lies in its memory."""
    ports = [Port("w", [2, 3], 24), Port("labels", [4], 32, dtype=9), Port("learning_rate", [], 4)]
    acl = fake(inputs=ports, outputs=[Port("sub:0:w.updated", [2, 3], 24), Port("mean:0:loss", [], 4)])
    acl.loss = 0.5
    with session(monkeypatch, acl, om) as opened:
        history = train(opened, {"labels": np.arange(4)}, {"w": X}, epochs=3, learning_rate=0.1)
    assert np.array_equal(history.state["w"], 8 * X)
    assert history.losses == (0.5, 0.5, 0.5)
    assert acl.live == {}
