"""The kernel of A2 and A3 on the CPU twin: the specification's bits and no fault, strategy by strategy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.converters import twin
from support import Case, same_bits

SEED = 2201


def check(case: Case, soc_version: str, cores: int | None = None) -> twin.TwinReport:
    expected = mpg.max_pool_v3_grad(*case.inputs, **case.attributes)
    call = partial(twin.max_pool_v3_grad, soc_version=soc_version, cores=cores)
    out_grad, report = call(*case.inputs, **case.attributes)
    assert report.faults == [], case.name
    assert same_bits(out_grad, expected), case.name
    return report


def pool(kernel: int, stride: int, pad: int, data_format: str = "NCHW") -> dict[str, Any]:
    def on_hw(n: int) -> list[int]:
        return [1, 1, n, n] if data_format == "NCHW" else [1, n, n, 1]

    return {"ksize": on_hw(kernel), "strides": on_hw(stride), "pads": [pad] * 4, "data_format": data_format}


def case_of(shape: tuple[int, ...], attributes: dict[str, Any], dtype: Any, seed: int = 0) -> Case:
    rng = np.random.default_rng([SEED, seed])
    x = rng.standard_normal(shape).astype(dtype)
    y = mpg.max_pool_v3(x, **attributes)
    return Case(str(attributes), attributes, x, y, rng.standard_normal(y.shape).astype(dtype))


@pytest.mark.parametrize(
    ("shape", "attributes", "strategy"),
    [
        ((1, 16, 2, 2), pool(2, 2, 3), "taps"),
        ((1, 16, 24, 24), pool(2, 2, 0), "taps"),
        ((1, 16, 28, 28), pool(3, 1, 1), "separable"),
        ((1, 48, 13, 13), pool(13, 1, 6), "running"),
        ((1, 2, 80, 80), pool(60, 59, 0), "search"),
        ((1, 28, 28, 40), pool(3, 1, 1, "NHWC"), "separable"),
        ((1, 13, 13, 32), pool(13, 1, 6, "NHWC"), "running"),
        ((1, 3, 1500, 2), pool(3, 1, 1, "NHWC"), "separable"),  # strips of columns
        ((1, 1, 2, 3000), pool(3, 2, 1), "taps"),
    ],
)
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_every_strategy(
    shape: tuple[int, ...], attributes: dict[str, Any], strategy: str, dtype: Any
) -> None:
    assert check(case_of(shape, attributes, dtype), "Ascend910B1", 3).strategy == strategy


def test_windows_that_touch_nothing_give_zeros() -> None:
    case = case_of((2, 3, 4, 5), pool(2, 7, 0), np.float16)
    attributes = case.attributes | {"ksize": [1, 1, 9, 9], "padding_mode": "VALID"}
    empty = np.zeros((2, 3, 0, 0), np.float16)
    report = check(Case("no windows", attributes, case.orig_input, empty, empty), "Ascend910B4")
    assert report.strategy == "zeros"


@pytest.mark.parametrize("value", [np.nan, -np.inf, 7.0])
@pytest.mark.parametrize(
    ("shape", "attributes", "strategy"),
    [
        ((1, 48, 28, 28), pool(3, 1, 1), "separable"),
        ((1, 28, 28, 48), pool(3, 1, 1, "NHWC"), "separable"),
        ((1, 96, 13, 13), pool(13, 1, 6), "running"),
        ((1, 13, 13, 96), pool(13, 1, 6, "NHWC"), "running"),
    ],
)
def test_what_the_quick_ways_cannot_do_is_done_again(
    shape: tuple[int, ...], attributes: dict[str, Any], strategy: str, value: float
) -> None:
    """A NaN, a minus infinity, or an orig_output that is no maximum: found out, and right all the same."""
    case = case_of(shape, attributes, np.float16, seed=1)
    clean = check(case, "Ascend910B1", 1)
    rng = np.random.default_rng(SEED)
    where = tuple(int(rng.integers(d)) for d in shape)
    if value == 7.0:
        # A window's second largest number: some other position equals it, or none.
        case.orig_output[where] = np.partition(case.orig_input.ravel(), -2)[-2]
        case.orig_output[where[:1]] = 0
    else:
        case.orig_input[where] = value
    again = check(case, "Ascend910B1", 1)
    assert clean.strategy == again.strategy == strategy
    assert again.vector_repeats > clean.vector_repeats


def test_the_same_for_any_number_of_cores() -> None:
    case = case_of((1, 16, 40, 40), pool(3, 2, 1), np.float16)
    reports = [check(case, "Ascend910B1", cores) for cores in (1, 2, 5, 17, 48)]
    # Of 17 cores 11 are used: one of them has as many rows to do as the busiest of 17 had.
    assert [report.cores for report in reports] == [1, 2, 5, 11, 21]


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_rows_without_padding(data_format: str, dtype: Any, scale: Callable[[int, int], int]) -> None:
    """As many windows of stride 1 as positions: windows that reach beyond a row's ends must not see the next
    row. Few different values, so that equals are everywhere."""
    rng = np.random.default_rng([SEED, len(data_format), np.dtype(dtype).itemsize])
    strategies = set()
    for _ in range(scale(25, 1000)):
        kernel_h, kernel = int(rng.integers(1, 6)), int(rng.integers(2, 8))
        top, left = int(rng.integers(kernel_h)), int(rng.integers(1, kernel))
        sizes = [int(rng.integers(kernel_h, 15)), int(rng.integers(kernel, 20))]
        channels = int(rng.choice([1, 16, 17, 64]))
        nhwc = data_format == "NHWC"
        window, stride = [kernel_h, kernel], [int(rng.integers(1, 3)), 1]
        attributes = {
            "ksize": [1, *window, 1] if nhwc else [1, 1, *window],
            "strides": [1, *stride, 1] if nhwc else [1, 1, *stride],
            "pads": [top, kernel_h - 1 - top, left, kernel - 1 - left],
            "data_format": data_format,
        }
        x = rng.integers(0, 3, (2, *sizes, channels) if nhwc else (2, channels, *sizes)).astype(dtype)
        y = mpg.max_pool_v3(x, **attributes)
        grad = np.ldexp(rng.integers(-1023, 1024, y.shape), rng.integers(-14, 5, y.shape)).astype(dtype)
        report = check(Case(str(attributes), attributes, x, y, grad), "Ascend910B1", int(rng.integers(1, 4)))
        strategies.add(report.strategy)
    assert "separable" in strategies


def test_two_float16_summands_are_rounded_once() -> None:
    """Where float32 is not exact either: numbers of all sizes, ties, subnormal ones, sums that overflow."""
    rng = np.random.default_rng(SEED)
    attributes = pool(3, 2, 0)
    x = np.zeros((4, 16, 41, 41), np.float16)
    x[:, :, 2::4, 1::2] = 1  # each under two windows, one above the other
    y = mpg.max_pool_v3(x, **attributes)
    bits = rng.integers(0, 1 << 16, y.shape, np.uint16)
    grad = bits.view(np.float16)
    grad[0, 0, ::2] = 65504
    grad[0, 0, 1::2] = rng.choice(np.array([16, 15.99, 8, -(2.0**-24), np.inf], np.float16), y.shape[3])
    report = check(Case("two summands", attributes, x, y, grad), "Ascend910B1", 3)
    assert report.strategy == "taps"
