"""docs/atc.md against the table of flags, the failures that are explained, and the commands that it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.atc import failures, request
from maxpoolgrad_onnx.converters.atc.command_line import split
from maxpoolgrad_onnx.converters.atc.dynamic import FLAGS as DYNAMIC
from maxpoolgrad_onnx.converters.atc.flags import BY_NAME, FLAGS
from maxpoolgrad_onnx.converters.atc.request import read_request
from maxpoolgrad_onnx.converters.profiles import profiled_model
from support_convert import onnx_model

PAGE = (Path(__file__).parents[2] / "docs" / "atc.md").read_text(encoding="utf-8")


def rows(title: str) -> list[list[str]]:
    """The cells of the first table below a heading."""
    table = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_flag_is_there_in_order_with_its_default() -> None:
    table = rows("Flags")
    assert [row[0] for row in table] == [f"`--{flag.name}`" for flag in FLAGS]
    for name, default, _ in table:
        flag = BY_NAME[name.strip("`-")]
        has_none = isinstance(flag.default, bool) or flag.default in ("", -1)
        assert default == ("" if has_none else f"`{flag.default}`"), name


def test_every_value_that_the_embedded_compiler_takes_is_there() -> None:
    for name, _, meaning in rows("Flags"):
        flag = BY_NAME[name.strip("`-")]
        values = set(flag.embedded or flag.choices) - {"0", str(flag.default)}
        assert {value for value in values if f"`{value}`" not in meaning} == set(), name


def test_every_precision_is_there() -> None:
    told = set(re.findall(r"`(\w+)`", " ".join(row[0] for row in rows("Precision"))))
    assert told == set(request._PRECISIONS)
    embedded = {*BY_NAME["precision_mode"].embedded, *BY_NAME["precision_mode_v2"].embedded}
    assert told == embedded


def test_every_failure_that_is_explained_is_there() -> None:
    told = set(re.findall(r"E\w?\d{4,5}", " ".join(row[0] for row in rows("When an installed atc fails"))))
    assert told == failures.CODES


def test_its_commands_are_understood() -> None:
    text = PAGE.replace("\\\n", " ")
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).splitlines()
    commands = [shlex.split(line)[2:] for line in blocks if line.startswith("maxpoolgrad atc ")]
    assert len(commands) == 2
    for words in commands:
        read_request(split(words))


def test_its_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    weight = np.random.default_rng(0).standard_normal((3, 64)).astype(np.float32)
    forward = onnx_model(
        "f = Flatten(image) logits = Gemm<transB=1>(f, w)",
        "float[N,1,8,8] image",
        "float[N,3] logits",
        {"w": weight},
    )
    onnx.save(mpg.add_training_step(forward), tmp_path / "step.onnx")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "atc.md", "exec"), {})
    model = profiled_model(converters.load("step.om"))
    assert model is not None
    assert str(model.profiles) == "8,16"


def test_the_flags_of_profiles_are_in_the_table() -> None:
    assert set(DYNAMIC) <= set(BY_NAME)
