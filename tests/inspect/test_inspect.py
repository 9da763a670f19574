"""What `inspect` finds in each format, as data, as JSON and as tables."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper

from maxpoolgrad_onnx import MaxPoolGradError, converters
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.inspect import Partition, Port, inspect_file, report_tables
from maxpoolgrad_onnx.converters.om import Header, OmFile, PartitionType
from maxpoolgrad_onnx.converters.om import Partition as OmPartition
from maxpoolgrad_onnx.model import make_model

Capture = pytest.CaptureFixture[str]

_ATTRIBUTES = {
    "ksize": [1, 1, 3, 3],
    "strides": [1, 1, 2, 2],
    "padding_mode": "CALCULATED",
    "pads": [0, 1, 0, 1],
    "data_format": "NCHW",
    "global_pooling": 0,
    "ceil_mode": 1,
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """One model in all three formats: out_grad of the operator, times a weight."""
    model = make_model(["N", 2, 8, 8], name="grad", **_ATTRIBUTES)
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.float32([[2.0]]), "weight"))
    model.graph.node.append(helper.make_node("Mul", ["out_grad", "weight"], ["scaled"], name="mul"))
    model.graph.output[0].name = "scaled"
    onnx.save(model, tmp_path / "m.onnx")
    compiled = converters.compile(model, tmp_path / "m", soc_version="Ascend910B1")
    return {"onnx": tmp_path / "m.onnx", "om": compiled.om, "air": tmp_path / "m.air"}


def test_onnx(files: dict[str, Path]) -> None:
    report = inspect_file(files["onnx"])
    assert (report.format, report.bytes) == ("ONNX", files["onnx"].stat().st_size)
    assert report.facts["opsets"] == "ai.onnx 18, npu 1"
    assert report.inputs[0] == Port("orig_input", "float32", ["N", 2, 8, 8])
    assert [port.name for port in report.outputs] == ["scaled"]
    assert report.operators == {"npu::MaxPoolV3Grad": 1, "Mul": 1}
    assert (report.weights, report.weight_bytes) == (1, 4)
    node = report.pool_nodes[0]
    assert node.name == "grad"
    assert {name: _plain(value) for name, value in node.attributes.items()} == _ATTRIBUTES
    assert [port.shape for port in node.inputs] == [["N", 2, 8, 8], ["N", 2, 4, 4], ["N", 2, 4, 4]]
    assert report.oddities == []


def test_columns_that_only_ge_has(files: dict[str, Path]) -> None:
    def headers(format: str) -> dict[str, list[str]]:
        return {table.title: list(table.headers) for table in report_tables(inspect_file(files[format]))}

    assert headers("onnx")["inputs"] == ["name", "dtype", "shape"]
    assert headers("om")["inputs"] == ["name", "dtype", "shape", "format"]


@pytest.mark.parametrize("format", ["air", "om"])
def test_ge_ir(files: dict[str, Path], format: str) -> None:
    report = inspect_file(files[format])
    assert (report.format, report.bytes) == (format, files[format].stat().st_size)
    assert [port.name for port in report.inputs] == ["orig_input", "orig_output", "grad"]
    assert report.inputs[0].dtype == "DT_FLOAT"
    assert report.inputs[0].shape == (-1, 2, 8, 8)
    assert [port.name for port in report.outputs] == ["scaled"]
    assert report.operators["MaxPoolV3Grad"] == 1
    assert (report.weights, report.weight_bytes) == (1, 4)
    node = report.pool_nodes[0]
    assert {name: _plain(value) for name, value in node.attributes.items()} == _ATTRIBUTES
    assert [port.name for port in node.inputs] == ["orig_input", "orig_output", "grad"]
    reason = f"MaxPoolV3Grad node '{node.name}': the shape of orig_input is [-1, 2, 8, 8]"
    assert node.binding.startswith(f"unbound: {reason}")


def test_a_bound_kernel_is_shown(tmp_path: Path, capsys: Capture) -> None:
    model = make_model([4, 2, 8, 8], name="grad", **_ATTRIBUTES)
    compiled = converters.compile(model, tmp_path / "m", soc_version="Ascend910B1")
    report = inspect_file(compiled.om)
    (launch,) = compiled.binding.launches.values()
    assert report.pool_nodes[0].binding == str(launch)
    assert f"tiling key {launch.tiling_key}" in str(launch)
    assert report.partitions[0].type == "TILING_DATA"
    assert inspect_file(tmp_path / "m.air").pool_nodes[0].binding == ""
    assert main(["inspect", str(compiled.om)]) == 0
    assert str(launch) in capsys.readouterr().out


def test_an_om_has_partitions_and_says_what_it_was_built_for(files: dict[str, Path]) -> None:
    report = inspect_file(files["om"])
    assert [part.type for part in report.partitions] == [
        "MODEL_INOUT_INFO",
        "MODEL_DEF",
        "WEIGHTS_DATA",
        "TASK_INFO",
    ]
    assert report.facts["layout"] == "current"
    assert report.facts["built for"] == "host"
    assert report.facts["planned for"] == "Ascend910B1"


def test_the_content_decides_where_the_suffix_does_not(files: dict[str, Path], tmp_path: Path) -> None:
    for format, path in files.items():
        renamed = tmp_path / f"{format}.model"
        renamed.write_bytes(path.read_bytes())
        assert inspect_file(renamed).format.lower() == format


def test_an_om_whose_kernels_cannot_be_read(tmp_path: Path) -> None:
    model = make_model([4, 2, 8, 8], name="grad", **_ATTRIBUTES)
    om = OmFile.load(converters.compile(model, tmp_path / "m", soc_version="Ascend910B1").om)
    bad = OmPartition(PartitionType.TILING_DATA, [bytes(12)])
    replace(om, models=[[bad, *om.partitions[1:]]]).save(tmp_path / "m.om")
    report = inspect_file(tmp_path / "m.om")
    assert report.operators["MaxPoolV3Grad"] == 1
    assert report.pool_nodes[0].binding == ""
    (oddity,) = report.oddities
    assert oddity.startswith("its kernels cannot be read: ")
    assert "its magic is 0x00000000" in oddity


def test_an_om_whose_graph_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "strange.om"
    partitions = [OmPartition(PartitionType.MODEL_DEF, [b"\xff\xff"]), OmPartition(99, [b"abc"])]
    OmFile(Header.named("strange"), [partitions]).save(path)
    report = inspect_file(path)
    assert report.partitions == [Partition("MODEL_DEF", 2), Partition("99", 3)]
    assert any("its graph cannot be read" in oddity for oddity in report.oddities)
    assert any("no known type" in oddity for oddity in report.oddities)


def test_a_node_that_the_operator_refuses_is_an_oddity(tmp_path: Path) -> None:
    model = make_model([1, 1, 4, 4], name="grad", ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2])
    next(a for a in model.graph.node[0].attribute if a.name == "ksize").ints[2] = 256
    path = tmp_path / "m.onnx"
    onnx.save(model, path)
    report = inspect_file(path)
    assert "256" in report.oddities[0]
    assert "'grad'" in report.oddities[0]
    assert report.pool_nodes[0].attributes["ksize"] == [1, 1, 256, 2]


@pytest.mark.parametrize("format", ["onnx", "air", "om"])
def test_the_command(files: dict[str, Path], format: str, capfd: Capture) -> None:
    assert main(["inspect", str(files[format])]) == 0
    shown = capfd.readouterr()
    assert shown.err == ""
    for words in ("MaxPoolV3Grad", "ksize=[1,1,3,3]", "orig_output", "scaled", " 1 (4 bytes)\n"):
        assert words in shown.out
    assert main(["inspect", "--json", str(files[format])]) == 0
    printed = capfd.readouterr()
    assert printed.err == ""
    assert json.loads(printed.out)["pool_nodes"][0]["attributes"]["ksize"] == [1, 1, 3, 3]


@pytest.mark.parametrize("name", ["x.onnx", "x.air", "x.om", "x"])
@pytest.mark.parametrize("content", [None, b"", b"\x00", b"text, no model", b"IMOD", bytes(300)])
def test_a_file_that_is_no_model(tmp_path: Path, name: str, content: bytes | None, capfd: Capture) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert main(["inspect", str(path)]) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"error: {path}")
    assert captured.err.count("\n") == 1
    with pytest.raises(MaxPoolGradError):
        inspect_file(path)


def test_truncated_files(files: dict[str, Path], capfd: Capture) -> None:
    for path in files.values():
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        assert main(["inspect", str(path)]) == 1, path
        captured = capfd.readouterr()
        assert captured.err.count("\n") == 1
        assert "internal error" not in captured.err


def test_a_folder_is_no_model(tmp_path: Path, capfd: Capture) -> None:
    assert main(["inspect", str(tmp_path)]) == 1
    assert "is a directory" in capfd.readouterr().err


def _plain(value: object) -> object:
    if isinstance(value, tuple | list):
        return list(value)
    return int(value) if isinstance(value, bool) else value


def test_an_element_type_that_onnx_does_not_have(tmp_path: Path) -> None:
    model = make_model([1, 1, 4, 4], ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2])
    model.graph.output[0].type.tensor_type.elem_type = 99
    model.graph.initializer.append(onnx.TensorProto(name="w", data_type=99, dims=[3]))
    onnx.save(model, tmp_path / "m.onnx")
    report = inspect_file(tmp_path / "m.onnx")
    assert report.outputs[0].dtype == "type 99"
    assert (report.weights, report.weight_bytes) == (1, 0)


def test_profiles_are_shown(tmp_path: Path) -> None:
    model = make_model(["N", 2, 8, 8], name="grad", **_ATTRIBUTES)
    onnx.save(model, tmp_path / "m.onnx")
    shapes = "orig_input:-1,2,8,8;orig_output:-1,2,4,4;grad:-1,2,4,4"
    words = [f"--model={tmp_path / 'm.onnx'}", f"--output={tmp_path / 'm'}", f"--input_shape={shapes}"]
    flags = ["--framework=5", "--soc_version=Ascend910B1", "--dynamic_batch_size=1,4"]
    assert main(["atc", *flags, *words]) == 0
    report = inspect_file(tmp_path / "m.om")
    assert (report.facts["profiles"], report.facts["subgraphs"]) == ("1,4", 2)
    assert len(report.pool_nodes) == 2
    assert len({node.graph for node in report.nodes}) == 3
    assert all("tiling key" in node.binding for node in report.pool_nodes)
    assert report.tasks == {"ALL_KERNEL": 2}
