"""Run as a program by an environment with maxpoolgrad installed: once from ONNX to an .om that runs.

python run_installed.py FORWARD.onnx FEEDS.npz works in the current folder and prints a line of JSON: where
the package came from and which versions it met. The first thing that is not as it should be ends it with a
traceback.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import onnx

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.gradient import initial_state

ATTRIBUTES = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 2], "ceil_mode": True}


def check_operator() -> None:
    """Native kernel, reference, ONNX Runtime, reference evaluator and function body agree."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, 2, 7, 6)).astype(np.float16)
    y = mpg.max_pool_v3(x, **ATTRIBUTES)
    arrays = {"orig_input": x, "orig_output": y, "grad": y + 1}
    expected = mpg.reference.max_pool_v3_grad(*arrays.values(), **ATTRIBUTES)
    model = mpg.make_model(x.shape, dtype="float16", **ATTRIBUTES)
    mpg.register_schema()
    onnx.checker.check_model(model, full_check=True)
    evaluator = onnx.reference.ReferenceEvaluator(model, new_ops=[mpg.ReferenceOp])
    results = {
        "native": mpg.max_pool_v3_grad(*arrays.values(), **ATTRIBUTES),
        "library": mpg.inference_session(model).run(None, arrays)[0],
        "function": mpg.inference_session(mpg.embed_function(model)).run(None, arrays)[0],
        "evaluator": evaluator.run(None, arrays)[0],
    }
    for name, result in results.items():
        assert np.array_equal(result, expected), name


def check_road(forward: Path, feeds: dict[str, np.ndarray]) -> None:
    """The step in ONNX Runtime and the .om on the host give the same bits."""
    step = mpg.add_training_step(str(forward))
    assert mpg.check(step) == []
    feeds = {**feeds, **initial_state(str(forward), step), "learning_rate": np.array(0.1, np.float32)}
    expected = mpg.inference_session(step).run(None, feeds)
    converters.compile(step, "step", soc_version="Ascend910B1")
    for path in ("step.om", "step.air"):
        for a, b in zip(converters.InferSession(0, path).infer(feeds), expected, strict=True):
            assert np.array_equal(a, b), path


def main(forward: Path, feeds: Path) -> None:
    check_operator()
    with np.load(feeds) as arrays:
        check_road(forward, dict(arrays))
    packages = {name: version(name) for name in ("numpy", "onnx", "onnxruntime", "protobuf")}
    print(json.dumps({"package": mpg.__file__, **packages}))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
