"""Text dumps of GE, in both of their forms, and ONNX models as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx
import pytest
from google.protobuf import text_format
from onnx import helper

from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.inspect import Port, inspect_file
from support_convert import onnx_model

Capture = pytest.CaptureFixture[str]

GE = """
graph {
  name: "part"
  op {
    name: "x" type: "Data" input: ""
    output_desc { dtype: DT_FLOAT shape { dim: 1 dim: 1 dim: 4 dim: 4 } layout: "NCHW" device_type: "NPU" }
  }
  op {
    name: "w" type: "Const"
    attr { key: "value" value { t { desc { dtype: DT_FLOAT16
      shape { dim: 3 dim: 5 } layout: "ND" } } } }
    output_desc { dtype: DT_FLOAT16
      shape { dim: 3 dim: 5 } layout: "ND" }
  }
  op {
    name: "g"
    type: "MaxPoolV3Grad"
    input: "x:0" input: "elsewhere:0" input: "w:0" input: "x:-1"
    attr { key: "_input_name_key" value { list { s: "orig_input" s: "orig_output" s: "grad"
      val_type: VT_LIST_STRING
    } } }
    attr { key: "_input_name_value" value { list { i: 0 i: 1 i: 2
      val_type: VT_LIST_INT
    } } }
    attr { key: "ksize" value { list { i: 1 i: 1 i: 2 i: 2
      val_type: VT_LIST_INT
    } } }
    input_desc { dtype: DT_FLOAT layout: "NCHW" }
    input_desc { dtype: DT_FLOAT layout: "NCHW" }
    input_desc { dtype: DT_FLOAT layout: "NCHW" }
    output_desc { dtype: DT_FLOAT shape { dim: 1 dim: 1 dim: 4 dim: 4 } layout: "NC1HWC0" }
    stream_id: 3
  }
  op { name: "out" type: "NetOutput" input: "g:0" input_desc { dtype: DT_FLOAT layout: "ND" } }
}
"""


def test_ge_text(tmp_path: Path, capfd: Capture) -> None:
    path = tmp_path / "ge_proto_00001_Build.txt"
    path.write_text(GE)
    report = inspect_file(path)
    assert (report.format, report.bytes) == ("GE text", len(GE))
    assert report.inputs == [Port("x", "DT_FLOAT", (1, 1, 4, 4), "NCHW")]
    assert report.outputs == [Port("g:0", "DT_FLOAT", (1, 1, 4, 4), "NC1HWC0")]
    assert report.operators == {"Data": 1, "Const": 1, "MaxPoolV3Grad": 1, "NetOutput": 1}
    assert (report.weights, report.weight_bytes) == (1, 30)
    assert report.oddities == ["the elements of 1 weights are not in the dump"]
    (pool,) = report.pool_nodes
    assert pool.attributes == {"ksize": [1, 1, 2, 2]}
    node = report.nodes[2]
    assert (node.kind, node.sources) == ("pool_grad", [0, -1, 1])
    assert node.attributes["waits for"] == ["x"]
    assert main(["inspect", str(path)]) == 0
    assert "ksize=[1,1,2,2]" in capfd.readouterr().out


def desc(kind: str, number: int, shape: list[int]) -> dict[str, Any]:
    return {
        f"{kind}_desc_dtype:{number}": "DT_FLOAT",
        f"{kind}_desc_layout:{number}": "NCHW",
        f"{kind}_desc_shape:{number}": shape,
        f"{kind}_desc_attr_format_for_int:{number}": 0,
    }


def onnx_form() -> str:
    """The same graph as GE writes it in ONNX's form: descriptions are attributes, many of them as JSON."""
    image = [1, 1, 4, 4]
    pool = {
        **desc("input", 0, image),
        "input_desc_1": json.dumps({"dtype": "DT_INT8", "shape": [2, 2], "layout": "ND"}),
        "input_desc_2": "no json",
        "_input_name_key": ["orig_output", "orig_input"],
        "_input_name_value": [1, 0],
        "ksize": [1, 1, 2, 2],
        "scale": 0.5,
        "rates": [0.5],
        "id": 7,
        **desc("output", 0, image),
    }
    weight = {**desc("output", 0, [3, 5]), "value_desc_dtype": "DT_FLOAT"}
    nodes = [
        helper.make_node("ge:Data", [], ["x:0"], name="x", **desc("output", 0, image)),
        helper.make_node("ge:Const", [""], [], name="w", **weight),
        helper.make_node("ge:MaxPoolV3Grad", ["x:0", "x:0", "w:0", "x:-1"], ["g:0"], name="g", **pool),
        helper.make_node("ge:NetOutput", ["g:0"], [], name="NetOutput", **desc("input", 0, image)),
    ]
    graph = helper.make_graph(nodes, "part", [helper.make_tensor_value_info("x", 1, image)], [])
    return text_format.MessageToString(helper.make_model(graph))


