"""GE's text dumps: as GE writes them, and what is none."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from google.protobuf import text_format

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.converters.atc.front_end import run
from maxpoolgrad_onnx.converters.ge_ir import DataType, GeModel
from maxpoolgrad_onnx.converters.ge_ir.text import parse_text
from support_ge import small_model

DUMP = b"""
name: "dumped"
version: 1
graph {
  name: "g"
  op {
    name: "x"
    type: "Data"
    attr { key: "index" value { i: 0 } }
    attr { key: "_output_name_key" value { list { s: "y" val_type: VT_LIST_STRING } } }
    attr { key: "_output_name_value" value { list { i: 0 val_type: VT_LIST_INT } } }
    stream_id: -1
    has_out_attr: true
    dst_name: "relu"
    dst_index: 0
    output_desc {
      dtype: DT_BF16
      shape { dim: 2 dim: 3 }
      layout: "ND"
      has_out_attr: true
      device_type: "NPU"
      real_dim_cnt: 2
    }
  }
}
"""


def load_text(data: bytes, source: str) -> GeModel:
    """By its bytes: the completed schema has the wire's numbers."""
    message, _ = parse_text(data, source)
    return GeModel.from_bytes(message.SerializeToString(), source)


def test_a_dump_as_ge_writes_it() -> None:
    message, notice = parse_text(DUMP, "d.pbtxt")
    assert notice is None
    op = message.graph[0].op[0]
    assert (op.stream_id, list(op.dst_name), op.output_desc[0].device_type) == (-1, ["relu"], "NPU")
    (node,) = load_text(DUMP, "d.pbtxt").graph.nodes
    assert (node.name, node.output_desc().dtype, node.output_desc().shape) == ("x", DataType.BF16, (2, 3))


def test_a_model_of_ours_as_text() -> None:
    model = small_model()
    text = text_format.MessageToString(model.to_wire()).encode()
    assert load_text(text, "d.pbtxt") == model
    assert load_text(text, "d.pbtxt") == GeModel.from_bytes(model.to_bytes())


def test_a_field_that_is_not_known_is_told() -> None:
    message, notice = parse_text(DUMP.replace(b'name: "dumped"', b"name: 'd' newer { a: 1 }"), "d.pbtxt")
    assert message.graph[0].op[0].name == "x"
    assert notice is not None
    assert "newer" in notice


@pytest.mark.parametrize(
    "data",
    [
        b"graph {",
        b"\xff\xfe",
        b"IMOD\0\0",
        b"no: 'dump'",
        b"graph { op { output_desc { dtype: DT_NONE } } }",
        b"graph: 3",
        b"graph { op { attr { value { list { " + b"g { op { attr { value { list { " * 400,
    ],
)
def test_what_is_no_dump(data: bytes) -> None:
    with pytest.raises(MaxPoolGradError, match=r"^d\.pbtxt: it is no text dump of GE") as caught:
        parse_text(data, "d.pbtxt")
    assert caught.value.code == "E10041"


def test_mode_5_writes_it_as_json(tmp_path: Path) -> None:
    (tmp_path / "d.pbtxt").write_bytes(DUMP)
    words = ["--mode=5", f"--om={tmp_path / 'd.pbtxt'}", f"--json={tmp_path / 'd.json'}"]
    assert run(words, io.StringIO(), io.StringIO()) == 0
    (op,) = json.loads((tmp_path / "d.json").read_text())["graph"][0]["op"]
    assert op["output_desc"][0]["dtype"] == "DT_BF16"
    assert op["attr"]["_output_name_key"]["list"]["val_type"] == "VT_LIST_STRING"
