"""Running models in ONNX Runtime alone, in a process that loads neither the package nor its library."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from maxpoolgrad_onnx.arrays import Array

RUNNER = Path(__file__).parent / "onnx" / "run_without_library.py"


def run_alone(
    folder: Path, models: Iterable[tuple[onnx.ModelProto, dict[str, Array]]], python: str = sys.executable
) -> list[Array]:
    """First outputs of the models, run by that Python's ONNX Runtime; one process for all of them."""
    count = 0
    for model, feeds in models:
        arrays: Any = feeds
        onnx.save(model, folder / f"{count}.onnx")
        np.savez(folder / f"{count}.npz", **arrays)
        count += 1
    run = subprocess.run([python, str(RUNNER), str(folder)], check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return [np.load(folder / f"{index}.out.npy") for index in range(count)]
