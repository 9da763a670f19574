"""Random cases of the operator, and equality to the bit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from maxpoolgrad_onnx import reference
from maxpoolgrad_onnx.arrays import Array


@dataclass(frozen=True)
class Case:
    """One legal call of the operator: attributes (all seven) and the three inputs."""

    name: str
    attributes: dict[str, Any]
    orig_input: Array
    orig_output: Array
    grad: Array

    @property
    def inputs(self) -> tuple[Array, Array, Array]:
        return self.orig_input, self.orig_output, self.grad

    @property
    def feeds(self) -> dict[str, Array]:
        return {"orig_input": self.orig_input, "orig_output": self.orig_output, "grad": self.grad}


def same_bits(a: Array, b: Array) -> bool:
    """Shape, dtype and every bit equal, save that any NaN equals any NaN and a zero's sign is free."""
    return a.shape == b.shape and a.dtype == b.dtype and bool(np.all((a == b) | (np.isnan(a) & np.isnan(b))))


def random_cases(seed: int, count: int) -> Iterator[Case]:
    """Legal cases: all modes, layouts, dtypes, both ceil sizes, empty dimensions, ties, special values.

    Case i depends on (seed, i) alone, so that a failing one can be made again.
    """
    for index in range(count):
        yield random_case(seed, index)


@np.errstate(over="ignore", invalid="ignore")
def random_case(seed: int, index: int) -> Case:
    rng = np.random.default_rng([seed, index])
    attributes = _attributes(rng)
    shape = _shape(rng, attributes["data_format"])
    dtype: type[np.floating[Any]] = np.float16 if rng.random() < 0.5 else np.float32
    x = _values(rng, shape, dtype)
    output_shapes = reference.legal_output_shapes(shape, **attributes)
    output_shape = output_shapes[rng.integers(len(output_shapes))]
    y = _orig_output(rng, x, output_shape, attributes)
    name = (
        f"seed{seed}-{index}-{attributes['padding_mode']}-{attributes['data_format']}-{np.dtype(dtype).name}"
    )
    return Case(name, attributes, x, y, _gradient(rng, output_shape, dtype))


def _attributes(rng: np.random.Generator) -> dict[str, Any]:
    data_format = str(rng.choice(["NCHW", "NHWC"]))
    padding_mode = str(rng.choice(["CALCULATED", "CALCULATED", "CALCULATED", "SAME", "VALID"]))
    kernel = [int(k) for k in rng.choice([1, 2, 2, 3, 3, 4, 5, 6], 2)]
    stride = [int(s) for s in rng.choice([1, 1, 1, 2, 2, 3, 4], 2)]
    # Pads as large as the window and larger leave windows without a position.
    pads = [int(p) for p in rng.integers(0, np.repeat(kernel, 2) + 2)] if rng.random() < 0.7 else [0, 0, 0, 0]

    def on_hw(values: list[int]) -> list[int]:
        return [1, 1, *values] if data_format == "NCHW" else [1, *values, 1]

    return {
        "ksize": on_hw(kernel),
        "strides": on_hw(stride),
        "padding_mode": padding_mode,
        "pads": pads,
        "data_format": data_format,
        "global_pooling": False,
        "ceil_mode": bool(padding_mode == "CALCULATED" and rng.random() < 0.6),
    }


def _shape(rng: np.random.Generator, data_format: str) -> tuple[int, ...]:
    n, c = (int(d) for d in rng.integers(1, 4, 2))
    h, w = (int(d) for d in rng.integers(1, 12, 2))
    sizes = [n, c, h, w] if data_format == "NCHW" else [n, h, w, c]
    if rng.random() < 0.05:
        sizes[rng.integers(4)] = 0
    return tuple(sizes)


def _values(rng: np.random.Generator, shape: tuple[int, ...], dtype: type[np.floating[Any]]) -> Array:
    kind = rng.integers(5)
    if kind == 0:
        return rng.standard_normal(shape).astype(dtype)
    if kind == 1:  # peaks that many windows share, so that many gradients meet
        return (rng.standard_normal(shape) + 9 * (rng.random(shape) < 0.1)).astype(dtype)
    if kind == 2:
        return np.maximum(rng.integers(-2, 3, shape), 0).astype(dtype)  # what ReLU leaves: many ties at zero
    few = [-1.0, -0.0, 0.0, 1.0, 1.0, 2.0]
    special = [*few, np.nan, np.inf, -np.inf, -65504.0, float(np.finfo(dtype).smallest_subnormal)]
    return rng.choice(few if kind == 3 else special, shape).astype(dtype)


def _orig_output(
    rng: np.random.Generator, x: Array, output_shape: tuple[int, ...], attributes: dict[str, Any]
) -> Array:
    """The forward operator's result, at times with strange values in it, at times nothing of the kind."""
    if rng.random() < 0.1:
        return _values(rng, output_shape, x.dtype.type)
    pooled = reference.max_pool_v3(x, **attributes)
    y = np.full(output_shape, -np.inf, x.dtype)  # windows that the forward operator drops hold no number
    y[tuple(slice(size) for size in pooled.shape)] = pooled
    if rng.random() < 0.3:
        strange = rng.random(output_shape) < 0.3
        y = np.where(strange, _values(rng, output_shape, x.dtype.type), y)
    if rng.random() < 0.1:
        y = (y.astype(np.float32) * np.float32(1.0005)).astype(x.dtype)  # as if lowered to another precision
    return y


def _gradient(rng: np.random.Generator, shape: tuple[int, ...], dtype: type[np.floating[Any]]) -> Array:
    kind = rng.integers(4)
    if kind == 0:
        return rng.standard_normal(shape).astype(dtype)
    # Magnitudes far apart: every order of float32 sums gives other bits, and float16 overflows.
    wide = rng.standard_normal(shape) * np.exp2(rng.integers(-14, 15, shape))
    if kind == 1:
        return wide.astype(dtype)
    special = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 60000.0, -60000.0], shape)
    return np.where(rng.random(shape) < (0.02 if kind == 2 else 0.3), special, wide).astype(dtype)
