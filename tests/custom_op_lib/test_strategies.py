"""Poolings aimed at one strategy each: the specification's bits on every instruction set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from maxpoolgrad_onnx import _native
from support import Case, same_bits
from support_targets import FAST, drawn, moved, random_case, run


def small_plane_cases(seed: int, count: int) -> Iterator[Case]:
    """Large windows one step apart on planes of up to 17 x 17, any number of them."""
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        height, width = (int(v) for v in rng.integers(1, 18, 2))
        kernel = [int(k) for k in rng.integers(1, 17, 2)]
        attributes: dict[str, Any] = {
            "ksize": [1, 1, *kernel],
            "strides": [1, 1, 1, 1],
            "padding_mode": "CALCULATED",
            "pads": [int(rng.integers(0, kernel[axis // 2])) for axis in range(4)],
            "data_format": "NCHW",
            "global_pooling": 0,
            "ceil_mode": int(rng.random() < 0.5),
        }
        shape = (int(rng.integers(1, 4)), int(rng.integers(1, 7)), height, width)
        yield random_case(f"small{seed}-{index}", rng, attributes, shape)


@pytest.mark.parametrize("target", FAST)
def test_large_windows_on_small_planes(target: str, scale: Callable[[int, int], int]) -> None:
    for case in small_plane_cases(11, scale(400, 20000)):
        found = run(case, target)
        assert same_bits(found, run(case, "scalar")), (case.name, case.attributes, case.orig_input.shape)


def large_windows_of_channels(seed: int, count: int) -> Iterator[Case]:
    """Windows of 4 x 4 and larger one step apart, NHWC; planes that are told in one go and in bands."""
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        kernel = [5, 5] if rng.random() < 0.4 else [int(k) for k in rng.integers(4, 15, 2)]
        height, width = (int(v) for v in rng.integers(1, 60 if rng.random() < 0.2 else 18, 2))
        attributes: dict[str, Any] = {
            "ksize": [1, *kernel, 1],
            "strides": [1, 1, 1, 1],
            "padding_mode": "CALCULATED",
            "pads": [int(rng.integers(0, kernel[axis // 2])) for axis in range(4)],
            "data_format": "NHWC",
            "global_pooling": 0,
            "ceil_mode": int(rng.random() < 0.5),
        }
        shape = (int(rng.integers(1, 3)), height, width, int(rng.choice([8, 12, 16, 31, 32, 40])))
        yield random_case(f"channels{seed}-{index}", rng, attributes, shape)


@pytest.mark.parametrize("target", FAST)
def test_large_windows_of_channels(target: str, scale: Callable[[int, int], int]) -> None:
    for index, case in enumerate(large_windows_of_channels(12, scale(300, 10000))):
        found = run(case, target, threads=1 + index % 3)
        assert same_bits(found, run(case, "scalar")), (case.name, case.attributes, case.orig_input.shape)


def scattered_cases(seed: int, count: int) -> Iterator[Case]:
    """Windows that overlap and are further apart than one; now and then values that differ in their last bits
    only, and several outputs that are not the maxima."""
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        stride = [int(s) for s in rng.integers(2, 8, 2)]
        kernel = [int(min(17, s + rng.integers(1, 10))) for s in stride]
        nchw = rng.random() < 0.5
        channels = int(rng.integers(1, 4) if nchw else rng.choice([1, 2, 3, 8, 16, 17, 40]))
        height, width = (int(v) for v in rng.integers(1, (60, 120)))
        attributes: dict[str, Any] = {
            "ksize": [1, 1, *kernel] if nchw else [1, *kernel, 1],
            "strides": [1, 1, *stride] if nchw else [1, *stride, 1],
            "padding_mode": "CALCULATED",
            "pads": [int(rng.integers(0, kernel[axis // 2])) for axis in range(4)],
            "data_format": "NCHW" if nchw else "NHWC",
            "global_pooling": 0,
            "ceil_mode": int(rng.random() < 0.5),
        }
        shape = (2, channels, height, width) if nchw else (2, height, width // 2 + 1, channels)
        case = random_case(f"scattered{seed}-{index}", rng, attributes, shape)
        yield close_case(case, rng) if rng.random() < 0.4 else case


def close_case(case: Case, rng: np.random.Generator) -> Case:
    """The case with a few or all values replaced by neighbours of 4, and two outputs replaced by such."""
    x, dtype = case.orig_input, case.orig_input.dtype
    close = (4 + rng.integers(0, 4, x.shape) * 4 * np.finfo(dtype).eps).astype(dtype)
    x = np.where(rng.random(x.shape) < rng.choice([0.001, 0.02, 1]), close, x)
    y = np.empty_like(case.orig_output)
    _native.max_pool_v3(case.attributes, x, y, 1)
    if y.size and rng.random() < 0.3:
        y.flat[rng.integers(y.size, size=2)] = rng.choice(close.ravel(), 2)
    return Case(case.name, case.attributes, x, y, case.grad)


@pytest.mark.parametrize("target", FAST)
def test_overlapping_windows_further_apart_than_one(target: str, scale: Callable[[int, int], int]) -> None:
    for index, case in enumerate(scattered_cases(12, scale(300, 20000))):
        found = run(case, target, threads=1 + index % 3)
        assert same_bits(found, run(case, "scalar")), (case.name, case.attributes, case.orig_input.shape)


def few_windows_cases(seed: int, count: int) -> Iterator[Case]:
    """Windows far apart, planes that a window nearly fills, and short rows; now and then in bands."""
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        short = rng.random() < 0.7
        height, width = (int(v) for v in rng.integers(1, 14 if short else 90, 2))
        kernel = [int(k) for k in rng.integers(1, 19, 2)]
        stride = [int(s) for s in rng.integers(1, 9, 2)]
        attributes: dict[str, Any] = {
            "ksize": [1, 1, *kernel],
            "strides": [1, 1, *stride],
            "padding_mode": "CALCULATED",
            "pads": [int(rng.integers(0, 2 * kernel[axis // 2])) for axis in range(4)],
            "data_format": "NCHW",
            "global_pooling": 0,
            "ceil_mode": int(rng.random() < 0.5),
        }
        channels = int(rng.integers(1, 80 if short else 4))
        yield random_case(f"few{seed}-{index}", rng, attributes, (2, channels, height, width))


@pytest.mark.parametrize("target", FAST)
def test_few_windows(target: str, scale: Callable[[int, int], int]) -> None:
    for index, case in enumerate(few_windows_cases(12, scale(400, 20000))):
        found = run(case, target, threads=1 + index % 4)
        assert same_bits(found, run(case, "scalar")), (case.name, case.attributes, case.orig_input.shape)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("target", FAST)
def test_planes_of_one_position(target: str, dtype: Any) -> None:
    for channels, kernel, pad in ((1, 1, 0), (7, 3, 1), (40, 2, 1), (70, 5, 2)):
        case = drawn(channels, (3, channels, 1, 1), kernel, kernel, pad, dtype)
        assert same_bits(run(case, target), run(case, "scalar")), case.name


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("target", FAST)
def test_narrow_planes_of_two_by_two(target: str, dtype: Any) -> None:
    for width in (2, 4, 6, 8, 16, 17, 28, 33, 56, 66, 70):
        for height in (2, 5, 8):
            case = drawn(width * height, (3, 5, height, width), 2, 2, 0, dtype)
            assert same_bits(run(case, target), run(case, "scalar")), case.name


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("target", FAST)
def test_rows_of_windows_that_lie_in_padding(target: str, dtype: Any) -> None:
    for width in (2, 4, 8, 16, 32, 70):
        case = drawn(width, (2, 3, 6, width), 2, 2, 0, dtype, [2, 3, 0, 0])
        assert same_bits(run(case, target), run(case, "scalar")), case.name


def few_channel_cases(seed: int, count: int) -> Iterator[Case]:
    """Windows of 2 x 2 side by side, NHWC, some of whose vectors hold several pixels."""
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        shape = tuple(int(rng.integers(1, most)) for most in (4, 14, 70, 70 if index % 4 == 0 else 33))
        attributes: dict[str, Any] = {
            "ksize": [1, 2, 2, 1],
            "strides": [1, 2, 2, 1],
            "padding_mode": str(rng.choice(["CALCULATED", "SAME", "VALID"])),
            "pads": [0, int(rng.integers(0, 2)), 0, int(rng.integers(0, 2))],
            "data_format": "NHWC",
            "global_pooling": 0,
            "ceil_mode": 0,
        }
        yield random_case(f"few{seed}-{index}", rng, attributes, shape)


@pytest.mark.parametrize("target", FAST)
def test_two_by_two_with_few_channels(target: str, scale: Callable[[int, int], int]) -> None:
    for index, case in enumerate(few_channel_cases(17, scale(400, 20000))):
        elements = index % 19
        out_grad = moved(np.full_like(case.orig_input, 7), elements)
        inputs = (moved(array, elements) for array in case.inputs)
        _native.max_pool_v3_grad(case.attributes, *inputs, out_grad, 1 + index % 3, target)
        assert same_bits(out_grad, run(case, "scalar")), (case.name, case.attributes, case.orig_input.shape)


def narrow_three_cases(seed: int, count: int) -> Iterator[Case]:
    """Windows of 3 x 3 one step apart on rows of one or two vectors; some values that no window may take."""
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        attributes: dict[str, Any] = {
            "ksize": [1, 1, 3, 3],
            "strides": [1, 1, 1, 1],
            "padding_mode": "CALCULATED",
            "pads": [int(rng.integers(0, most)) for most in (3, 3, 2, 3)],
            "data_format": "NCHW",
            "global_pooling": 0,
            "ceil_mode": int(rng.random() < 0.5),
        }
        shape = (int(rng.integers(1, 3)), int(rng.integers(1, 4)), int(rng.integers(3, 60)))
        case = random_case(f"three{seed}-{index}", rng, attributes, (*shape, int(rng.integers(14, 36))))
        kind = rng.integers(6)
        if kind == 0 and case.orig_output.size:
            case.orig_output.flat[rng.integers(case.orig_output.size)] = rng.choice(case.orig_input.ravel())
        elif kind == 1:
            case.orig_output[0, 0] = rng.choice([-np.inf, np.nan, 100.0])
        yield case


@pytest.mark.parametrize("target", FAST)
def test_three_by_three_on_narrow_planes(target: str, scale: Callable[[int, int], int]) -> None:
    for index, case in enumerate(narrow_three_cases(23, scale(400, 20000))):
        found = run(case, target, threads=1 + index % 4)
        assert same_bits(found, run(case, "scalar")), (case.name, case.attributes, case.orig_input.shape)
