"""Poolings for the CPU kernel's instruction sets, and how to run them on one."""

from __future__ import annotations

from typing import Any

import numpy as np

from maxpoolgrad_onnx import _native
from maxpoolgrad_onnx.arrays import Array
from support import Case

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


def moved(array: Array, elements: int) -> Array:
    """A copy that begins `elements` behind a cache line's beginning."""
    memory = np.zeros(array.size + 64 + elements, array.dtype)
    first = -memory.ctypes.data % 64 // array.itemsize + elements
    copy = memory[first : first + array.size].reshape(array.shape)
    copy[...] = array
    return copy
