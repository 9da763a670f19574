"""Whole runs of atc's command line on the embedded backend: frame, files, exit codes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.model import make_model
from support_atc import FAILURE, POOL, START, SUCCESS, atc, refused, whole
from support_convert import onnx_model


def test_a_model_is_compiled(model: Path, tmp_path: Path) -> None:
    code, out, err = atc(*whole(model, tmp_path / "out"))
    assert code == 0
    assert out.splitlines() == [START, SUCCESS]
    assert "bound to no kernel" in err, "the embedded compiler says what its .om cannot do"
    assert {path.name for path in tmp_path.iterdir()} == {"m.onnx", "out.om", "out.air"}
    assert converters.load(tmp_path / "out.om").graph.nodes


def test_what_is_compiled_runs(tmp_path: Path) -> None:
    onnx.save(make_model([1, 1, 2, 2], **POOL), tmp_path / "m.onnx")
    assert atc(*whole(tmp_path / "m.onnx", tmp_path / "out"))[0] == 0
    session = converters.InferSession(0, tmp_path / "out.om")
    x = np.float32([[[[1, 4], [2, 3]]]])
    y, g = np.float32([[[[4]]]]), np.float32([[[[7]]]])
    np.testing.assert_array_equal(session.infer([x, y, g])[0], np.float32([[[[0, 7], [0, 0]]]]))


def test_the_suffix_is_added_to_whatever_the_path_ends_in(model: Path, tmp_path: Path) -> None:
    assert atc(*whole(model, tmp_path / "a.om"))[0] == 0
    assert (tmp_path / "a.om.om").exists()


def test_help(tmp_path: Path) -> None:
    code, out, err = atc("--help")
    assert (code, err) == (0, "")
    assert out.startswith(START)
    assert "--soc_version" in out


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--x=1"], "ERROR: unknown command line flag 'x'"),
        (["--framework=5", "--nosuch"], "ERROR: unknown command line flag 'nosuch'"),
    ],
)
def test_an_unknown_flag(words: list[str], line: str) -> None:
    code, out, err = atc(*words)
    assert code == 1
    assert out.splitlines() == [START, FAILURE]
    assert err == f"{line}\n"


def test_input_shape_fixes_open_sizes(model: Path, tmp_path: Path) -> None:
    shapes = "--input_shape=orig_input:3,2,8,8;orig_output:3,2,4,4;grad:3,2,4,4"
    assert atc(*whole(model, tmp_path / "out", shapes))[0] == 0
    graph = converters.load(tmp_path / "out.om").graph
    shapes_of = {node.name: node.output_desc().shape for node in graph.nodes if node.output_descs}
    assert shapes_of["orig_input"] == (3, 2, 8, 8)
    assert shapes_of["grad"] == (3, 2, 4, 4)


def test_input_shapes_that_the_operator_refuses(model: Path, tmp_path: Path) -> None:
    shapes = "--input_shape=orig_input:3,2,8,8;orig_output:3,2,4,4;grad:2,2,4,4"
    code, sentence = refused(*whole(model, tmp_path / "out", shapes))
    assert code == "E13014"
    assert "'grad'" in sentence
    assert not (tmp_path / "out.om").exists()


def test_out_nodes_cut_the_model(tmp_path: Path) -> None:
    model = make_model([1, 2, 8, 8], name="grad", **POOL)
    model.graph.node.append(onnx.helper.make_node("Neg", ["out_grad"], ["negative"], name="neg"))
    model.graph.output[0].name = "negative"
    onnx.save(model, tmp_path / "m.onnx")
    assert atc(*whole(tmp_path / "m.onnx", tmp_path / "out", "--out_nodes=grad:0"))[0] == 0
    types = [node.type for node in converters.load(tmp_path / "out.om").graph.nodes]
    assert "MaxPoolV3Grad" in types
    assert "Neg" not in types


def test_an_air_is_compiled_in_place(model: Path, tmp_path: Path) -> None:
    assert atc(*whole(model, tmp_path / "out"))[0] == 0
    (tmp_path / "out.om").unlink()
    before = (tmp_path / "out.air").read_bytes()
    words = [f"--model={tmp_path / 'out.air'}", f"--output={tmp_path / 'out'}", "--soc_version=Ascend910B1"]
    assert atc("--framework=1", *words)[0] == 0
    assert (tmp_path / "out.om").exists()
    assert (tmp_path / "out.air").read_bytes() == before


def test_what_needs_an_onnx_model(model: Path, tmp_path: Path) -> None:
    assert atc(*whole(model, tmp_path / "out"))[0] == 0
    air = whole(tmp_path / "out.air", tmp_path / "b", "--framework=1")
    assert refused(*air, "--input_shape=grad:1,2,4,4")[0] == "E10055"
    assert refused(*air, "--out_nodes=grad:0")[0] == "E10055"
    assert refused(*air, f"--check_report={tmp_path / 'r.json'}")[0] == "E10055"


@pytest.mark.parametrize(
    ("framework", "content", "code"),
    [
        (5, None, "E13001"),
        (5, b"", "E13001"),
        (5, b"no model", "E10041"),
        (1, None, "E13001"),
        (1, b"", "E13001"),
        (1, b"no model", "E10041"),
    ],
)
def test_a_bad_model_file(tmp_path: Path, framework: int, content: bytes | None, code: str) -> None:
    path = tmp_path / "bad"
    if content is not None:
        path.write_bytes(content)
    found, sentence = refused(*whole(path, tmp_path / "out", f"--framework={framework}"))
    assert found == code
    assert str(path) in sentence
    assert not list(tmp_path.glob("out*"))


def test_a_truncated_model(model: Path, tmp_path: Path) -> None:
    whole_file = model.read_bytes()
    for length in (1, len(whole_file) // 3, len(whole_file) - 1):
        model.write_bytes(whole_file[:length])
        code, sentence = refused(*whole(model, tmp_path / "out"))
        assert code != "E19999", sentence
        assert not list(tmp_path.glob("out*"))


def test_a_framework_that_does_not_fit_the_file(model: Path, tmp_path: Path) -> None:
    assert refused(*whole(model, tmp_path / "out", "--framework=1"))[0] == "E10041"
    assert atc(*whole(model, tmp_path / "out"))[0] == 0
    assert refused(*whole(tmp_path / "out.air", tmp_path / "b"))[0] == "E10041"


def test_an_output_folder_that_is_missing_is_made_as_atc_makes_it(model: Path, tmp_path: Path) -> None:
    deep = tmp_path / "none" / "deeper"
    assert atc(*whole(model, deep / "out"))[0] == 0
    assert {path.name for path in deep.iterdir()} == {"out.om", "out.air"}
    assert atc("--mode=1", f"--om={deep / 'out.om'}", f"--json={tmp_path / 'json' / 'x.json'}")[0] == 0
    report = tmp_path / "report" / "x.json"
    assert atc("--mode=3", "--framework=5", f"--model={model}", f"--check_report={report}")[0] == 0
    assert report.exists()
    assert (tmp_path / "json" / "x.json").exists()
    code, sentence = refused(*whole(model, model / "out"))
    assert code == "E13004"
    assert sentence.startswith(f"{model}: the folder cannot be made: ")


def test_sizes_that_no_tensor_has_are_no_inner_error(tmp_path: Path) -> None:
    onnx.save(onnx_model("a = Abs(x)", "float[N,64] x", "float[N,64] a"), tmp_path / "m.onnx")
    words = whole(tmp_path / "m.onnx", tmp_path / "out", f"--input_shape=x:{10**17},64")
    code, sentence = refused(*words)
    assert code == "E13014"
    assert sentence.endswith(f"it has {10**17 * 256} bytes; a size is below 2**63")
    assert not list(tmp_path.glob("out*"))


def test_out_nodes_by_the_names_of_tensors(tmp_path: Path) -> None:
    nodes = "a = Relu(x) b = Neg(a) c = Abs(b)"
    onnx.save(onnx_model(nodes, "float[2] x", "float[2] c"), tmp_path / "m.onnx")
    words = whole(tmp_path / "m.onnx", tmp_path / "out")
    assert atc(*words, "--out_nodes=b;a")[0] == 0
    with converters.InferSession(0, tmp_path / "out.om") as session:
        b, a = session.infer([np.float32([-1, 2])])
    assert (b.tolist(), a.tolist()) == ([0, -2], [0, 2])
    code, sentence = refused(*words, "--out_nodes=nowhere")
    assert (code, "the tensor 'nowhere', which no node gives" in sentence) == ("E11017", True)
    assert refused(*words, "--out_nodes=x")[0] == "E11017"
    code, sentence = refused(*words, "--out_nodes=a;node:0")
    assert (code, "'a' among entries with an index" in sentence) == ("E10001", True)


def test_an_output_folder_that_is_read_only(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mkstemp(**arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", mkstemp)  # root may write into a folder that is read-only
    code, sentence = refused(*whole(model, tmp_path / "out"))
    assert code == "E13004"
    assert sentence.endswith("cannot be written: permission denied; write to another folder")
    assert not list(tmp_path.glob("out*"))


def test_an_output_that_is_the_input(tmp_path: Path) -> None:
    path = tmp_path / "m.om"
    onnx.save(make_model([1, 1, 2, 2], **POOL), path)
    before = path.read_bytes()
    code, sentence = refused(*whole(path, tmp_path / "m"))
    assert code == "E13026"
    assert "it is the input itself" in sentence
    assert path.read_bytes() == before


def test_an_existing_output_stays_where_the_run_fails(model: Path, tmp_path: Path) -> None:
    (tmp_path / "out.om").write_bytes(b"old")
    refused(*whole(model, tmp_path / "out", "--input_shape=none:1"))
    assert (tmp_path / "out.om").read_bytes() == b"old"


def test_the_log_level(model: Path, tmp_path: Path) -> None:
    _, _, err = atc(*whole(model, tmp_path / "out", "--log=info"))
    assert f"[INFO] wrote {tmp_path / 'out.om'}" in err
    assert "[INFO]" not in atc(*whole(model, tmp_path / "out"))[2]


def test_a_bug_is_one_sentence(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*words: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("maxpoolgrad_onnx.converters.atc.front_end._do", broken)
    code, sentence = refused(*whole(model, tmp_path / "out"))
    assert code == "E19999"
    assert sentence.startswith("internal error: ZeroDivisionError: oh")


@pytest.mark.parametrize(
    ("flags", "inner", "outer"),
    [
        (["--precision_mode=force_fp16"], "float16", "float32"),
        (["--precision_mode_v2=mixed_float16"], "float16", "float32"),
        (["--precision_mode=force_fp16", "--output_type=FP16"], "float16", "float16"),
        (["--out_nodes=grad:0", "--output_type=grad:0:FP16"], "float32", "float16"),
    ],
)
def test_types(model: Path, tmp_path: Path, flags: list[str], inner: str, outer: str) -> None:
    assert atc(*whole(model, tmp_path / "out", *flags))[0] == 0
    graph = converters.load(tmp_path / "out.om").graph
    (pool,) = (node for node in graph.nodes if node.type == "MaxPoolV3Grad")
    assert pool.output_desc().dtype.numpy == np.dtype(inner)
    session = converters.InferSession(0, tmp_path / "out.om")
    assert session.get_outputs()[0].datatype == outer
    x = np.ones((1, 2, 8, 8), np.float32)
    y = mpg.max_pool_v3(x, **POOL)
    (result,) = session.infer([x, y, y])
    assert result.dtype == outer
    assert result.sum() == y.sum()


def test_the_notice_of_types_is_told_once_and_not_where_they_were_chosen(model: Path, tmp_path: Path) -> None:
    assert atc(*whole(model, tmp_path / "out"))[2].count("force_fp16") == 1
    assert "force_fp16" not in atc(*whole(model, tmp_path / "out", "--precision_mode_v2=origin"))[2]
