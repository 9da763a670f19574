"""Runs of atc's command line that compile nothing: --mode 1 (JSON) and 6 (display)."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
import pytest

from support_atc import START, SUCCESS, atc, refused, whole
from support_convert import onnx_model


def test_mode_1_tells_by_the_file_what_is_missing(model: Path, tmp_path: Path) -> None:
    json_file = f"--json={tmp_path / 'x.json'}"
    code, sentence = refused("--mode=1", f"--om={model}", json_file)
    assert code == "E10041"
    assert sentence == f"{model}: it is an ONNX model, and --framework is not 5; add --framework=5"
    assert atc(*whole(model, tmp_path / "out"))[0] == 0
    assert atc("--mode=1", "--framework=1", f"--om={tmp_path / 'out.om'}", json_file)[0] == 0


@pytest.mark.parametrize("suffix", ["om", "air"])
def test_mode_1_writes_json(model: Path, tmp_path: Path, suffix: str) -> None:
    assert atc(*whole(model, tmp_path / "out"))[0] == 0
    assert atc("--mode=1", f"--om={tmp_path / 'out'}.{suffix}", f"--json={tmp_path / 'x.json'}")[0] == 0
    operators = json.loads((tmp_path / "x.json").read_text())["graph"][0]["op"]
    assert "MaxPoolV3Grad" in [operator["type"] for operator in operators]


def test_mode_1_of_an_onnx_model(model: Path, tmp_path: Path) -> None:
    assert atc("--mode=1", "--framework=5", f"--om={model}", f"--json={tmp_path / 'x.json'}")[0] == 0
    assert json.loads((tmp_path / "x.json").read_text())["graph"]["node"][0]["op_type"] == "MaxPoolV3Grad"


def test_mode_1_replaces_no_model(model: Path) -> None:
    assert refused("--mode=1", "--framework=5", f"--om={model}", f"--json={model}")[0] == "E13026"


def test_mode_6_shows_a_model(model: Path, tmp_path: Path) -> None:
    assert atc(*whole(model, tmp_path / "out"))[0] == 0
    code, out, _ = atc("--mode=6", f"--om={tmp_path / 'out.om'}")
    assert code == 0
    assert out.startswith(START)
    assert out.rstrip().endswith(SUCCESS)
    assert "unbound: " in out


def test_mode_1_with_shapes(tmp_path: Path) -> None:
    model = onnx_model("y = Relu(x) z = Neg(y)", "float[2,3] x", "float[2,3] z")
    onnx.save(model, tmp_path / "m.onnx")
    words = ["--mode=1", "--framework=5", f"--om={tmp_path / 'm.onnx'}", f"--json={tmp_path / 'x.json'}"]
    for more, known in ([], []), (["--dump_mode=1"], ["y"]):
        assert atc(*words, *more)[0] == 0
        graph = json.loads((tmp_path / "x.json").read_text())["graph"]
        assert [value["name"] for value in graph.get("value_info", [])] == known
