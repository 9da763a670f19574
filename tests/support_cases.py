"""The operator's named cases, as calls with the bits that they give."""

from __future__ import annotations

import json

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.plugin import cases
from support import Case

CASES = json.loads(cases.FILE.read_text("utf-8"))
"""All of them as the file has them: "cases" are legal calls, the others are refused."""


def named_cases() -> list[tuple[Case, Array]]:
    """The legal calls, each with its out_grad."""
    return [(Case(case.name, case.attributes, *case.inputs), case.out_grad) for case in cases.named_cases()]
