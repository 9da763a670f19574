"""What `check` finds in a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import onnx
import onnx.parser
import pytest

from maxpoolgrad_onnx import Issue, MaxPoolGradError, check, embed_function, infer_shapes, make_model

MODEL = """
<ir_version: 9, opset_import: ["" : 18, "npu" : 1]>
graph (float[2,3,8,8] x, float[2,3,4,4] y, float[2,3,4,4] g) => (float[2,3,8,8] out)
{ [pool] a = npu.MaxPoolV3Grad <ksize = [1, 1, 2, 2], strides = [1, 1, 2, 2]> (x, y, g)
  [relu] out = Relu (a) }
"""


def one_issue(text: str) -> Issue:
    [issue] = check(onnx.parser.parse_model(text))
    assert "\n" not in issue.message
    return issue


def test_a_model_by_its_path(tmp_path: Path) -> None:
    model = onnx.parser.parse_model(MODEL)
    onnx.save(model, tmp_path / "m.onnx")
    assert check(tmp_path / "m.onnx") == []
    assert infer_shapes(tmp_path / "m.onnx") == infer_shapes(model)
    assert embed_function(str(tmp_path / "m.onnx")) == embed_function(model)
    for function in (check, infer_shapes, embed_function):
        with pytest.raises(MaxPoolGradError, match=r"none.onnx: cannot be read: no such file"):
            function(tmp_path / "none.onnx")


def test_a_right_model_has_no_issue() -> None:
    model = onnx.parser.parse_model(MODEL)
    before = model.SerializeToString()
    assert check(model) == []
    assert check(embed_function(model)) == []
    assert model.SerializeToString() == before


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("ksize = [1, 1, 2, 2]", 'ksize = "abc"', ["ksize", "abc"]),
        ("ksize = [1, 1, 2, 2], ", "", ["ksize is missing"]),
        ("ksize =", "nix = 1, ksize =", ["'nix'"]),
        ("ksize =", "ceil_mode = 2, ksize =", ["ceil_mode is 2"]),
        ("ksize =", "pads = [0, 0, 0], ksize =", ["pads is [0, 0, 0]"]),
        ("(x, y, g)", "(x, y)", ["inputs is 2"]),
        ("(x, y, g)", '(x, y, "")', ["grad"]),
        ("(x, y, g)", "(x, y, x)", ["shape of grad"]),
        ("float[2,3,4,4] y", "float16[2,3,4,4] y", ["float16", "float32"]),
        ("float[2,3,4,4] y", "float[2,3,5,4] y", ["orig_output"]),
        ("float[2,3,4,4] y", "float[3,4,4] y", ["orig_output"]),
    ],
)
def test_rules_of_the_operator(old: str, new: str, words: list[str]) -> None:
    issue = one_issue(MODEL.replace(old, new))
    assert (issue.node, issue.severity, issue.code) == ("pool", "error", "E13014")
    assert issue.message.startswith("MaxPoolV3Grad node 'pool': ")
    assert all(word in issue.message for word in words), issue.message


def test_every_node_is_named_and_dtypes_and_shapes_are_both_said() -> None:
    text = MODEL.replace("float[2,3,4,4] y", "float16[2,3,5,4] y").replace(
        "[relu] out = Relu (a)",
        "[second] out = npu.NPUMaxPoolV3Grad <ksize = [1, 1, 0, 2], strides = [1, 1, 2, 2]> (a, g, g)",
    )
    assert [issue.node for issue in check(onnx.parser.parse_model(text))] == ["pool", "pool", "second"]


def test_a_declared_output_that_cannot_be() -> None:
    issue = one_issue(
        MODEL.replace("[relu] out = Relu (a)", "")
        .replace("[pool] a", "[pool] out")
        .replace("(float[2,3,8,8] out)", "(float[2,3,8,7] out)")
    )
    assert (issue.node, issue.severity) == ("pool", "error")
    assert "[2, 3, 8, 7]" in issue.message
    assert "[2, 3, 8, 8]" in issue.message


def test_nodes_in_branches_and_functions_are_seen() -> None:
    text = """
    <ir_version: 9, opset_import: ["" : 18, "npu" : 1, "own" : 1]>
    graph (float[1,1,4,4] x, float[1,1,2,2] y, bool choose) => (float[1,1,4,4] out)
    {
      out = If (choose) <
        then_branch = then () => (float[1,1,4,4] a)
          { [inner] a = npu.MaxPoolV3Grad <ksize = [1, 1, 2, 2], strides = [1, 1, 3, 2]> (x, y, y) },
        else_branch = else () => (float[1,1,4,4] b) { b = own.Wrapped (x, y) }
      >
    }
    <domain: "own", opset_import: ["" : 18, "npu" : 1]>
    Wrapped (c, d) => (e)
    { [wrapped] e = npu.MaxPoolV3Grad <ksize = [1, 1, 2, 2], strides = [1, 1, 64, 2]> (c, d, d) }
    """
    issues = check(onnx.parser.parse_model(text))
    assert [(issue.node, "64" in issue.message) for issue in issues] == [("inner", False), ("wrapped", True)]


def change(text: str, edit: Callable[[onnx.ModelProto], None]) -> list[Issue]:
    model = onnx.parser.parse_model(text)
    edit(model)
    return check(model)


def test_missing_imports() -> None:
    issues = change(MODEL, lambda model: model.ClearField("opset_import"))
    assert [(issue.node, issue.severity, issue.code) for issue in issues] == [
        ("pool", "error", "E19999"),
        ("relu", "error", "E19999"),
    ]
    assert "'npu'" in issues[0].message
    assert "version 1" in issues[0].message


def test_another_version_of_the_domain() -> None:
    issue = one_issue(MODEL.replace('"npu" : 1', '"npu" : 2'))
    assert (issue.severity, issue.code) == ("error", "E16002")
    assert "version 2" in issue.message


def test_both_names_of_the_default_domain() -> None:
    issue = one_issue(MODEL.replace('"npu" : 1', '"npu" : 1, "ai.onnx" : 17'))
    assert (issue.severity, issue.code) == ("warning", "E16005")
    assert '"" (18)' in issue.message
    assert '"ai.onnx" (17)' in issue.message


@pytest.mark.parametrize(("opset", "warned"), [(7, True), (8, False), (18, False), (19, True), (20, True)])
def test_opsets_that_canns_parser_does_not_know(opset: int, warned: bool) -> None:
    issues = check(onnx.parser.parse_model(MODEL.replace('"" : 18', f'"" : {opset}')))
    assert [(issue.severity, issue.code) for issue in issues] == [("warning", "E16002")] * warned
    assert all("8 to 18" in issue.message for issue in issues)


@pytest.mark.parametrize(("version", "warned"), [(10, False), (11, True)])
def test_ir_versions(version: int, warned: bool) -> None:
    issues = check(onnx.parser.parse_model(MODEL.replace("ir_version: 9", f"ir_version: {version}")))
    assert [issue.severity for issue in issues] == ["warning"] * warned
    assert all("IR version" in issue.message for issue in issues)


def test_an_operator_of_the_domain_that_nothing_defines() -> None:
    issue = one_issue(MODEL.replace("npu.MaxPoolV3Grad", "npu.MaxPoolV4Grad"))
    assert (issue.node, issue.severity, issue.code) == ("pool", "error", "E10501")
    issue = one_issue(
        MODEL.replace("[relu] out = Relu (a)", "[conv] out = npu.Conv2DBackpropInput (a, a, a)")
    )
    assert (issue.node, issue.severity) == ("conv", "warning")


def test_a_function_body_without_its_attributes() -> None:
    model = embed_function(onnx.parser.parse_model(MODEL))
    del model.graph.node[0].attribute[5:]
    [issue] = check(model)
    assert (issue.node, issue.severity) == ("pool", "warning")
    assert "global_pooling, ceil_mode must be written" in issue.message


def test_names_that_would_steer_a_terminal_stay_on_one_line() -> None:
    model = onnx.parser.parse_model(MODEL)
    model.graph.node[0].name = "po\nol\x1b[2J"
    model.graph.node[0].attribute[0].name = "k\nsize"
    [issue] = check(model)
    assert (issue.node, "\n" in issue.message, "\x1b" in issue.message) == ("po ol\\x1b[2J", False, False)


def test_an_element_type_that_onnx_does_not_know() -> None:
    model = onnx.parser.parse_model(MODEL)
    model.graph.input[1].type.tensor_type.elem_type = 91
    assert "91" in check(model)[0].message


def test_what_only_onnx_finds() -> None:
    issue = one_issue(MODEL.replace("Relu (a)", "Relu (nowhere)"))
    assert issue.message.startswith("onnx.checker refuses the model: ")
    assert "nowhere" in issue.message
    assert one_issue(MODEL.replace("Relu", "NoSuchOp")).severity == "error"


def test_made_models_have_no_issue() -> None:
    attributes: dict[str, Any] = {
        "ksize": [1, 3, 3, 1],
        "strides": [1, 2, 2, 1],
        "data_format": "NHWC",
        "ceil_mode": True,
    }
    assert check(make_model(("n", 9, 9, None), dtype="float16", **attributes)) == []
