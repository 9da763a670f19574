"""Mode 3 and --check_report: every node of a model at once, as check_result.json says it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import onnx
import pytest

from maxpoolgrad_onnx.converters.atc.front_end import run
from support_convert import onnx_model

POOL = "npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>"


def atc(*words: str) -> tuple[int, str]:
    stderr = io.StringIO()
    return run(words, io.StringIO(), stderr), stderr.getvalue()


def check(tmp_path: Path, nodes: str, *more: str) -> tuple[int, str, dict[str, Any]]:
    model = onnx_model(nodes, "float[2,3,8,8] x, float[2,3,4,4] g", "float[2,3,8,8] out")
    onnx.save(model, tmp_path / "m.onnx")
    report = tmp_path / "report.json"
    code, err = atc(
        *("--mode=3", "--framework=5", f"--model={tmp_path / 'm.onnx'}", f"--check_report={report}"), *more
    )
    found: dict[str, Any] = json.loads(report.read_text()) if report.exists() else {}
    return code, err, found


def test_a_model_that_can_be_converted(tmp_path: Path) -> None:
    nodes = f"[p] y = MaxPool<kernel_shape=[2,2], strides=[2,2]>(x) [q] out = {POOL}(x, y, g)"
    code, _, report = check(tmp_path, nodes)
    assert code == 0
    assert report == {
        "name": "g",
        "result": "success",
        "total": 2,
        "pass": 2,
        "fail": 0,
        "op": [
            {"name": "p", "type": "MaxPool", "result": "success"},
            {"name": "q", "type": "MaxPoolV3Grad", "result": "success"},
        ],
    }
    assert {path.name for path in tmp_path.iterdir()} == {"m.onnx", "report.json"}


def test_every_node_that_is_refused_is_there_with_its_reason(tmp_path: Path) -> None:
    nodes = (
        "[p] y = MaxPool<kernel_shape=[2,2], strides=[2,2], dilations=[2,2], pads=[0,0,1,1]>(x)"
        "[d] j = MaxPool<kernel_shape=[99,99], pads=[60,60,60,60], strides=[80,80]>(x)"
        f"[q] out = {POOL}(x, y, g)"
    )
    code, err, report = check(tmp_path, nodes)
    assert code == 1
    assert (report["result"], report["total"], report["pass"], report["fail"]) == ("failed", 3, 1, 2)
    causes = {op["name"]: op["cause"] for op in report["op"] if op["result"] == "failed"}
    assert {name: [cause["code"] for cause in each] for name, each in causes.items()} == {"p": [2], "d": [2]}
    assert "dilations" in causes["p"][0]["message"]
    assert "strides" in causes["d"][0]["message"]
    assert "(E13014): 2 of 3 nodes cannot be converted, the first: MaxPool node 'p'" in err
    assert "report.json has them all" in err


def test_operators_without_a_rule(tmp_path: Path) -> None:
    code, err, report = check(tmp_path, "[a] y = made.Up(x) [b] z = NonZero(x) [c] out = Relu(x)")
    assert code == 1
    assert [op["result"] for op in report["op"]] == ["failed", "failed", "success"]
    assert report["op"][0]["cause"] == [{"code": 1, "message": "no rule is registered for Up of domain made"}]
    assert "(E16002)" in err


def test_shapes_that_are_given_count(tmp_path: Path) -> None:
    model = onnx_model(
        f"[q] out = {POOL}(x, y, g)",
        "float[N,3,8,8] x, float[N,3,4,4] y, float[N,3,4,4] g",
        "float[N,3,8,8] out",
    )
    onnx.save(model, tmp_path / "m.onnx")
    words = [
        "--mode=3",
        "--framework=5",
        f"--model={tmp_path / 'm.onnx'}",
        f"--check_report={tmp_path / 'r'}",
    ]
    assert atc(*words)[0] == 0
    code, err = atc(*words, "--input_shape=x:2,3,8,8;y:2,3,4,4;g:3,3,4,4")
    assert code == 1
    assert "'grad'" in err or "grad" in err


def test_the_report_does_not_replace_the_model(tmp_path: Path) -> None:
    model = tmp_path / "m.onnx"
    onnx.save(onnx_model("out = Relu(x)", "float[2] x", "float[2] out"), model)
    before = model.read_bytes()
    assert atc("--mode=3", "--framework=5", f"--model={model}", f"--check_report={model}")[0] == 1
    assert model.read_bytes() == before


@pytest.mark.parametrize(("given", "written"), [(True, True), (False, False)])
def test_mode_0_writes_it_where_it_is_asked_for(tmp_path: Path, given: bool, written: bool) -> None:
    onnx.save(onnx_model("[n] out = NonZero(x)", "float[2] x", "int64[1,M] out"), tmp_path / "m.onnx")
    words = ["--framework=5", f"--model={tmp_path / 'm.onnx'}", f"--output={tmp_path / 'o'}"]
    report = [f"--check_report={tmp_path / 'r.json'}"] if given else []
    assert atc(*words, "--soc_version=Ascend910B1", *report)[0] == 1
    assert (tmp_path / "r.json").exists() == written


def test_mode_0_does_not_replace_the_model_by_its_report(tmp_path: Path) -> None:
    model = tmp_path / "m.onnx"
    onnx.save(onnx_model("out = Relu(x)", "float[2] x", "float[2] out"), model)
    before = model.read_bytes()
    words = ["--framework=5", f"--model={model}", f"--output={tmp_path / 'o'}", f"--check_report={model}"]
    assert atc(*words, "--soc_version=Ascend910B1")[0] == 1
    assert model.read_bytes() == before
