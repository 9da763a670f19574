"""Making, reading and writing models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, numpy_helper

from maxpoolgrad_onnx import MaxPoolGradError, make_model, make_node
from maxpoolgrad_onnx.contract import ATTRIBUTES, PoolAttributes
from maxpoolgrad_onnx.model_files import load_model, save_model

POOL: dict[str, Any] = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}


def dims(value: onnx.ValueInfoProto) -> list[int | str | None]:
    return [
        dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None
        for dim in value.type.tensor_type.shape.dim
    ]


def test_a_node_carries_all_seven_attributes_in_order() -> None:
    node = make_node(["x", "y", "g"], "out", name="pool", **POOL, ceil_mode=True)
    assert [attribute.name for attribute in node.attribute] == [name for name, _, _, _ in ATTRIBUTES]
    assert (node.domain, node.op_type, node.name) == ("npu", "MaxPoolV3Grad", "pool")
    assert PoolAttributes.from_node(node).ceil_mode == 1


def test_a_made_model_is_what_the_npus_parser_reads() -> None:
    model = make_model((2, 3, 8, 9), **POOL, dtype="float16", ceil_mode=True)
    onnx.checker.check_model(model, full_check=True)
    assert model.ir_version == 9
    assert {entry.domain: entry.version for entry in model.opset_import} == {"": 18, "npu": 1}
    assert [dims(value) for value in (*model.graph.input, *model.graph.output)] == [
        [2, 3, 8, 9],
        [2, 3, 4, 5],
        [2, 3, 4, 5],
        [2, 3, 8, 9],
    ]
    assert {value.type.tensor_type.elem_type for value in model.graph.input} == {TensorProto.FLOAT16}


def test_open_dimensions_stay_open() -> None:
    model = make_model(("n", 8, None, -1), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], data_format="NHWC")
    pooled = ["n", 4, None, None]
    assert [dims(value) for value in model.graph.input] == [["n", 8, None, None], pooled, pooled]


def test_the_undropped_size_can_be_asked_for() -> None:
    attributes: dict[str, Any] = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 4, 4], "ceil_mode": True}
    assert dims(make_model((1, 1, 8, 8), **attributes).graph.input[1]) == [1, 1, 2, 2]
    model = make_model((1, 1, 8, 8), **attributes, output_shape=(1, 1, 3, 2))
    assert dims(model.graph.input[2]) == [1, 1, 3, 2]


@pytest.mark.parametrize(
    ("shape", "arguments", "words"),
    [
        ((1, 1, 8, 8), {"opset": 19}, "opset is 19.*18"),
        ((1, 1, 8, 8), {"opset": 0}, "opset is 0"),
        ((1, 1, 8, 8), {"dtype": "bfloat16"}, "bfloat16.*float16 and float32"),
        ((1, 1, 8), {}, "orig_input"),
        ((1, 1, 8, 8), {"output_shape": (1, 1, 5, 4)}, "orig_output is 5"),
        ((1, 1, 8, 8), {"strides": [1, 1, 64, 2]}, "strides.*64"),
        ((1, 1, 8, 8), {"dilation": 2}, "dilation"),
        ((2**31, 2**31, 4, 4), {}, "2147483648"),
    ],
)
def test_refusals(shape: tuple[int, ...], arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(MaxPoolGradError, match=words):
        make_model(shape, **{**POOL, **arguments})


def test_written_and_read_back(tmp_path: Path) -> None:
    model = make_model((1, 1, 8, 8), **POOL)
    save_model(model, tmp_path / "a.onnx")
    assert load_model(tmp_path / "a.onnx") == model
    assert load_model(str(tmp_path / "a.onnx")) == model
    assert [file.name for file in tmp_path.iterdir()] == ["a.onnx"]


def refused(path: Path) -> MaxPoolGradError:
    with pytest.raises(MaxPoolGradError) as caught:
        load_model(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    return caught.value


def test_files_that_are_no_models(tmp_path: Path) -> None:
    assert refused(tmp_path / "missing.onnx").code == "E13001"
    assert refused(tmp_path).code == "E13001"
    path = tmp_path / "bad.onnx"
    for data in (b"\x00", b"hello, world", b"PK\x03\x04", bytes(range(256)), b"\x08\x09"):
        path.write_bytes(data)
        assert refused(path).code == "E10041"
    path.write_bytes(b"")
    assert "empty" in str(refused(path))


def test_every_shorter_file_is_refused(tmp_path: Path) -> None:
    data = make_model((1, 1, 8, 8), **POOL).SerializeToString()
    path = tmp_path / "short.onnx"
    complete = 0
    for size in range(1, len(data)):
        path.write_bytes(data[:size])
        complete += _is_model(path)
    assert complete <= 1, "only without its very last opset import can it still be a model"


def _is_model(path: Path) -> bool:
    try:
        return bool(load_model(path).graph.node)
    except MaxPoolGradError:
        return False


def with_external(folder: Path, **entries: str) -> Path:
    text = """
    <ir_version: 9, opset_import: ["" : 18]>
    graph (float[4] x) => (float[4] y) <float[4] w> { y = Add (x, w) }
    """
    model = onnx.parser.parse_model(text)
    tensor = TensorProto(name="w", dims=[4], data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=value)
    model.graph.initializer.append(tensor)
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def test_external_data_is_read_in(tmp_path: Path) -> None:
    values = np.arange(8, dtype=np.float32)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "w.bin").write_bytes(values.tobytes())
    model = load_model(with_external(tmp_path, location="sub/w.bin", offset="16", length="16"))
    assert numpy_helper.to_array(model.graph.initializer[0]).tolist() == [4, 5, 6, 7]
    model = load_model(with_external(tmp_path, location="sub/w.bin", offset="16"))
    assert numpy_helper.to_array(model.graph.initializer[0]).tolist() == [4, 5, 6, 7]


@pytest.mark.parametrize(
    "entries",
    [
        {"location": "w.bin", "offset": "12", "length": "8"},
        {"location": "w.bin", "offset": "17"},
        {"location": "w.bin", "offset": "-4"},
        {"location": "w.bin", "length": "-1"},
        {"location": "w.bin", "length": "99999999999999999999999"},
        {"location": "w.bin", "offset": "four"},
        {"location": "w.bin", "offset": "9" * 5000},
        {"location": "w.bin", "offset": "\N{SUPERSCRIPT TWO}"},
        {"location": "missing.bin"},
        {"location": "../outside.bin"},
        {"location": "link.bin"},
        {"location": "linked/outside.bin"},
        {"location": "/etc/hostname"},
        {"location": ""},
        {"location": "."},
        {"location": "a\0b"},
        {"length": "16"},
    ],
    ids=lambda entries: str(entries)[:80],
)
def test_external_data_outside_the_folder_or_its_file(tmp_path: Path, entries: dict[str, str]) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "w.bin").write_bytes(bytes(16))
    (tmp_path / "outside.bin").write_bytes(bytes(16))
    (folder / "link.bin").symlink_to(tmp_path / "outside.bin")
    (folder / "linked").symlink_to(tmp_path)
    assert "'w'" in str(refused(with_external(folder, **entries)))


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    model = make_model((1, 1, 8, 8), **POOL)
    with pytest.raises(MaxPoolGradError, match="nowhere"):
        save_model(model, tmp_path / "nowhere" / "a.onnx")
    assert list(tmp_path.iterdir()) == []
