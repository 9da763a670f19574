"""Every instruction set that the kernel is compiled for gives the specification's bits."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from maxpoolgrad_onnx import _native, reference
from maxpoolgrad_onnx.arrays import Array
from support import Case, random_cases, same_bits
from support_targets import FAST, SHAPES, drawn, plain, random_case, run, window


def larger_cases(seed: int, count: int) -> Iterator[Case]:
    """Long rows, narrow planes, many channels, windows of the common sizes; values as a network has them."""
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        kernel, stride = window(rng, str(rng.choice(SHAPES)))
        nchw = rng.random() < 0.6
        narrow = nchw and rng.random() < 0.4
        most_channels = 40 if narrow else 6
        channels = int(rng.integers(1, most_channels) if nchw else rng.choice([1, 3, 8, 16, 19, 40, 70]))
        height, width = (int(v) for v in rng.integers(1, 40 if nchw else 14, 2))
        if narrow:
            height, width = height * 8, width % 14 + 1
        else:
            width += int(rng.integers(0, 60))
        shape = (2, channels, height, width) if nchw else (2, height, width, channels)
        pads = (
            [int(rng.integers(0, kernel[axis // 2])) for axis in range(4)] if rng.random() < 0.5 else [0] * 4
        )
        attributes: dict[str, Any] = {
            "ksize": [1, 1, *kernel] if nchw else [1, *kernel, 1],
            "strides": [1, 1, *stride] if nchw else [1, *stride, 1],
            "padding_mode": str(rng.choice(["CALCULATED", "CALCULATED", "SAME", "VALID"])),
            "pads": pads,
            "data_format": "NCHW" if nchw else "NHWC",
            "global_pooling": 0,
            "ceil_mode": 0,
        }
        if attributes["padding_mode"] == "CALCULATED":
            attributes["ceil_mode"] = int(rng.random() < 0.5)
        yield random_case(f"larger{seed}-{index}", rng, attributes, shape)


@pytest.mark.parametrize("target", FAST)
def test_random_cases(target: str, scale: Callable[[int, int], int]) -> None:
    for case in map(plain, random_cases(6, scale(2000, 50000))):
        assert same_bits(run(case, target), run(case, "scalar")), case.name


@pytest.mark.parametrize("target", FAST)
def test_larger_cases(target: str, scale: Callable[[int, int], int]) -> None:
    for index, case in enumerate(larger_cases(7, scale(300, 20000))):
        found = run(case, target, threads=1 + index % 4)
        assert same_bits(found, run(case, "scalar")), (case.name, case.attributes, case.orig_input.shape)


@pytest.mark.parametrize("target", FAST)
def test_values_that_are_no_maxima(target: str) -> None:
    """A column's sum goes to a position that two windows name, with another one's between them."""
    case = drawn(5, (1, 17, 9, 3), 3, 1, 1, np.float32)
    rng = np.random.default_rng(6)
    case.orig_output[...] = rng.integers(-3, 4, case.orig_output.shape)
    case.inputs[2][...] *= np.exp2(rng.integers(-30, 31, case.orig_output.shape))
    assert same_bits(run(case, target), run(case, "scalar"))


def hardly_differing(rng: np.random.Generator, shape: tuple[int, ...], share: float) -> Array:
    """float32 of which `share` of the planes differ in their last bits only, both zeros among them."""
    x = rng.standard_normal(shape).astype(np.float32)
    near = np.float32(1) + rng.integers(0, 40, shape).astype(np.float32) * np.float32(2) ** -23
    near *= rng.choice(np.float32([-1, 1]), (*shape[:2], 1, 1))
    near[rng.random(shape) < 0.3] = rng.choice(np.float32([0, -0.0]))
    return np.where(rng.random((*shape[:2], 1, 1)) < share, near, x)


@pytest.mark.parametrize("share", [0.02, 0.3, 1])
@pytest.mark.parametrize("target", FAST)
def test_values_that_differ_in_their_last_bits(
    target: str, share: float, scale: Callable[[int, int], int]
) -> None:
    for seed in range(scale(30, 1000)):
        rng = np.random.default_rng([seed, 13])
        kernel = [int(k) for k in rng.choice([2, 3, 4, 5, 9, 13], 2)]
        height, width = (int(v) for v in rng.integers(5, 17, 2))
        attributes: dict[str, Any] = {
            "ksize": [1, 1, *kernel],
            "strides": [1, 1, 1, 1],
            "padding_mode": str(rng.choice(["SAME", "CALCULATED"])),
            "pads": [int(rng.integers(0, kernel[axis // 2])) for axis in range(4)],
            "data_format": "NCHW",
            "global_pooling": 0,
            "ceil_mode": 0,
        }
        x = hardly_differing(rng, (2, int(rng.integers(1, 40)), height, width), share)
        size = _native.output_shape(attributes, list(x.shape))
        if min(size) < 1:
            continue
        y = np.empty(size, np.float32)
        _native.max_pool_v3(attributes, x, y, 1)
        if rng.random() < 0.3:
            y.flat[rng.integers(y.size)] = rng.choice(x.ravel())
        case = Case(f"close{seed}", attributes, x, y, rng.standard_normal(size).astype(np.float32))
        assert same_bits(run(case, target), run(case, "scalar")), (case.attributes, x.shape)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("target", FAST)
def test_nan_never_receives(target: str, dtype: Any) -> None:
    """An orig_output of NaN where torch's forward hands NaN on, also from a window of nothing else."""
    for kernel in (3, 5, 9):
        case = drawn(kernel, (5, 4, 13, 13), kernel, 1, kernel // 2, dtype)
        case.orig_input[0], case.orig_output[0] = np.nan, np.nan
        case.orig_input[1, :, 0, 0], case.orig_output[1, :, 0, 0] = np.nan, np.nan
        case.orig_input[2, 1], case.orig_output[2, 1] = np.nan, np.nan
        assert same_bits(run(case, target), run(case, "scalar")), kernel


@pytest.mark.parametrize(
    ("shape", "stride", "pad"),
    [((3, 5, 9, 56), 2, 0), ((2, 3, 10, 113), 2, 1), ((2, 3, 9, 28), 1, 1), ((2, 16, 256, 272), 2, 1)],
)
@pytest.mark.parametrize("target", FAST)
def test_zeros_of_either_sign(target: str, shape: tuple[int, ...], stride: int, pad: int) -> None:
    """Float16, whose bits some strategies compare: no -0, then some from a plane on, then NaN looked for."""
    case = drawn(stride, shape, 3, stride, pad, np.float16)
    case.orig_input[...] = np.maximum(case.orig_input, 0) + np.float16(0)
    _native.max_pool_v3(case.attributes, case.orig_input, case.orig_output, 1)
    assert same_bits(run(case, target), run(case, "scalar"))
    zeros = case.orig_input[-1] == 0
    case.orig_input[-1][zeros & (np.arange(zeros.size).reshape(zeros.shape) % 3 == 0)] = -0.0
    assert same_bits(run(case, target), run(case, "scalar"))
    case.orig_input[case.orig_input == 0] = 0.0
    case.orig_output.ravel()[::7] = -0.0
    case.orig_output.ravel()[::5] = np.nan
    assert same_bits(run(case, target), run(case, "scalar"))


def test_scalar_is_the_specification() -> None:
    for case in map(plain, random_cases(8, 100)):
        assert same_bits(run(case, "scalar"), reference.max_pool_v3_grad(*case.inputs, **case.attributes))


def chosen(value: str) -> str:
    code = "from maxpoolgrad_onnx import _native; print(_native.cpu_target())"
    environment = os.environ | {"MAXPOOLGRAD_CPU_TARGET": value}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    )
    return done.stdout.strip()


def test_the_environment_chooses() -> None:
    assert [chosen(target) for target in _native.cpu_targets()] == _native.cpu_targets()


def test_the_best_target_serves_where_the_environment_names_none() -> None:
    assert chosen("") == chosen("sse9") == FAST[-1]


def test_an_unknown_target_is_refused() -> None:
    case = plain(next(random_cases(9, 1)))
    with pytest.raises(ValueError, match="no target of that name"):
        run(case, "sse9")