def test_ge_in_the_form_of_onnx(tmp_path: Path) -> None:
    path = tmp_path / "ge_onnx_00001_Build.pbtxt"
    path.write_text(onnx_form())
    report = inspect_file(path)
    assert report.format == "GE text, in ONNX's form"
    assert report.inputs == [Port("x", "DT_FLOAT", (1, 1, 4, 4), "NCHW")]
    assert report.outputs == [Port("g:0", "DT_FLOAT", (1, 1, 4, 4), "NCHW")]
    assert (report.weights, report.weight_bytes) == (1, 60)
    (pool,) = report.pool_nodes
    assert pool.inputs == [
        Port("orig_input", "DT_FLOAT", (1, 1, 4, 4), "NCHW"),
        Port("orig_output", "DT_INT8", (2, 2), "ND"),
        Port("__input2", "DT_UNDEFINED", None, "ND"),
    ]
    node = report.nodes[2]
    assert node.attributes == {
        "ksize": [1, 1, 2, 2],
        "scale": 0.5,
        "rates": [0.5],
        "waits for": ["x"],
    }
    assert node.sources == [0, 0, 1]


def test_an_onnx_model_as_text(tmp_path: Path) -> None:
    model = onnx_model("y = Relu(x)", "float[2] x", "float[2] y")
    (tmp_path / "m.pbtxt").write_text(text_format.MessageToString(model))
    report = inspect_file(tmp_path / "m.pbtxt")
    assert (report.format, report.operators) == ("ONNX text", {"Relu": 1})
    onnx.save(model, tmp_path / "m.onnx")
    assert inspect_file(tmp_path / "m.onnx").nodes == report.nodes


def test_the_content_decides_where_the_suffix_does_not(tmp_path: Path) -> None:
    (tmp_path / "dump").write_text(GE)
    assert inspect_file(tmp_path / "dump").format == "GE text"
    (tmp_path / "commented").write_text(f"# of part\n# 2\n{GE}")
    assert inspect_file(tmp_path / "commented").format == "GE text"


DAMAGED = {
    "empty graph": 'name: "m"',
    "cut": GE[: len(GE) // 2],
    "no fields": "graph 7",
    "a bad edge": 'graph { name: "a" op { name: "x" type: "Relu" input: "nothing" } }',
    "an edge of 5000 digits": f'graph {{ op {{ name: "x" type: "Relu" input: "x:{"9" * 5000}" }} }}',
    "deep": "graph { op { attr { value { g { " * 300,
    "onnx cut": onnx_form()[:-400],
    "binary": "\udcff\udcfe",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_dumps(tmp_path: Path, name: str, capfd: Capture) -> None:
    path = tmp_path / "bad.pbtxt"
    path.write_bytes(DAMAGED[name].encode("utf-8", "surrogateescape"))
    assert main(["inspect", str(path)]) == 1
    told = capfd.readouterr().err
    assert told.startswith(f"error: {path}: ")
    assert told.count("\n") == 1
    assert "internal" not in told
