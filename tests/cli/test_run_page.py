"""docs/run.md: its Python runs, its commands work, its flags are those of the commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.cli.run import command

PAGE = (Path(__file__).parents[2] / "docs" / "run.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """pool.om and step.om, and a file for each input under both of its names."""
    monkeypatch.chdir(tmp_path)
    assert main(["make", "pool.onnx", "--shape", "2,1,4,4", "--ksize", "2"]) == 0
    for name in ("pool", "step"):
        words = ["--framework=5", "--model=pool.onnx", f"--output={name}", "--soc_version=Ascend910B1"]
        assert main(["atc", *words]) == 0
    shapes = {"x": [2, 1, 4, 4], "y": [2, 1, 2, 2], "g": [2, 1, 2, 2]}
    for (short, shape), name in zip(shapes.items(), ("orig_input", "orig_output", "grad"), strict=True):
        for stem in (short, name):
            np.save(f"{stem}.npy", np.zeros(shape, np.float32))
    return tmp_path


def test_python_runs() -> None:
    for code in blocks("python"):
        exec(compile(code, "run.md", "exec"), {})


def test_commands_work() -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    assert len(lines) == 6
    for line in lines:
        assert main(shlex.split(line, comments=True)[1:]) == 0, line
    assert Path("step.html").is_file()
    assert list(Path("results").glob("*_summary.json"))


def test_flags_are_those_of_the_command() -> None:
    (section,) = re.findall(r"## maxpoolgrad run\n(.*?)\n## ", PAGE, re.DOTALL)
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    documented = {flag for row in rows for flag in re.findall(r"`(--?\w+)`", row)}
    flags = {flag for option in command.params for flag in option.opts if flag.startswith("-")}
    assert documented <= flags
    shown = {
        option.opts[0]
        for option in command.params
        if option.opts[0].startswith("-") and not getattr(option, "hidden", False)
    }
    assert shown <= documented
