"""The oracle against the native kernel: values, forward operator, sizes and refusals."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import reference
from support import Case, random_case, random_cases, same_bits


def test_native_has_the_references_bits(scale: Callable[[int, int], int]) -> None:
    for case in random_cases(101, scale(1500, 10000)):
        expected = reference.max_pool_v3_grad(*case.inputs, **case.attributes)
        assert same_bits(mpg.max_pool_v3_grad(*case.inputs, **case.attributes), expected), case.name


def test_forward_and_its_shape_agree(scale: Callable[[int, int], int]) -> None:
    for case in random_cases(102, scale(800, 10000)):
        pooled = reference.max_pool_v3(case.orig_input, **case.attributes)
        assert same_bits(mpg.max_pool_v3(case.orig_input, **case.attributes), pooled), case.name
        assert mpg.output_shape(case.orig_input.shape, **case.attributes) == pooled.shape
        assert reference.output_shape(case.orig_input.shape, **case.attributes) == pooled.shape


def test_one_axis_geometry_exhaustively() -> None:
    """Both state the same legal sizes for all small axes: what one takes and refuses, the other does."""
    legal = 0
    for size in range(8):
        for kernel in range(1, 5):
            for stride in range(1, 5):
                for begin in range(3):
                    for end in range(3):
                        for ceil_mode in (False, True):
                            legal += _compare_axis(size, kernel, stride, begin, end, ceil_mode)
    assert legal == 8 * 4 * 4 * 9 * 2


def _compare_axis(size: int, kernel: int, stride: int, begin: int, end: int, ceil_mode: bool) -> bool:
    attributes: dict[str, Any] = {
        "ksize": [1, 1, 1, kernel],
        "strides": [1, 1, 1, stride],
        "pads": [0, 0, begin, end],
        "ceil_mode": ceil_mode,
    }
    legal = {shape[3] for shape in reference.legal_output_shapes([1, 1, 1, size], **attributes)}
    x = np.zeros((1, 1, 1, size), np.float32)
    for output in range(max(legal) + 2):
        y = np.zeros((1, 1, 1, output), np.float32)
        assert _refuses(mpg.max_pool_v3_grad, (x, y, y), attributes) == (output not in legal)
    return mpg.output_shape(x.shape, **attributes)[3] in legal


def test_refusals_agree(scale: Callable[[int, int], int]) -> None:
    """Random damage to random cases: the native operator and the oracle refuse the same calls."""
    refused = 0
    for index in range(scale(600, 6000)):
        case = _damaged(random_case(103, index), np.random.default_rng([104, index]))
        verdicts = [
            _refuses(operator, case.inputs, case.attributes)
            for operator in (mpg.max_pool_v3_grad, reference.max_pool_v3_grad)
        ]
        assert verdicts[0] == verdicts[1], (index, case.attributes, [a.shape for a in case.inputs], verdicts)
        refused += verdicts[0]
    assert refused > scale(300, 3000)


@np.errstate(invalid="ignore")
def _damaged(case: Case, rng: np.random.Generator) -> Case:
    attributes = dict(case.attributes)
    name = str(rng.choice([*attributes, "none"]))
    if name in ("ksize", "strides", "pads"):
        values = list(attributes[name])
        values[rng.integers(4)] = int(rng.choice([-1, 0, 1, 2, 63, 64, 255, 256, 2**31, 2**62]))
        attributes[name] = values[: rng.choice([3, 4, 4, 4])]
    elif name in ("global_pooling", "ceil_mode"):
        attributes[name] = not attributes[name]
    elif name == "padding_mode":
        attributes[name] = str(rng.choice(["SAME", "VALID", "CALCULATED", "SAME_UPPER", ""]))
    elif name == "data_format":
        attributes[name] = str(rng.choice(["NCHW", "NHWC", "ND", "nhwc"]))
    arrays = list(case.inputs)
    if name == "none" or rng.random() < 0.2:
        which = int(rng.integers(3))
        change = rng.integers(3)
        if change == 0:
            arrays[which] = arrays[which].astype(str(rng.choice(["float16", "float32", "float64", "int32"])))
        elif change == 1:
            arrays[which] = arrays[which][0] if len(arrays[which]) else arrays[which][None]
        else:
            shape = list(arrays[which].shape)
            shape[rng.integers(4)] += 1
            arrays[which] = np.zeros(shape, arrays[which].dtype)
    return Case(case.name, attributes, *arrays)


def _refuses(operator: Callable[..., Any], inputs: tuple[Any, ...], attributes: dict[str, Any]) -> bool:
    try:
        operator(*inputs, **attributes)
    except mpg.MaxPoolGradError:
        return True
    return False


@pytest.mark.parametrize("name", ["max_pool_v3_grad", "max_pool_v3", "output_shape"])
def test_signatures_are_the_public_ones(name: str) -> None:
    """But for `out`, which saves memory: the oracle has none to save."""
    public, oracle = (inspect.signature(getattr(home, name)) for home in (mpg, reference))
    parameters = [parameter for parameter in public.parameters.values() if parameter.name != "out"]
    assert [parameter.name for parameter in parameters] == list(oracle.parameters)
    for parameter in parameters:
        assert oracle.parameters[parameter.name].default == parameter.default
        assert oracle.parameters[parameter.name].kind == parameter.kind


@pytest.mark.parametrize("threads", [-1, 2**31, 1.5, "2"])
def test_a_number_of_threads_that_is_none(threads: Any) -> None:
    x = np.zeros((1, 1, 2, 2), np.float32)
    window = {"ksize": (1, 1, 1, 1), "strides": (1, 1, 1, 1)}
    with pytest.raises(mpg.MaxPoolGradError, match=r"threads is .*; it must be an int, 0 \(as many"):
        mpg.max_pool_v3_grad(x, x, x, **window, threads=threads)
    assert mpg.max_pool_v3(x, **window, threads=np.int64(1)).shape == x.shape


def test_the_oracle_never_reaches_the_native_code() -> None:
    source = inspect.getsource(reference)
    imported = {line for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert {line for line in imported if "from ." in line} == {"from .errors import MaxPoolGradError"}
