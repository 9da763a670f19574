"""Calls on larger tensors than other tests need, so that cores, tiles and strips show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.arrays import Array
from support import Case


def larger_cases(seed: int, count: int) -> Iterator[Case]:
    """Legal calls with up to 48 planes of up to 70 x 70 positions, windows of up to 13 x 13 (some up to
    255 x 255), ties, special values, and orig_output that is not the maximum. Case i depends on (seed, i)
    alone."""
    for index in range(count):
        yield larger_case(seed, index)


def larger_case(seed: int, index: int) -> Case:
    rng = np.random.default_rng([seed, index])
    dtype = (np.float16, np.float32)[rng.integers(2)]
    attributes = _attributes(rng)
    nhwc = attributes["data_format"] == "NHWC"
    n, c = int(rng.integers(1, 4)), int(rng.choice([1, 2, 3, 5, 15, 16, 17, 33, 48]))
    h, w = (int(rng.integers(1, 20 if rng.random() < 0.7 else 70)) for _ in range(2))
    kernel = max(attributes["ksize"])
    if kernel > 13:
        n, c, h, w = 1, int(rng.integers(1, 4)), int(rng.integers(1, 40)), int(rng.integers(1, 40))
    shape = (n, h, w, c) if nhwc else (n, c, h, w)
    output_shapes = mpg.reference.legal_output_shapes(shape, **attributes)
    output_shape = output_shapes[rng.integers(len(output_shapes))]
    special = 0.05 if rng.random() < 0.4 else 0.0
    x = _numbers(rng, shape, dtype, int(rng.choice([2, 9, 9, 1000])), special)
    y = _maxima(x, output_shape, attributes)
    if rng.random() < 0.3:
        other = _numbers(rng, y.shape, dtype, 9, special)
        y = np.where(rng.random(y.shape) < 0.2, other, y)
    name = f"seed{seed}-{index}-{attributes['data_format']}-{np.dtype(dtype).name}-{shape}-{attributes}"
    return Case(name, attributes, x, y, _gradients(rng, output_shape, dtype, special))


def _attributes(rng: np.random.Generator) -> dict[str, Any]:
    kernel = rng.choice([1, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7, 9, 13], 2)
    stride = rng.choice([1, 1, 1, 2, 2, 3, 4, 5, 11], 2)
    if rng.random() < 0.5:
        kernel[1], stride[1] = kernel[0], stride[0]
    if rng.random() < 0.03:
        kernel, stride = rng.integers(14, 256, 2), rng.integers(1, 64, 2)
    nhwc = bool(rng.integers(2))
    mode = str(rng.choice(["CALCULATED", "CALCULATED", "CALCULATED", "SAME", "VALID"]))
    pads = rng.integers(0, np.repeat(kernel, 2) + 2) if rng.random() < 0.7 else np.zeros(4, int)

    def on_hw(values: Array) -> list[int]:
        return [1, *map(int, values), 1] if nhwc else [1, 1, *map(int, values)]

    return {
        "ksize": on_hw(kernel),
        "strides": on_hw(stride),
        "padding_mode": mode,
        "pads": [int(p) for p in pads],
        "data_format": "NHWC" if nhwc else "NCHW",
        "global_pooling": False,
        "ceil_mode": mode == "CALCULATED" and bool(rng.integers(2)),
    }


def _numbers(
    rng: np.random.Generator, shape: tuple[int, ...], dtype: Any, levels: int, special: float
) -> Array:
    numbers = rng.integers(0, levels, shape).astype(dtype) - dtype(4)
    specials = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, -65504.0], dtype)
    return np.where(rng.random(shape) < special, rng.choice(specials, shape), numbers)


def _gradients(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any, special: float) -> Array:
    """Of widely different sizes, so that an order of addition other than the specified one shows."""
    with np.errstate(over="ignore"):
        numbers = np.ldexp(rng.integers(-1023, 1024, shape), rng.integers(-14, 5, shape)).astype(dtype)
    specials = np.array([np.nan, np.inf, -np.inf, -0.0, 65504.0, 1e-7], dtype)
    return np.where(rng.random(shape) < special / 8, rng.choice(specials, shape), numbers)


def _maxima(x: Array, output_shape: tuple[int, ...], attributes: dict[str, Any]) -> Array:
    """The forward operator's output, with the other legal size where that is asked for."""
    y = mpg.max_pool_v3(x, **attributes)
    out = np.full(output_shape, -np.inf, x.dtype)
    common = tuple(slice(0, min(a, b)) for a, b in zip(y.shape, output_shape, strict=True))
    out[common] = y[common]
    return out
