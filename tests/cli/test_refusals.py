"""Every refusal of the operator through `check` and through `atc`: one sentence, the contract's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.contract import (
    INPUT_NAMES,
    OP_TYPE,
    OP_TYPE_ALIAS,
    PoolAttributes,
    check_dtypes,
    check_shapes,
    node_subject,
)
from maxpoolgrad_onnx.converters.cli.main import main

Capture = pytest.CaptureFixture[str]

_CASES = json.loads((Path(__file__).parents[1] / "cases" / "operator.json").read_text())["refused"]
_NODE = "pool_grad"
# What the sentence must hold besides the node's name: what is wrong, its value, what is allowed.
_WRITTEN = [
    (
        "unknown attribute",
        {"dilations": [1, 1]},
        "attribute 'dilations' is unknown; allowed are ksize, strides",
    ),
    ("a string for ints", {"ksize": "abc"}, "ksize is 'abc'; it must be a list of ints"),
    ("a float for ints", {"strides": [1.0, 1.0, 2.0, 2.0]}, "it must be a list of ints"),
    ("an int for a string", {"padding_mode": 1}, "padding_mode is 1; it must be a string"),
    ("2 for a bool", {"ceil_mode": 2}, "ceil_mode is 2; allowed are 0 and 1"),
]


def _model(case: dict[str, Any], op_type: str = OP_TYPE) -> onnx.ModelProto:
    attributes = {name: int(v) if isinstance(v, bool) else v for name, v in case["attributes"].items()}
    shapes = [case["shape"], case["output_shape"], case.get("grad_shape", case["output_shape"])]
    dtypes = case.get("dtypes", ["float32"] * 3)
    elements = [helper.np_dtype_to_tensor_dtype(np.dtype(dtype)) for dtype in dtypes]
    inputs = [
        helper.make_tensor_value_info(name, element, shape)
        for name, element, shape in zip(INPUT_NAMES, elements, shapes, strict=True)
    ]
    outputs = [helper.make_tensor_value_info("out_grad", elements[0], case["shape"])]
    node = helper.make_node(op_type, list(INPUT_NAMES), ["out_grad"], name=_NODE, domain="npu", **attributes)
    graph = helper.make_graph([node], "g", inputs, outputs)
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("npu", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=9)


def _sentence(case: dict[str, Any]) -> str:
    """What the contract says of the case."""
    subject = node_subject(_NODE)
    output = case["output_shape"]
    try:
        attributes = PoolAttributes.make(subject, case["attributes"])
        check_dtypes(subject, *case.get("dtypes", ["float32"] * 3))
        check_shapes(subject, attributes, case["shape"], output, case.get("grad_shape", output))
    except MaxPoolGradError as error:
        return str(error)
    pytest.fail("the contract refuses nothing")


def _lines_of_check(model: Path, capfd: Capture) -> list[str]:
    assert main(["check", str(model)]) == 1
    captured = capfd.readouterr()
    assert "Traceback" not in captured.err
    return captured.err.splitlines()


def _sentence_of_atc(model: Path, capfd: Capture) -> str:
    output = model.with_name("out")
    words = ["--framework=5", f"--model={model}", f"--output={output}", "--soc_version=Ascend910B1"]
    assert main(["atc", *words]) == 1
    captured = capfd.readouterr()
    assert captured.out.splitlines()[-1].startswith("ATC run failed")
    assert not list(model.parent.glob("out*"))
    head, _, sentence = captured.err.splitlines()[0].partition("(E13014): ")
    assert head.startswith("[PID: ")
    return sentence


@pytest.mark.parametrize("op_type", [OP_TYPE, OP_TYPE_ALIAS])
@pytest.mark.parametrize("case", _CASES, ids=[case["name"] for case in _CASES])
def test_refused(case: dict[str, Any], op_type: str, tmp_path: Path, capfd: Capture) -> None:
    sentence = _sentence(case)
    assert sentence.startswith(f"MaxPoolV3Grad node '{_NODE}': ")
    assert "; " in sentence, "what is allowed"
    path = tmp_path / "m.onnx"
    onnx.save(_model(case, op_type), path)
    assert _lines_of_check(path, capfd) == [f"error: {sentence}"]
    assert _sentence_of_atc(path, capfd) == sentence


@pytest.mark.parametrize(
    ("attributes", "told"), [row[1:] for row in _WRITTEN], ids=[row[0] for row in _WRITTEN]
)
def test_an_attribute_that_is_written_wrong(
    attributes: dict[str, Any], told: str, tmp_path: Path, capfd: Capture
) -> None:
    whole = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2], **attributes}
    path = tmp_path / "m.onnx"
    onnx.save(_model({"attributes": whole, "shape": [1, 1, 4, 4], "output_shape": [1, 1, 2, 2]}), path)
    (line,) = _lines_of_check(path, capfd)
    assert f"'{_NODE}'" in line
    assert told in line
    assert f"error: {_sentence_of_atc(path, capfd)}" == line


@pytest.mark.parametrize("missing", ["ksize", "strides"])
def test_a_required_attribute_that_is_missing(missing: str, tmp_path: Path, capfd: Capture) -> None:
    attributes = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}
    del attributes[missing]
    path = tmp_path / "m.onnx"
    onnx.save(_model({"attributes": attributes, "shape": [1, 1, 4, 4], "output_shape": [1, 1, 2, 2]}), path)
    (line,) = _lines_of_check(path, capfd)
    assert f"attribute {missing} is missing" in line
    assert f"error: {_sentence_of_atc(path, capfd)}" == line


def test_every_problem_has_its_line(tmp_path: Path, capfd: Capture) -> None:
    model = _model(_CASES[0])
    other = helper.make_node(
        OP_TYPE, list(INPUT_NAMES), ["b"], name="other", domain="npu", ksize=[1], strides=[1]
    )
    model.graph.node.append(other)
    onnx.save(model, tmp_path / "m.onnx")
    lines = _lines_of_check(tmp_path / "m.onnx", capfd)
    assert len(lines) == 2
    assert "'other'" in lines[1]


def test_a_product_of_dimensions_beyond_int64(tmp_path: Path, capfd: Capture) -> None:
    huge = [2**31, 2**31, 2, 2]
    case = {
        "attributes": {"ksize": [1, 1, 1, 1], "strides": [1, 1, 1, 1]},
        "shape": huge,
        "output_shape": huge,
    }
    onnx.save(_model(case), tmp_path / "m.onnx")
    sentence = _sentence(case)
    assert str(2**63 - 1) in sentence
    assert _lines_of_check(tmp_path / "m.onnx", capfd) == [f"error: {sentence}"]
    assert _sentence_of_atc(tmp_path / "m.onnx", capfd) == sentence
