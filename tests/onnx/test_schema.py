"""The schema in onnx's registry: the checker and shape inference speak the contract's words.

Registration lasts as long as the process, so everything here runs in processes of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).with_name("run_with_schema.py")


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    run = subprocess.run(
        [sys.executable, str(PROGRAM)], check=False, capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stderr  # also: no hang or crash at exit
    result: dict[str, Any] = json.loads(run.stdout)
    return result


def test_nothing_is_known_before_registration(report: dict[str, Any]) -> None:
    assert report["before"] == {"known": False, "wrong ksize": "accepted"}


def test_both_spellings_are_known_and_twice_is_once(report: dict[str, Any]) -> None:
    assert report["known"] == [True, True]


@pytest.mark.parametrize("spelling", ["MaxPoolV3Grad", "NPUMaxPoolV3Grad"])
def test_a_right_model_passes_and_gets_its_shapes(report: dict[str, Any], spelling: str) -> None:
    assert report["verdicts"][spelling]["right"] == "accepted"
    assert report["inferred"][spelling] == [2, 3, 8, 8]


# What is wrong with the node: the exception's type, and what the sentence must hold.
REFUSED = {
    "attribute of a wrong type": ("ValidationError", ["ksize", "INTS", "STRING", "pool"]),
    "unknown attribute": ("ValidationError", ["dilations", "pool"]),
    "missing attribute": ("ValidationError", ["strides", "missing", "pool"]),
    "two inputs": ("ValidationError", ["input size 2", "pool"]),
    "negative pad": ("MaxPoolGradError", ["'pool'", "pads is [-1, 0, 0, 0]"]),
    "global_pooling 2": ("MaxPoolGradError", ["'pool'", "global_pooling is 2"]),
    "grad of another shape": ("MaxPoolGradError", ["'pool'", "grad", "[2, 3, 4, 5]", "[2, 3, 4, 4]"]),
    "orig_output of another size": ("MaxPoolGradError", ["'pool'", "orig_output", "5", "4"]),
    "dtypes that differ": ("MaxPoolGradError", ["'pool'", "float16", "float32"]),
    "float64": ("MaxPoolGradError", ["'pool'", "float64"]),
    "another declared output": ("InferenceError", ["pool", "(8) vs (7)"]),
}


@pytest.mark.parametrize("spelling", ["MaxPoolV3Grad", "NPUMaxPoolV3Grad"])
@pytest.mark.parametrize("what", REFUSED)
def test_full_check_refuses(report: dict[str, Any], what: str, spelling: str) -> None:
    error, words = REFUSED[what]
    verdict = report["verdicts"][spelling][what]
    assert verdict.startswith(error), verdict
    assert all(word in verdict for word in words), verdict


def test_attributes_by_reference_inside_a_function_are_resolved(report: dict[str, Any]) -> None:
    assert report["function"]["shape"] == [1, 1, 4, 4]
    assert "pads is [-1, 0, 0, 0]" in report["function"]["negative pad"]
