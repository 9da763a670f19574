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

FAST = [target for target in _native.cpu_targets() if target != "scalar"]
SHAPES = ["3x3", "2x2", "5x5", "13x13", "7x3", "1x1", "2x9", "mixed"]


def run(case: Case, target: str, threads: int = 1) -> Array:
    out_grad = np.full_like(case.orig_input, 7)
    _native.max_pool_v3_grad(case.attributes, *case.inputs, out_grad, threads, target)
    return out_grad


def plain(case: Case) -> Case:
    """The case as the native code takes it."""
    numbers = {"global_pooling": 0, "ceil_mode": int(case.attributes["ceil_mode"])}
    return Case(case.name, case.attributes | numbers, *(np.ascontiguousarray(a) for a in case.inputs))


def window(rng: np.random.Generator, kind: str) -> tuple[list[int], list[int]]:
    if kind == "mixed":
        return [int(k) for k in rng.integers(1, 18, 2)], [int(s) for s in rng.integers(1, 8, 2)]
    kernel = [int(k) for k in kind.split("x")]
    return kernel, [int(s) for s in rng.choice([1, 1, 2, 2, 3, 4, 6], 1).repeat(2)]


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


def random_case(
    name: str, rng: np.random.Generator, attributes: dict[str, Any], shape: tuple[int, ...]
) -> Case:
    """A case of either dtype; now and then an orig_output that is not the maximum."""
    dtype = np.float16 if rng.random() < 0.5 else np.float32
    x = values(rng, shape, dtype)
    y = np.empty(_native.output_shape(attributes, list(shape)), dtype)
    _native.max_pool_v3(attributes, x, y, 1)
    if rng.random() < 0.15 and y.size:
        y.flat[rng.integers(y.size)] = rng.choice([np.nan, -np.inf, np.inf, 0.0, 1.0, -1.0])
    grad = (rng.standard_normal(y.shape) * np.exp2(rng.integers(-8, 9, y.shape))).astype(dtype)
    return Case(name, attributes, x, y, grad)


