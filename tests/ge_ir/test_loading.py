from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx import converters, make_model
from maxpoolgrad_onnx.converters.om import to_om
from maxpoolgrad_onnx.errors import MaxPoolGradError
from support_ge import small_model


@pytest.mark.parametrize("name", ["m.air", "m", "m.bin"])
def test_an_air_file_by_any_name(tmp_path: Path, name: str) -> None:
    small_model().save(tmp_path / name)
    assert converters.load(tmp_path / name) == small_model()


@pytest.mark.parametrize("name", ["m.om", "m", "m.air"])
def test_an_om_file_by_any_name(tmp_path: Path, name: str) -> None:
    to_om(small_model()).save(tmp_path / name)
    assert converters.load(tmp_path / name) == small_model()


@pytest.mark.parametrize("name", ["m.onnx", "m"])
def test_an_onnx_file_by_any_name(tmp_path: Path, name: str) -> None:
    x, y = (onnx.helper.make_tensor_value_info(text, onnx.TensorProto.FLOAT, [1, 2]) for text in "xy")
    graph = onnx.helper.make_graph([onnx.helper.make_node("Relu", ["x"], ["y"], name="relu")], "g", [x], [y])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(model, tmp_path / name)
    assert [node.type for node in converters.load(tmp_path / name).graph.nodes] == [
        "Data",
        "Relu",
        "NetOutput",
    ]


def test_an_onnx_model_by_its_path(tmp_path: Path) -> None:
    onnx.save(make_model([1, 1, 4, 4], ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2]), tmp_path / "m.onnx")
    assert converters.onnx_to_ge(tmp_path / "m.onnx") == converters.load(tmp_path / "m.onnx")


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    np.savez(tmp_path / "data.npz", x=np.zeros(3))
    with pytest.raises(
        MaxPoolGradError, match=r"data.npz: its bytes are no GE IR .*; give an .onnx, .air or"
    ):
        converters.load(tmp_path / "data.npz")


def test_a_model_in_a_prompt() -> None:
    assert repr(small_model("m")) == f"<GeModel 'm': {len(small_model().graph.nodes)} nodes>"


def test_what_is_no_file() -> None:
    with pytest.raises(MaxPoolGradError, match=r"missing.om: cannot be read"):
        converters.load("missing.om")


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "m.om").touch()
    with pytest.raises(MaxPoolGradError, match="the file is empty"):
        converters.load(tmp_path / "m.om")


IMPORTS = """
import sys
from maxpoolgrad_onnx import converters
import maxpoolgrad_onnx.converters.ge_ir
assert not [name for name in ("onnxruntime", "onnx_ir", "onnx") if name in sys.modules], "imported too early"
import maxpoolgrad_onnx.converters.onnx_to_ge
assert callable(converters.onnx_to_ge), converters.onnx_to_ge
assert "load" in dir(converters)
"""


def test_public_names_are_lazy_and_never_hidden_by_submodules() -> None:
    subprocess.run([sys.executable, "-c", IMPORTS], check=True)


def test_an_unknown_public_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'convert_all'"):
        _ = converters.convert_all
