"""The library and the function body in every supported ONNX Runtime, each in an environment of its own.

The environments hold ONNX Runtime and NumPy, nothing of this project: models and expected values are made
here, the library is loaded by its path.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.gradient_functions import GRADIENTS
from support import Case, random_cases, same_bits
from support_alone import run_alone
from support_compat import THIS_PYTHON, Release, for_this_python, python_of
from support_ort import INPUTS, TWO_BY_TWO, TWO_BY_TWO_SHAPES, model_of, op_model, outputs_of, tensor_type
from support_step import forward_model

RUNNER = Path(__file__).with_name("run_with_library.py")
NEWEST = Release(onnxruntime.__version__, np.__version__, ())

ONE_WINDOW = np.ones(TWO_BY_TWO_SHAPES[0], np.float32)
F16, F32, F64 = TensorProto.FLOAT16, TensorProto.FLOAT, TensorProto.DOUBLE
REFUSED_TYPES = {
    (F64, F64, F64): "the dtype of orig_input is float64; allowed are float16 and float32",
    (TensorProto.INT32,) * 3: "the dtype of orig_input is int32; allowed are float16 and float32",
    (TensorProto.BFLOAT16,) * 3: "the dtype of orig_input is bfloat16; allowed are float16 and float32",
    (
        F32,
        F16,
        F32,
    ): "the dtype of orig_output is float16, that of orig_input is float32; all inputs must have",
    (F16, F16, F32): "the dtype of grad is float32, that of orig_input is float16; all inputs must have one",
    (F16, F16, F64): "the dtype of grad is float64; allowed are float16 and float32",
}
REFUSED_ATTRIBUTES: list[tuple[dict[str, Any], str]] = [
    ({"ksize": [1, 1, 2, 2]}, "attribute strides is missing; it is required, a list of ints"),
    ({**TWO_BY_TWO, "ksize": 2}, "ksize is 2; it must be a list of ints"),
    ({**TWO_BY_TWO, "pads": [0.5, 0.0, 0.0, 0.0]}, "pads is [0.5, 0.0, 0.0, 0.0]; it must be a list of ints"),
    ({**TWO_BY_TWO, "padding_mode": ["SAME"]}, "padding_mode is of another type; it must be a string"),
    ({**TWO_BY_TWO, "data_format": "HWCN"}, "data_format is 'HWCN'; allowed are 'NCHW' and 'NHWC'"),
    ({**TWO_BY_TWO, "ceil_mode": 2}, "ceil_mode is 2; allowed are 0 and 1"),
]
REFUSED_SHAPES = {
    ((1, 1, 4, 4), (1, 1, 3, 2), (1, 1, 3, 2)): "height of orig_output is 3; for height 4 of orig_input",
    ((1, 1, 4, 4), (1, 1, 2, 2), (1, 1, 2, 3)): "the shape of grad is [1, 1, 2, 3]; it must be that of",
    (
        (1, 4, 4),
        (1, 1, 2, 2),
        (1, 1, 2, 2),
    ): "the shape of orig_input is [1, 4, 4]; it must have 4 dimensions",
    ((2, 1, 4, 4), (1, 1, 2, 2), (1, 1, 2, 2)): "the shape of orig_output is [1, 1, 2, 2]; its N must be",
}


def releases() -> list[Any]:
    return [pytest.param(release, id=release.name) for release in (*for_this_python(), NEWEST)]


def interpreter_of(release: Release) -> Path:
    return Path(sys.executable) if release is NEWEST else python_of(release)


def attributes_of(case: Case) -> dict[str, Any]:
    return {name: int(v) if isinstance(v, bool) else v for name, v in case.attributes.items()}


def case_model(case: Case, *, known_shapes: bool) -> onnx.ModelProto:
    shapes = [array.shape if known_shapes else [None] * 4 for array in case.inputs]
    types = [tensor_type(array.dtype) for array in case.inputs]
    return op_model(attributes_of(case), shapes=shapes, types=types)


def hidden_model(type_: int) -> onnx.ModelProto:
    """A model whose operator's output has no declared type: it must be inferred."""
    op = helper.make_node("MaxPoolV3Grad", INPUTS, ["hidden"], name="pool", domain="npu", **TWO_BY_TWO)
    cast = helper.make_node("Cast", ["hidden"], ["out"], to=TensorProto.FLOAT)
    inputs = [
        helper.make_tensor_value_info(n, type_, s) for n, s in zip(INPUTS, TWO_BY_TWO_SHAPES, strict=True)
    ]
    return model_of([op, cast], inputs, [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)])