def values(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Array:
    x = rng.standard_normal(shape)
    kind = rng.integers(4)
    if kind == 0:
        x = np.maximum(x, 0)
    elif kind == 1:
        x = np.round(x)
    elif kind == 2:
        x[rng.random(shape) < 0.05] = rng.choice([np.nan, np.inf, -np.inf, -0.0])
    return x.astype(dtype)


@pytest.mark.parametrize("target", FAST)
def test_random_cases(target: str, scale: Callable[[int, int], int]) -> None:
    for case in map(plain, random_cases(6, scale(2000, 50000))):
        assert same_bits(run(case, target), run(case, "scalar")), case.name


@pytest.mark.parametrize("target", FAST)
def test_larger_cases(target: str, scale: Callable[[int, int], int]) -> None:
    for index, case in enumerate(larger_cases(7, scale(300, 20000))):
        found = run(case, target, threads=1 + index % 4)
        assert same_bits(found, run(case, "scalar")), (case.name, case.attributes, case.orig_input.shape)


def drawn(
    seed: int,
    shape: tuple[int, ...],
    kernel: int,
    stride: int,
    pad: int,
    dtype: Any,
    pads: Any = None,
    data_format: str = "NCHW",
) -> Case:
    """A case with square windows and ties."""
    rng = np.random.default_rng(seed)
    nchw = data_format == "NCHW"
    attributes = {
        "ksize": [1, 1, kernel, kernel] if nchw else [1, kernel, kernel, 1],
        "strides": [1, 1, stride, stride] if nchw else [1, stride, stride, 1],
        "padding_mode": "CALCULATED",
        "pads": pads or [pad] * 4,
        "data_format": data_format,
        "global_pooling": 0,
        "ceil_mode": 0,
    }
    x = np.round(rng.standard_normal(shape) * 2).astype(dtype)
    y = np.empty(_native.output_shape(attributes, list(shape)), dtype)
    _native.max_pool_v3(attributes, x, y, 1)
    return Case(f"{shape} k{kernel} s{stride}", attributes, x, y, rng.standard_normal(y.shape).astype(dtype))


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


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(("height", "width", "channels"), [(1200, 1201, 3), (901, 800, 5), (900, 512, 10)])
@pytest.mark.parametrize("target", FAST)
def test_few_channels_stored_past_the_caches(
    target: str, height: int, width: int, channels: int, dtype: Any
) -> None:
    case = drawn(width, (1, height, width, channels), 2, 2, 0, dtype, data_format="NHWC")
    for threads, elements in ((1, 0), (2, 5)):
        out_grad = moved(np.full_like(case.orig_input, 7), elements)
        _native.max_pool_v3_grad(case.attributes, *case.inputs, out_grad, threads, target)
        assert same_bits(out_grad, run(case, "scalar", threads=2)), threads


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(
    ("kernel", "stride", "channels"),
    [(2, 2, 3), (2, 2, 16), (3, 2, 16), (3, 1, 16), (7, 3, 8), (5, 1, 16), (2, 5, 4)],
)
@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
def test_a_large_gradient_may_begin_at_any_byte(
    kernel: int, stride: int, channels: int, data_format: str, dtype: Any
) -> None:
    side = 2400 // channels
    shape = (1, channels, side, 1000) if data_format == "NCHW" else (1, side, 1000, channels)
    case = drawn(kernel, shape, kernel, stride, 0, dtype, data_format=data_format)
    memory = np.zeros(case.orig_input.nbytes + 1, np.uint8)
    out_grad = memory[1:].view(dtype).reshape(shape)
    _native.max_pool_v3_grad(case.attributes, *case.inputs, out_grad, 1, FAST[-1])
    assert same_bits(out_grad.copy(), run(case, "scalar", threads=2))


# One window along an axis and a long rest, bands that would choose another strategy than the whole plane,
# bands without a window.
AWKWARD = [
    ((1, 64, 104, 16), (5, 5), (60, 1), "NHWC"),
    ((1, 16, 67, 4000), (5, 5), (63, 6), "NCHW"),
    ((1, 1, 60, 20), (3, 3), (60, 1), "NCHW"),
    ((1, 16, 2000, 10), (4, 4), (1, 1), "NCHW"),
    ((1, 16, 2000, 10), (4, 5), (1, 1), "NCHW"),
    ((1, 1, 786, 127), (3, 3), (8, 63), "NCHW"),
]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(("nchw", "kernel", "stride", "data_format"), AWKWARD)
def test_awkward_bands(
    nchw: tuple[int, ...], kernel: tuple[int, int], stride: tuple[int, int], data_format: str, dtype: Any
) -> None:
    shape = nchw if data_format == "NCHW" else tuple(nchw[axis] for axis in (0, 2, 3, 1))
    case = drawn(1, shape, 1, 1, 0, dtype, data_format=data_format)
    axes = slice(2, 4) if data_format == "NCHW" else slice(1, 3)
    case.attributes["ksize"][axes], case.attributes["strides"][axes] = list(kernel), list(stride)
    for mode in ("VALID", "SAME"):
        attributes = case.attributes | {"padding_mode": mode}
        y = np.empty(_native.output_shape(attributes, list(shape)), dtype)
        _native.max_pool_v3(attributes, case.orig_input, y, 1)
        grad = np.random.default_rng(2).standard_normal(y.shape).astype(dtype)
        whole = Case(case.name, attributes, case.orig_input, y, grad)
        expected = run(whole, "scalar")
        for target in FAST:
            for threads in (1, 2, 3):
                assert same_bits(run(whole, target, threads), expected), (mode, target, threads)


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


def moved(array: Array, elements: int) -> Array:
    """A copy that begins `elements` behind a cache line's beginning."""
    memory = np.zeros(array.size + 64 + elements, array.dtype)
    first = -memory.ctypes.data % 64 // array.itemsize + elements
    copy = memory[first : first + array.size].reshape(array.shape)
    copy[...] = array
    return copy


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("target", FAST)
def test_arrays_may_begin_anywhere(target: str, dtype: Any) -> None:
    for elements in (1, 4, 8, 31):
        case = drawn(elements, (2, 3, 9, 70), 2, 2, 0, dtype)
        out_grad = moved(np.full_like(case.orig_input, 7), elements)
        inputs = (moved(array, elements) for array in case.inputs)
        _native.max_pool_v3_grad(case.attributes, *inputs, out_grad, 1, target)
        assert same_bits(out_grad, run(case, "scalar")), elements


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(
    ("kernel", "stride", "pad", "wider"),
    [
        (2, 2, 0, 0),
        (2, 2, 0, 1),
        (2, 2, 0, 4),
        (3, 2, 1, 2),
        (3, 2, 1, 12),
        (3, 2, 0, 12),
        (3, 1, 1, 2),
        (7, 3, 3, 1),
        (5, 2, 2, 3),
    ],
)
@pytest.mark.parametrize("target", FAST)
def test_what_is_stored_past_the_caches(
    target: str, kernel: int, stride: int, pad: int, wider: int, dtype: Any, scale: Callable[[int, int], int]
) -> None:
    side = 1500 if dtype is np.float32 else 2100  # more than 8 MiB, rows that begin anywhere in a cache line
    case = drawn(kernel, (1, 1, side, side + scale(wider, 1)), kernel, stride, pad, dtype)
    assert same_bits(run(case, target, threads=2), run(case, "scalar", threads=2))


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
@pytest.mark.parametrize(("kernel", "stride", "pad"), [(2, 2, 0), (3, 2, 0), (3, 2, 1), (3, 1, 1)])
@pytest.mark.parametrize("target", FAST)
def test_whole_cache_lines_stored_past_the_caches(
    target: str, kernel: int, stride: int, pad: int, data_format: str
) -> None:
    shape = (2, 8, 256, 272) if data_format == "NCHW" else (2, 128, 136, 32)
    case = drawn(kernel, shape, kernel, stride, pad, np.float32, data_format=data_format)
    assert same_bits(run(case, target, threads=2), run(case, "scalar", threads=2))


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
