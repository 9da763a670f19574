"""The graph of test_geir_max_pool_v3_grad.cpp, made in Python, converted, saved and run on the host.

python max_pool_v3_grad.py FOLDER             writes .onnx, .air and .om to FOLDER, runs the .om here
python max_pool_v3_grad.py --compare FOLDER   compares what a run on an NPU has left in FOLDER with
                                              the CPU kernel, bit for bit
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters

SHAPE = (2, 20, 19, 30)
POOL: dict[str, Any] = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 2], "pads": [1, 1, 1, 1]}
DTYPES = ("float16", "float32")
SOC_VERSION = "Ascend910B1"

Outcome = tuple[str, bool, str]


def main() -> int:
    """Exit code 0 where every result is right."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--compare", action="store_true", help="compare results that are in the folder")
    arguments = parser.parse_args()
    outcomes = list((compare if arguments.compare else run)(arguments.folder))
    for name, _, words in outcomes:
        print(f"{name:16} {words}")
    if not outcomes:
        print(
            f"{arguments.folder} has no *.out_grad.bin; run test_geir_max_pool_v3_grad first", file=sys.stderr
        )
    return 0 if outcomes and all(right for _, right, _ in outcomes) else 1


def run(folder: Path) -> Iterator[Outcome]:
    """Make, convert and run the graph in both dtypes."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(1)
    for name in DTYPES:
        x = (rng.integers(-32, 32, SHAPE) / 4).astype(name)
        y = mpg.max_pool_v3(x, **POOL)
        grad = (rng.integers(-32, 32, y.shape) / 4).astype(name)
        model = mpg.make_model(SHAPE, dtype=name, **POOL)
        (folder / f"{name}.onnx").write_bytes(model.SerializeToString())
        compiled = converters.compile(model, folder / name, soc_version=SOC_VERSION)
        (out_grad,) = converters.InferSession(0, compiled.om).infer([x, y, grad])
        yield judged(name, out_grad, mpg.max_pool_v3_grad(x, y, grad, **POOL))


def compare(folder: Path) -> Iterator[Outcome]:
    """Compare each result with what the CPU kernel makes of the inputs beside it."""
    for path in sorted(folder.glob("*.out_grad.bin")):
        name = path.name.removesuffix(".out_grad.bin")
        dtype = np.dtype(name.partition("_")[0])
        output_shape = mpg.output_shape(SHAPE, **POOL)
        x = np.fromfile(folder / f"{name}.orig_input.bin", dtype).reshape(SHAPE)
        y = np.fromfile(folder / f"{name}.orig_output.bin", dtype).reshape(output_shape)
        grad = np.fromfile(folder / f"{name}.grad.bin", dtype).reshape(output_shape)
        yield judged(name, np.fromfile(path, dtype), mpg.max_pool_v3_grad(x, y, grad, **POOL))


def judged(name: str, found: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> Outcome:
    """Whether every element is right, and a word about it."""
    if found.size != right.size:
        return name, False, f"has {found.size} elements, not {right.size}"
    wrong = np.flatnonzero(found.ravel() != right.ravel())
    if wrong.size == 0:
        return name, True, "ok"
    place = tuple(int(i) for i in np.unravel_index(wrong[0], right.shape))
    words = f"{wrong.size} of {right.size} elements differ, first at {place}: "
    return name, False, words + f"{found.ravel()[wrong[0]]}, not {right[place]}"


if __name__ == "__main__":
    sys.exit(main())