def filter_model() -> onnx.ModelProto:
    """A model that convolves with the operator's output, of which no size is known."""
    op = helper.make_node("MaxPoolV3Grad", INPUTS, ["hidden"], name="pool", domain="npu", **TWO_BY_TWO)
    ones = helper.make_node("Constant", [], ["image"], value=numpy_helper.from_array(ONE_WINDOW))
    conv = helper.make_node("Conv", ["image", "hidden"], ["out"])
    inputs = [helper.make_tensor_value_info(name, F32, [None] * 4) for name in INPUTS]
    return model_of([op, ones, conv], inputs, [helper.make_tensor_value_info("out", F32, None)])


def large_case() -> Case:
    """One plane that is cut into bands for the threads of ONNX Runtime's pool."""
    rng = np.random.default_rng(1)
    attributes = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 2], "ceil_mode": True}
    x = np.maximum(rng.standard_normal((1, 2, 300, 200)), 0).astype(np.float32)
    y = mpg.max_pool_v3(x, **attributes)
    return Case("large", attributes, x, y, rng.standard_normal(y.shape).astype(np.float32))


def write_values(folder: Path, count: int) -> int:
    cases = [large_case(), *random_cases(seed=21, count=count)]
    entries: list[tuple[onnx.ModelProto, dict[str, np.ndarray], np.ndarray]] = []
    for index, case in enumerate(cases):
        expected = mpg.max_pool_v3_grad(*case.inputs, **case.attributes)
        entries.append((case_model(case, known_shapes=index % 2 == 0), case.feeds, expected))
    for type_, dtype in ((F16, np.float16), (F32, np.float32)):
        ones = [np.ones(shape, dtype) for shape in TWO_BY_TWO_SHAPES]
        out_grad = mpg.max_pool_v3_grad(*ones, **TWO_BY_TWO).astype(np.float32)
        entries.append((hidden_model(type_), dict(zip(INPUTS, ones, strict=True)), out_grad))
    entries.append((filter_model(), dict(zip(INPUTS, ones, strict=True)), out_grad.sum(keepdims=True)))
    for index, (model, feeds, expected) in enumerate(entries):
        write(folder, index, model, feeds, expected=expected)
    return len(entries)


def write_sentences(folder: Path, first: int) -> int:
    refused: list[tuple[onnx.ModelProto, Sequence[Sequence[int]], str]] = []
    for types, sentence in REFUSED_TYPES.items():
        model = op_model(TWO_BY_TWO, types=types, shapes=TWO_BY_TWO_SHAPES)
        refused.append((model, TWO_BY_TWO_SHAPES, sentence))
    for attributes, sentence in REFUSED_ATTRIBUTES:
        refused.append((op_model(attributes), TWO_BY_TWO_SHAPES, sentence))
    for shapes, sentence in REFUSED_SHAPES.items():
        refused.append((op_model(TWO_BY_TWO, shapes=shapes), shapes, sentence))
        refused.append((op_model(TWO_BY_TWO), shapes, sentence))  # known when it runs
    for index, (model, shapes, sentence) in enumerate(refused, first):
        arrays = [np.zeros(shape, np.float32) for shape in shapes]
        feeds = dict(zip(INPUTS, arrays, strict=True))
        write(folder, index, model, feeds, sentence=np.array(f"MaxPoolV3Grad node 'pool': {sentence}"))
    return len(refused)


