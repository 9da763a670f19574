"""The table of codes, and what becomes of an exception in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx
from maxpoolgrad_onnx import MaxPoolGradError, converters
from maxpoolgrad_onnx.codes import CODES, INNER_ERROR
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.errors import one_line, sentence_of
from support_convert import onnx_model

Capture = pytest.CaptureFixture[str]

_FOLDERS = {Path(str(package.__file__)).parent for package in (maxpoolgrad_onnx, converters)}
_SOURCES = {path for folder in _FOLDERS for path in folder.rglob("*.py") if path.name != "codes.py"}


def test_every_code_that_is_raised_is_explained_and_no_other() -> None:
    used = {
        code: path.name
        for path in _SOURCES
        for code in re.findall(r'"(E[EZ]?[0-9]{4,5}|[0-9]{6})"', path.read_text())
    }
    assert {code: name for code, name in used.items() if code not in CODES} == {}
    assert set(CODES) - {*used, INNER_ERROR} == set()


def test_the_table_holds_whole_sentences() -> None:
    for code, entry in CODES.items():
        assert re.fullmatch(r"\w+", entry.title), code
        for sentence in (entry.cause, entry.solution):
            assert sentence.endswith("."), code
            assert one_line(sentence) == sentence, code


def test_a_cure_names_a_command_that_finds_what_it_says(tmp_path: Path, capfd: Capture) -> None:
    """E13014 has every refused node listed: `check` looks at MaxPoolV3Grad alone, atc's pre-check at all."""
    weights = {"ratio": np.array(0.5, np.float32), "training": np.array(True)}
    nodes = "y = Dropout(x, ratio, training) z = Dropout(y, ratio, training)"
    model = onnx_model(nodes, "float[2,3] x", "float[2,3] z", weights)
    onnx.save(model, tmp_path / "m.onnx")
    (command,) = re.findall(r"`maxpoolgrad (.*?)`", CODES["E13014"].solution)
    report = tmp_path / "report.json"
    words = ["--framework=5", f"--model={tmp_path / 'm.onnx'}", f"--check_report={report}"]
    assert main([*command.split(), "--backend=embedded", *words]) == 1
    assert "(E13014)" in capfd.readouterr().err
    assert json.loads(report.read_text())["fail"] == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n  b\tc", "a b c"),
        ("a\x00b\x1b[2J", "a\\x00b\\x1b[2J"),
        ("naïve 中文", "naïve 中文"),
        ("\udcff", "\\udcff"),
        ("", ""),
    ],
)
def test_one_line(text: str, line: str) -> None:
    assert one_line(text) == line


def test_sentences() -> None:
    assert sentence_of(MaxPoolGradError("a\nb", code="E10001")) == "a b"
    assert sentence_of(PermissionError(13, "Permission denied", "f")) == "f: permission denied"
    assert "out of memory" in sentence_of(MemoryError())
    assert sentence_of(IndexError("x")).startswith("internal error: IndexError: x")


def test_what_onnx_runtime_says_of_a_model() -> None:
    import onnxruntime

    with pytest.raises(Exception, match="ONNXRuntimeError") as caught:
        onnxruntime.InferenceSession(b"no model")
    assert sentence_of(caught.value).startswith("ONNX Runtime refuses the model: ")
