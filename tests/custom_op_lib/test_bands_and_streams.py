"""Parts of planes, addresses, and stores past the caches: the specification's bits all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from maxpoolgrad_onnx import _native
from support import Case, same_bits
from support_targets import FAST, drawn, moved, run


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
