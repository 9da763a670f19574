"""The text around atc's work: what parsers of its output look for."""

from __future__ import annotations

import os
import re
from datetime import datetime

import pytest

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.codes import CODES
from maxpoolgrad_onnx.converters.atc.command_line import FlagError
from maxpoolgrad_onnx.converters.atc.frame import error_text

_NOW = datetime(2026, 3, 9, 8, 7, 6, 5004)


def test_an_error_with_a_code() -> None:
    lines = error_text(MaxPoolGradError("--mode is '9'; allowed is 0", code="E10001"), _NOW).splitlines()
    stamp = "2026-03-09-08:07:06.005.004"
    assert lines == [
        f"[PID: {os.getpid()}] {stamp} Invalid_Argument(E10001): --mode is '9'; allowed is 0",
        f"        Possible Cause: {CODES['E10001'].cause}",
        f"        Solution: {CODES['E10001'].solution}",
    ]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MaxPoolGradError("no code"), "E19999"),
        (MaxPoolGradError("unknown code", code="E0"), "E19999"),
        (KeyError("bug"), "E19999"),
        (FileNotFoundError(2, "No such file or directory", "x.onnx"), "E13026"),
    ],
)
def test_an_error_without_a_code_of_atcs(error: Exception, code: str) -> None:
    assert re.search(rf"^\[PID: \d+\] \S+ \w+\({code}\): ", error_text(error))


def test_a_flag_error_has_no_code() -> None:
    assert error_text(FlagError("unknown command line flag 'x'")) == "ERROR: unknown command line flag 'x'"


def test_a_message_stays_on_one_line_and_steers_no_terminal() -> None:
    text = error_text(MaxPoolGradError("node 'a\nb\x1b[31m'", code="E13014"), _NOW)
    assert len(text.splitlines()) == 3
    assert "a b\\x1b[31m" in text
