"""The operator's named cases, as calls with the bits that they give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from support import Case

CASES = json.loads((Path(__file__).parent / "cases" / "operator.json").read_text("utf-8"))
"""All of them as the file has them: "cases" are legal calls, the others are refused."""


def named_cases() -> list[tuple[Case, Array]]:
    """The legal calls, each with its out_grad."""
    return [_case(entry) for entry in CASES["cases"]]


def _case(entry: dict[str, Any]) -> tuple[Case, Array]:
    shape, pooled, dtype = entry["shape"], entry["output_shape"], entry["dtype"]
    x = _array(entry["orig_input"], shape, dtype)
    y = _array(entry["orig_output"], pooled, dtype)
    g = _array(entry["grad"], pooled, dtype)
    return Case(entry["name"], entry["attributes"], x, y, g), _array(entry["out_grad"], shape, dtype)


def _array(values: list[float | str], shape: list[int], dtype: str) -> Array:
    return np.array([float(value) for value in values], dtype).reshape(shape)
