"""The benchmark measures the operator, the memory, and what is named beside them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from maxpoolgrad_onnx import _native
from maxpoolgrad_onnx.converters.bench.data import tensors_of
from maxpoolgrad_onnx.converters.bench.names import (
    BESIDE,
    FLOAT32,
    KERNEL,
    LIBRARIES,
    ONE_THREAD,
    OURS,
    ROOF,
    ROOF_ALONE,
    SCALAR,
    SESSION,
)
from maxpoolgrad_onnx.converters.bench.ways import ways
from maxpoolgrad_onnx.converters.bench.workloads import drawn, square
from support import same_bits

SMALL = square((2, 3, 9, 8), 3, 2, 1)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
def test_every_way_of_ours_computes_the_gradient(data_format: str, dtype: str) -> None:
    tensors = tensors_of(SMALL, dtype, data_format, "relu")
    expected = np.empty_like(tensors.out_grad)
    arrays = tensors.orig_input, tensors.orig_output, tensors.grad
    _native.max_pool_v3_grad(tensors.attributes, *arrays, expected, 1, "scalar")
    found = ways(tensors, "relu", 2, [SESSION, SCALAR, ONE_THREAD])
    for name in (OURS, KERNEL, SESSION, SCALAR, ONE_THREAD):
        tensors.out_grad[...] = 7
        [call] = found.pop(name)
        call()
        assert same_bits(tensors.out_grad, expected), name
    assert list(found) == [ROOF, ROOF_ALONE]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_roof_moves_the_bytes(threads: int) -> None:
    tensors = tensors_of(square((3, 5, 31, 29), 3, 2, 1), "float32", "NCHW", "random")
    moves = ways(tensors, "random", threads, [SCALAR])[ROOF]
    assert len(moves) == 12
    for move in moves:
        tensors.out_grad[...] = 7
        move()
        assert same_bits(tensors.out_grad, tensors.orig_input)


def test_float32_stands_beside_float16() -> None:
    tensors = tensors_of(SMALL, "float16", "NHWC", "random")
    [call] = ways(tensors, "random", 1, [FLOAT32])[FLOAT32]
    out_grad: Any = call()
    assert out_grad.dtype == np.float32
    np.testing.assert_allclose(out_grad.sum(), tensors.grad.astype(np.float32).sum(), rtol=1e-2)


def test_all_that_can_stand_beside_is_known() -> None:
    tensors = tensors_of(SMALL, "float32", "NCHW", "random")
    for name in set(BESIDE) - set(LIBRARIES):
        assert name in ways(tensors, "random", 1, [name])


def test_half_of_relu_is_zeros() -> None:
    for data, share in (("random", 0), ("relu", 0.5)):
        x = tensors_of(square((4, 8, 32, 32), 2, 2), "float32", "NCHW", data).orig_input
        assert abs(float(np.mean(x == 0)) - share) < 0.02


def test_drawn_workloads_are_legal_and_of_all_kinds() -> None:
    workloads = drawn(300, 1)
    assert workloads[:5] == drawn(5, 1)
    assert workloads != drawn(300, 2)
    kernels: Counter[Any] = Counter()
    for workload in workloads:
        assert 0 < np.prod(workload.shape) <= 1 << 21
        for axis in range(2):
            size, kernel, pad = workload.shape[2 + axis], workload.kernel[axis], workload.pad[axis]
            assert pad <= kernel // 2
            assert size + 2 * pad >= kernel
        kernels[workload.kernel] += 1
    assert kernels[2, 2] > 20
    assert kernels[3, 3] > 20
    assert sum(count for (height, width), count in kernels.items() if height != width) > 100
