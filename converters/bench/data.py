"""The workloads' arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from maxpoolgrad_onnx import _native
from maxpoolgrad_onnx.arrays import Array

from .workloads import Pair, Workload


@dataclass(frozen=True)
class Tensors:
    """One workload's arrays in its data format, and the operator's attributes for them."""

    workload: Workload
    attributes: dict[str, Any]
    orig_input: Array
    orig_output: Array
    grad: Array
    out_grad: Array

    @property
    def nhwc(self) -> bool:
        """Whether the channels come last."""
        return bool(self.attributes["data_format"] == "NHWC")


def tensors_of(workload: Workload, dtype: str, data_format: str, data: str) -> Tensors:
    """Normally distributed values, in `relu` the negative ones set to zero; seeded."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(_shape(workload, data_format), dtype=np.float32)
    x = np.maximum(x, 0, out=x) if data == "relu" else x
    return _tensors(workload, data_format, x.astype(dtype, copy=False), rng)


def distinct_tensors(workload: Workload, dtype: str, data_format: str) -> Tensors:
    """The workload's window on a few positions that all differ, with small whole gradients.

    Whichever of several equal maxima a library takes, and however it adds: its result is the same to the bit.
    """
    axes = zip(workload.kernel, workload.stride, strict=True)
    height, width = (kernel + 2 * stride + 1 for kernel, stride in axes)
    small = replace(workload, shape=(1, 2, height, width))
    rng = np.random.default_rng(0)
    x = rng.permutation(2 * height * width).reshape(_shape(small, data_format)).astype(dtype)
    tensors = _tensors(small, data_format, x, rng)
    tensors.grad[...] = rng.integers(-2, 3, tensors.grad.shape)
    return tensors


def _tensors(workload: Workload, data_format: str, values: Array, rng: np.random.Generator) -> Tensors:
    attributes = _attributes(workload, data_format)
    x = _on_a_line(values)
    y = _empty(_native.output_shape(attributes, x.shape), x.dtype)
    _native.max_pool_v3(attributes, x, y, 0)
    grad = _on_a_line(rng.standard_normal(y.shape, dtype=np.float32).astype(x.dtype, copy=False))
    return Tensors(workload, attributes, x, y, grad, _on_a_line(np.zeros_like(x)))


def _shape(workload: Workload, data_format: str) -> list[int]:
    n, c, h, w = workload.shape
    return [n, c, h, w] if data_format == "NCHW" else [n, h, w, c]


def _attributes(workload: Workload, data_format: str) -> dict[str, Any]:
    def on_hw(pair: Pair) -> list[int]:
        return [1, 1, *pair] if data_format == "NCHW" else [1, *pair, 1]

    (height, width) = workload.pad
    return {
        "ksize": on_hw(workload.kernel),
        "strides": on_hw(workload.stride),
        "padding_mode": "CALCULATED",
        "pads": [height, height, width, width],
        "data_format": data_format,
        "global_pooling": 0,
        "ceil_mode": 0,
    }


def _empty(shape: Any, dtype: Any) -> Array:
    """An array that begins on a cache line, as the memory of every library here does."""
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.empty(count + 64, np.uint8)
    first = -memory.ctypes.data % 64
    array: Array = memory[first : first + count].view(dtype).reshape(shape)
    return array


def _on_a_line(array: Array) -> Array:
    to = _empty(array.shape, array.dtype)
    to[...] = array
    return to
