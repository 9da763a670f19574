"""ONNX nodes, and the operators of GE that come of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


def floats(*shape: int, seed: int = 7) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def ints(*values: int) -> np.ndarray[Any, Any]:
    return np.array(values, np.int64)


@dataclass(frozen=True)
class Case:
    """ONNX nodes, the graph's ends, the GE operators that come of them, and some of their attributes."""

    nodes: str
    ge_types: str
    inputs: str = "float[2,3,8,8] x"
    outputs: str = "float[a,b,c,d] y"
    weights: dict[str, Any] = field(default_factory=dict)
    opset: int = 18
    attributes: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.nodes}@{self.opset}"


ROW, MATRIX = "float[4,6] x", "float[a,b] y"