def write(
    folder: Path, index: int, model: onnx.ModelProto, feeds: dict[str, np.ndarray], **more: np.ndarray
) -> None:
    onnx.save(model, folder / f"{index}.onnx")
    np.savez(folder / f"{index}.npz", **feeds, **more)


def run(release: Release, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(interpreter_of(release)), str(RUNNER), mpg.get_library_path(), str(folder)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.mark.parametrize("release", releases())
def test_library(release: Release, tmp_path: Path, scale: Callable[[int, int], int]) -> None:
    values = write_values(tmp_path, scale(60, 2000))
    sentences = write_sentences(tmp_path, values)
    done = run(release, tmp_path)
    assert done.returncode == 0, done.stderr
    versions = {"onnxruntime": release.onnxruntime, "numpy": release.numpy}
    assert json.loads(done.stdout) == {**versions, "values": values, "sentences": sentences}


@pytest.mark.parametrize("release", releases())
def test_function_body(release: Release, tmp_path: Path, scale: Callable[[int, int], int]) -> None:
    cases = list(random_cases(seed=22, count=scale(40, 500)))
    models = [
        mpg.embed_function(case_model(case, known_shapes=bool(index % 2))) for index, case in enumerate(cases)
    ]
    python = str(interpreter_of(release))
    results = run_alone(tmp_path, zip(models, (case.feeds for case in cases), strict=True), python)
    for case, out_grad in zip(cases, results, strict=True):
        assert same_bits(out_grad, mpg.max_pool_v3_grad(*case.inputs, **case.attributes)), case.name


STEP = """c = Conv <pads = [1, 1, 1, 1]> (x, k, b) r = Relu (c) d = Conv <strides = [2, 2]> (r, l)
n, o, p = BatchNormalization <training_mode = 1> (d, s, t, m, v) e = Conv (n, q, u)
y = BatchNormalization (e, s, t, w, g) z = GlobalAveragePool (y) f = Flatten (z) logits = MatMul (f, head)"""


def step_and_feeds() -> tuple[onnx.ModelProto, dict[str, np.ndarray]]:
    """A step in which every gradient with a function body is, functions that call functions too."""
    rng = np.random.default_rng(23)
    shapes = {"k": (4, 3, 3, 3), "b": (4,), "l": (5, 4, 3, 3), "q": (5, 5, 2, 2), "u": (5,), "head": (5, 4)}
    shapes |= dict.fromkeys("stmvwg", (5,))
    weights = {name: rng.uniform(0.2, 1, shape).astype(np.float32) for name, shape in shapes.items()}
    step = mpg.add_training_step(forward_model(STEP, weights, inputs="float[2,3,9,9] x"), outputs="grads")
    x = rng.standard_normal((2, 3, 9, 9)).astype(np.float32)
    given = {**weights, "x": x, "labels": np.array([1, 3])}
    return step, {value.name: given[value.name] for value in step.graph.input}


@pytest.mark.parametrize("release", releases())
def test_gradients_with_function_bodies(release: Release, tmp_path: Path) -> None:
    step, feeds = step_and_feeds()
    assert {function.name for function in step.functions if function.domain == mpg.DOMAIN} == set(GRADIENTS)
    models = []
    for output in step.graph.output:
        model = onnx.ModelProto()
        model.CopyFrom(step)
        del model.graph.output[:]
        model.graph.output.append(output)
        models.append(model)
    results = run_alone(tmp_path, ((model, feeds) for model in models), str(interpreter_of(release)))
    for (name, wanted), found in zip(outputs_of(step, feeds).items(), results, strict=True):
        atol = 1e-5 * max(np.abs(wanted).max(), 1)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=atol, err_msg=name)


def test_python_has_the_oldest_release_that_exists_for_it() -> None:
    versions = [release.onnxruntime for release in for_this_python()]
    oldest = [] if THIS_PYTHON >= (3, 13) else ["1.17.3"]
    assert versions == [*oldest, "1.20.1", "1.24.4", "1.30.0"]
