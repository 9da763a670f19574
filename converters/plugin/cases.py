"""The operator's named cases, which every implementation gives the same bits for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from maxpoolgrad_onnx.arrays import Array

from .project import PROJECT

FILE = PROJECT / "tests" / "cases" / "operator.json"


@dataclass(frozen=True)
class NamedCase:
    """A call and its result: arrays in the attributes' data_format, all of one dtype."""

    name: str
    attributes: dict[str, Any]
    orig_input: Array
    orig_output: Array
    grad: Array
    out_grad: Array

    @property
    def inputs(self) -> tuple[Array, Array, Array]:
        """In the operator's order."""
        return self.orig_input, self.orig_output, self.grad


def named_cases() -> list[NamedCase]:
    """All legal ones, in the file's order."""
    return [_case(entry) for entry in json.loads(FILE.read_text("utf-8"))["cases"]]


def _case(entry: dict[str, Any]) -> NamedCase:
    shape, pooled = entry["shape"], entry["output_shape"]

    def array(name: str, dims: list[int]) -> Array:
        return np.array([float(value) for value in entry[name]], entry["dtype"]).reshape(dims)

    x, y, g = array("orig_input", shape), array("orig_output", pooled), array("grad", pooled)
    return NamedCase(entry["name"], entry["attributes"], x, y, g, array("out_grad", shape))
