"""The 950's plan: every position has one block, blocks are about equal, numbers fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from support_arch35 import CORES, NARROW, WIDE, over_stride, plan


def attributes_of(kernel: int, stride: int, pad: int, data_format: str = "NCHW") -> dict[str, Any]:
    def on_hw(n: int) -> list[int]:
        return [1, 1, n, n] if data_format == "NCHW" else [1, n, n, 1]

    return {"ksize": on_hw(kernel), "strides": on_hw(stride), "pads": [pad] * 4, "data_format": data_format}


def planned(shape: tuple[int, ...], attributes: dict[str, Any], size: int, cores: int = CORES) -> Any:
    return plan(attributes, shape, mpg.output_shape(shape, **attributes), size, cores)


def test_division_by_a_stride_is_exact() -> None:
    rng = np.random.default_rng(1)
    limit = 2**31 - 1
    for stride in range(1, 64):
        multiples = stride * rng.integers(0, limit // stride, 200)
        numbers = {0, limit, *multiples, *(multiples + 1), *np.maximum(multiples - 1, 0), *range(200)}
        for number in numbers:
            assert over_stride(int(number), stride) == int(number) // stride


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("cores", [1, 3, 16, CORES])
def test_every_position_has_one_block(data_format: str, size: int, cores: int) -> None:
    rng = np.random.default_rng([cores, size])
    for _ in range(100):
        n, c, h, w = (int(d) for d in rng.integers(1, [5, 300, 200, 200]))
        shape = (n, c, h, w) if data_format == "NCHW" else (n, h, w, c)
        kernel, stride = (int(k) for k in rng.integers(1, [14, 8]))
        numbers = planned(shape, attributes_of(kernel, stride, 0, data_format), size, cores)
        elements = n * c * h * w
        assert 1 <= numbers.block_dim <= cores
        assert numbers.block_dim <= numbers.units
        assert (numbers.units - 1) * numbers.unit < elements <= numbers.units * numbers.unit
        assert 1 <= numbers.columns <= w
        assert 1 <= numbers.depth <= (c if data_format == "NHWC" else 1)


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize(
    ("channels", "height", "kernel", "stride", "pad"),
    [(64, 112, 2, 2, 0), (64, 112, 3, 2, 1), (256, 28, 3, 1, 1), (512, 13, 13, 1, 6)],
)
def test_the_busiest_block_of_a_batch_has_a_tenth_more_than_the_mean_at_most(
    data_format: str, size: int, channels: int, height: int, kernel: int, stride: int, pad: int
) -> None:
    n, c, h, w = 32, channels, height, height
    shape = (n, c, h, w) if data_format == "NCHW" else (n, h, w, c)
    numbers = planned(shape, attributes_of(kernel, stride, pad, data_format), size)
    assert numbers.block_dim == CORES
    assert -(-numbers.units // CORES) * CORES <= 1.1 * numbers.units


def test_positions_are_wide_from_where_32_bits_end() -> None:
    attributes = attributes_of(2, 2, 0)
    assert planned((1, 1, 2**15, 2**15), attributes, 2).tiling_key == NARROW
    assert planned((1, 1, 2**16, 2**15), attributes, 2).tiling_key == WIDE  # 2^31 elements
    assert planned((1, 3, 2**15, 2**15), attributes, 4).tiling_key == WIDE
    assert planned((1, 1, 1, 2**40), attributes_of(1, 1, 0), 4).tiling_key == WIDE


def test_large_paddings_are_wide() -> None:
    huge = {**attributes_of(2, 63, 0), "pads": [2**33, 0, 0, 0]}
    assert plan(huge, (1, 1, 4, 4), (1, 1, 2**28, 1), 2).tiling_key == WIDE


def test_tensors_without_elements_have_one_block() -> None:
    for shape in [(0, 3, 4, 4), (1, 0, 4, 4), (1, 3, 0, 4), (1, 3, 4, 0)]:
        assert planned(shape, attributes_of(1, 1, 0), 4).block_dim == 1


def test_memory_order_where_rows_fit_the_data_cache() -> None:
    numbers = planned((8, 64, 112, 112), attributes_of(3, 2, 1), 2)
    assert (numbers.columns, numbers.depth, numbers.paired) == (112, 1, 1)


def test_boxes_where_rows_are_too_long() -> None:
    """One row of 512 channels takes 56 KiB: the rows of a 3 x 3 window do not fit 128 KiB."""
    numbers = planned((32, 56, 56, 512), attributes_of(3, 2, 1, "NHWC"), 2)
    assert numbers.columns * numbers.depth < 56 * 512
    assert numbers.depth % 64 == 0  # whole lines
    assert numbers.paired == 1
    numbers = planned((1, 1, 64, 10**6), attributes_of(3, 1, 1), 4)
    assert numbers.columns < 10**5
