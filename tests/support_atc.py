"""Runs of atc's command line on the embedded backend, in this process."""

from __future__ import annotations

import io
import re
from pathlib import Path

from maxpoolgrad_onnx.converters.atc.front_end import run

START = "ATC start working now, please wait for a moment."
SUCCESS = "ATC run success, welcome to the next use."
FAILURE = "ATC run failed, Please check the detail log, Try 'atc --help' for more information"

POOL = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}


def atc(*words: object) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    code = run([str(word) for word in words], stdout, stderr)
    return code, stdout.getvalue(), stderr.getvalue()


def refused(*words: object) -> tuple[str, str]:
    """Code and sentence of a run that fails."""
    code, out, err = atc(*words)
    assert code == 1
    assert out.splitlines() == [START, FAILURE]
    lines = err.splitlines()
    head = re.fullmatch(r"\[PID: \d+\] \d{4}(-\d\d){3}(:\d\d){2}\.\d{3}\.\d{3} \w+\((\w+)\): (.+)", lines[0])
    assert head, err
    assert [line.strip().partition(":")[0] for line in lines[1:]] == ["Possible Cause", "Solution"]
    return head[3], head[4]


def whole(model: Path, output: Path, *more: object) -> list[object]:
    words = ["--framework=5", f"--model={model}", f"--output={output}", "--soc_version=Ascend910B1"]
    return [*words, *more]
