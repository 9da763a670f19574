"""The 950's kernel on the CPU twin: the specification's bits, no fault, for any number of cores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.arrays import Array
from support import Case, random_case, random_cases, same_bits
from support_arch35 import CORES, WIDE, Plan, plan_of, run

SEED = 950


def check(case: Case, expected: Array, cores: int = CORES, numbers: Plan | None = None) -> None:
    outcome = run(case, cores, numbers)
    assert outcome.faults == "", case.name
    assert same_bits(outcome.out_grad, expected), case.name


def split(case: Case, blocks: int) -> Plan:
    """For so many blocks, even where the plan would find the tensors too small for them."""
    numbers = plan_of(case)
    numbers.unit = 2
    numbers.units = -(-case.orig_input.size // numbers.unit)
    numbers.block_dim = max(min(blocks, numbers.units), 1)
    return numbers


def cut(case: Case, rng: np.random.Generator) -> Plan:
    """Boxes of any size, their positions not in pairs."""
    numbers = plan_of(case)
    shape = case.orig_input.shape
    nhwc = case.attributes["data_format"] == "NHWC"
    numbers.columns = int(rng.integers(1, max(shape[2 if nhwc else 3], 1) + 1))
    numbers.depth = int(rng.integers(1, max(shape[3], 1) + 1)) if nhwc else 1
    numbers.paired = 0
    return numbers


def test_random_cases(scale: Callable[[int, int], int]) -> None:
    for case in random_cases(SEED, scale(60, 3000)):
        expected = mpg.reference.max_pool_v3_grad(*case.inputs, **case.attributes)
        check(case, expected, cores=1)
        check(case, expected, cores=3, numbers=split(case, 3))
        check(case, expected, numbers=split(case, CORES))


def test_random_cases_with_wide_positions_and_in_boxes(scale: Callable[[int, int], int]) -> None:
    for index in range(scale(60, 3000)):
        case = random_case(SEED + 1, index)
        expected = mpg.max_pool_v3_grad(*case.inputs, **case.attributes)
        rng = np.random.default_rng([SEED, index])
        numbers = cut(case, rng)
        check(case, expected, numbers=numbers)
        numbers.tiling_key = WIDE
        check(case, expected, numbers=numbers)
        numbers.unit, numbers.units = 1, case.orig_input.size
        numbers.block_dim = min(3, max(numbers.units, 1))
        check(case, expected, numbers=numbers)


def _pooled(
    shape: tuple[int, ...],
    kernel: int,
    stride: int,
    pad: int,
    dtype: Any,
    data_format: str,
    values: Array | None = None,
) -> Case:
    """A pooling of what the forward operator gives; `shape` is N, C, H, W."""
    rng = np.random.default_rng(SEED)
    x = rng.standard_normal(shape).astype(dtype) if values is None else values.astype(dtype)
    attributes: dict[str, Any] = {
        "ksize": [1, 1, kernel, kernel],
        "strides": [1, 1, stride, stride],
        "pads": [pad] * 4,
        "data_format": data_format,
    }
    if data_format == "NHWC":
        x = np.ascontiguousarray(x.transpose(0, 2, 3, 1))
        attributes |= {"ksize": [1, kernel, kernel, 1], "strides": [1, stride, stride, 1]}
    y = mpg.max_pool_v3(x, **attributes)
    g = rng.standard_normal(y.shape).astype(dtype)
    return Case(f"k{kernel} s{stride} p{pad} {data_format} {shape}", attributes, x, y, g)


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize(
    ("shape", "kernel", "stride", "pad"),
    [
        ((2, 3, 57, 61), 3, 2, 1),
        ((1, 24, 33, 40), 2, 2, 0),
        ((1, 2, 40, 300), 9, 4, 4),
        ((3, 1, 1, 4001), 5, 3, 2),
        ((1, 2, 31, 27), 24, 1, 23),
        ((1, 1, 70, 70), 255, 63, 200),
    ],
)
def test_larger_shapes(
    shape: tuple[int, ...], kernel: int, stride: int, pad: int, dtype: Any, data_format: str
) -> None:
    case = _pooled(shape, kernel, stride, pad, dtype, data_format)
    expected = mpg.max_pool_v3_grad(*case.inputs, **case.attributes)
    for cores in (1, 3, CORES):
        check(case, expected, cores)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
@pytest.mark.parametrize(
    ("shape", "kernel", "stride", "pad", "allowed"),
    [
        ((1, 64, 56, 56), 2, 2, 0, 1.02),
        ((1, 64, 56, 56), 3, 2, 1, 1.15),
        ((4, 64, 28, 28), 3, 1, 1, 1.15),
    ],
)
def test_traffic(
    shape: tuple[int, ...], kernel: int, stride: int, pad: int, allowed: float, dtype: Any, data_format: str
) -> None:
    """Bytes of whole lines, against each input read once and out_grad written once."""
    case = _pooled(shape, kernel, stride, pad, dtype, data_format)
    outcome = run(case, cores=4)
    least = sum(tensor.nbytes for tensor in case.inputs) + case.orig_input.nbytes
    assert outcome.counts.bytes_written == case.orig_input.nbytes
    assert outcome.counts.bytes_read + outcome.counts.bytes_written <= allowed * least


@pytest.mark.parametrize("pattern", ["constant", "step", "stripes", "peak"])
def test_equal_values_cost_no_more_than_different_ones(pattern: str) -> None:
    """The search for an earlier equal value ends at the nearest one: no input makes it quadratic."""
    kernel, size = 13, 26
    values = np.zeros((1, 1, size, size))
    if pattern == "step":
        values[:, :, size // 2 :] = 1
    elif pattern == "stripes":
        values[:, :, :, ::2] = 1
    elif pattern == "peak":
        values[:, :, size // 2, size // 2] = 1
    case = _pooled((1, 1, size, size), kernel, 1, kernel // 2, np.float32, "NCHW", values)
    outcome = run(case)
    assert same_bits(outcome.out_grad, mpg.max_pool_v3_grad(*case.inputs, **case.attributes))
    # At most each window's output looked at twice, its gradient once, its positions once.
    assert outcome.counts.loads <= 4 * kernel * kernel * size * size
