"""`get_library_path` and `inference_session`: arguments, and errors that are one sentence."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import session as session_module
from support_ort import INPUTS, TWO_BY_TWO, TWO_BY_TWO_SHAPES, model_of, op_model

FEEDS = {n: np.ones(s, np.float32) for n, s in zip(INPUTS, TWO_BY_TWO_SHAPES, strict=True)}


def test_model_as_path_bytes_and_proto(tmp_path: Path) -> None:
    model = op_model(TWO_BY_TWO)
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    for source in (path, str(path), model.SerializeToString(), model):
        session = mpg.inference_session(source)
        assert isinstance(session, ort.InferenceSession)
        assert session.run(["out_grad"], FEEDS)[0].tolist() == [
            [[[1, 0, 1, 0], [0] * 4, [1, 0, 1, 0], [0] * 4]]
        ]


def test_arguments_reach_onnx_runtime() -> None:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 3
    options.log_severity_level = 4
    session = mpg.inference_session(
        op_model(TWO_BY_TWO), sess_options=options, providers=["CPUExecutionProvider"], provider_options=[{}]
    )
    assert session.get_session_options().intra_op_num_threads == 3
    with pytest.raises(mpg.MaxPoolGradError, match="the shape of grad is"):
        session.run_with_ort_values(
            ["out_grad"],
            {
                n: ort.OrtValue.ortvalue_from_numpy(a)
                for n, a in (FEEDS | {"grad": FEEDS["grad"][..., :1]}).items()
            },
        )


def test_errors_are_printed_by_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    session = mpg.inference_session(op_model(TWO_BY_TWO))
    with pytest.raises(mpg.MaxPoolGradError):
        session.run(None, FEEDS | {"grad": FEEDS["grad"][..., :1]})
    assert capfd.readouterr() == ("", "")


def test_other_errors_stay_onnx_runtimes_own() -> None:
    session = mpg.inference_session(op_model(TWO_BY_TWO))
    with pytest.raises(ValueError, match="Required inputs"):
        session.run(None, {"grad": FEEDS["grad"]})


def test_external_data_is_found_beside_the_model(tmp_path: Path) -> None:
    op = helper.make_node("MaxPoolV3Grad", INPUTS, ["out_grad"], domain="npu", **TWO_BY_TWO)
    constant = onnx.numpy_helper.from_array(np.ones(TWO_BY_TWO_SHAPES[2], np.float32), "grad")
    inputs = [
        helper.make_tensor_value_info(n, 1, s) for n, s in zip(INPUTS[:2], TWO_BY_TWO_SHAPES, strict=False)
    ]
    output = helper.make_tensor_value_info("out_grad", 1, None)
    model = model_of([op], inputs, [output], initializer=[constant])
    path = tmp_path / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, size_threshold=0, location="weights.bin")
    assert (tmp_path / "weights.bin").is_file()
    feeds = {name: FEEDS[name] for name in INPUTS[:2]}
    assert mpg.inference_session(path).run(None, feeds)[0].sum() == 4


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty; write it again"),
        (b"no model at all", "this is no ONNX model, or only a part of one; give an .onnx file"),
        (onnx.ModelProto(ir_version=9).SerializeToString(), "this is no ONNX model, or only a part of one"),
        (op_model(TWO_BY_TWO).SerializeToString()[:-20], "this is no ONNX model, or only a part of one"),
    ],
    ids=["empty", "text", "without graph", "truncated"],
)
def test_files_that_are_no_models(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.inference_session(path)
    assert str(caught.value).startswith(f"{path}: {sentence}")


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path, sentence in (
        (tmp_path / "none.onnx", "no such file or directory"),
        (tmp_path, "is a directory"),
    ):
        with pytest.raises(mpg.MaxPoolGradError) as caught:
            mpg.inference_session(path)
        assert str(caught.value) == f"{path}: cannot be read: {sentence}"


def test_operator_that_nothing_defines() -> None:
    op = helper.make_node("Conv2DBackpropInput", ["x"], ["y"], domain="npu")
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("x", "y")]
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.inference_session(model_of([op], values[:1], values[1:]))
    assert str(caught.value) == (
        "the model: nothing defines the operator npu::Conv2DBackpropInput; the library has MaxPoolV3Grad and "
        "NPUMaxPoolV3Grad, any other one needs a function body in the model"
    )


def test_missing_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "libmaxpoolgrad_ort.so"
    monkeypatch.setattr(session_module, "_LIBRARY", path)
    for action in (mpg.get_library_path, lambda: mpg.inference_session(op_model(TWO_BY_TWO))):
        with pytest.raises(mpg.MaxPoolGradError) as caught:
            action()
        assert str(caught.value) == f"{path}: the custom-op library is missing; install maxpoolgrad again"


def test_library_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "libmaxpoolgrad_ort.so"
    path.write_bytes(b"not for this machine")
    monkeypatch.setattr(session_module, "_LIBRARY", path)
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.inference_session(op_model(TWO_BY_TWO))
    sentence = str(caught.value)
    assert sentence.startswith(f"{path}: onnxruntime {ort.__version__} cannot load the custom-op library: ")
    assert "\n" not in sentence


def test_without_the_library_onnx_runtime_names_the_operator() -> None:
    """What a user of ONNX Runtime alone sees who forgot to register the library."""
    options = ort.SessionOptions()
    options.log_severity_level = 4
    with pytest.raises(Exception, match=r"npu:MaxPoolV3Grad\(-1\) is not a registered function/op"):
        ort.InferenceSession(op_model(TWO_BY_TWO).SerializeToString(), options)


def test_onnx_runtime_without_api_17_is_told_what_is_needed() -> None:
    """As the library sees an ONNX Runtime 1.16: no table for version 17, but one for version 1."""
    create_status = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p)
    get_api = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_uint32)
    get_version = ctypes.CFUNCTYPE(ctypes.c_size_t)
    said: list[tuple[int, bytes]] = []

    def remember(code: int, message: bytes) -> int:
        said.append((code, message))
        return 1  # any address but null

    table = (create_status * 1)(create_status(remember))
    number = ctypes.create_string_buffer(b"1.16.3")

    class ApiBase(ctypes.Structure):
        _fields_ = (("GetApi", get_api), ("GetVersionString", get_version))

    base = ApiBase(
        get_api(lambda version: ctypes.addressof(table) if version == 1 else 0),
        get_version(lambda: ctypes.addressof(number)),
    )
    register = ctypes.CDLL(mpg.get_library_path()).RegisterCustomOps
    register.restype = ctypes.c_size_t
    assert register(None, ctypes.byref(base)) == 1
    sentence = "maxpoolgrad needs ONNX Runtime 1.17 or newer, and this is 1.16.3; install a newer onnxruntime"
    assert said == [(1, sentence.encode())]


def test_library_exports_its_entry_point_and_the_kernel() -> None:
    arguments = ["-gU"] if sys.platform == "darwin" else ["-D", "--defined-only"]
    symbols = subprocess.run(
        ["nm", *arguments, mpg.get_library_path()], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    names = sorted(line.split()[-1].removeprefix("_") for line in symbols)
    assert names == ["MaxPoolGradKernel", "RegisterCustomOps"]
