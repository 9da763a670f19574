"""The poolings that the benchmark measures, and their data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from maxpoolgrad_onnx import _native
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError

DATA = ("random", "relu")


@dataclass(frozen=True)
class Workload:
    """A square window on an NCHW input of `shape`."""

    shape: tuple[int, int, int, int]
    kernel: int
    stride: int
    pad: int

    @property
    def name(self) -> str:
        """Shape, window, stride and padding, as the table shows them."""
        padded = f" p{self.pad}" if self.pad else ""
        return f"{'x'.join(map(str, self.shape))} k{self.kernel} s{self.stride}{padded}"


WORKLOADS = (
    Workload((32, 64, 112, 112), 3, 2, 1),
    Workload((32, 64, 224, 224), 2, 2, 0),
    Workload((16, 192, 56, 56), 3, 2, 0),
    Workload((8, 256, 28, 28), 3, 1, 1),
    Workload((4, 512, 13, 13), 5, 1, 2),
    Workload((4, 512, 13, 13), 9, 1, 4),
    Workload((4, 512, 13, 13), 13, 1, 6),
    Workload((1, 3, 1080, 1920), 2, 2, 0),
    Workload((64, 16, 8, 8), 2, 2, 0),
    Workload((2, 8, 512, 512), 7, 3, 3),
)


@dataclass(frozen=True)
class Tensors:
    """One workload's arrays in its data format, and the operator's attributes for them."""

    workload: Workload
    attributes: dict[str, Any]
    orig_input: Array
    orig_output: Array
    grad: Array
    out_grad: Array


def chosen(words: str) -> list[Workload]:
    """The workloads whose names hold the words. Raises MaxPoolGradError where there is none."""
    found = [workload for workload in WORKLOADS if words in workload.name]
    if not found:
        names = ", ".join(f"'{workload.name}'" for workload in WORKLOADS)
        raise MaxPoolGradError(f"no workload's name contains '{words}'; there are {names}")
    return found


def tensors_of(workload: Workload, dtype: str, data_format: str, data: str) -> Tensors:
    """Normally distributed values, in `relu` the negative ones set to zero; seeded."""
    rng = np.random.default_rng(0)
    n, c, h, w = workload.shape
    nchw = data_format == "NCHW"
    shape = [n, c, h, w] if nchw else [n, h, w, c]
    square = [workload.kernel] * 2, [workload.stride] * 2
    ksize, strides = ([1, 1, *pair] if nchw else [1, *pair, 1] for pair in square)
    attributes = {
        "ksize": ksize,
        "strides": strides,
        "padding_mode": "CALCULATED",
        "pads": [workload.pad] * 4,
        "data_format": data_format,
        "global_pooling": 0,
        "ceil_mode": 0,
    }
    x = rng.standard_normal(shape, dtype=np.float32)
    x = np.maximum(x, 0, out=x) if data == "relu" else x
    x = _on_a_line(x.astype(dtype, copy=False))
    y = _empty(_native.output_shape(attributes, shape), x.dtype)
    _native.max_pool_v3(attributes, x, y, 0)
    grad = _on_a_line(rng.standard_normal(y.shape, dtype=np.float32).astype(dtype, copy=False))
    return Tensors(workload, attributes, x, y, grad, _on_a_line(np.zeros_like(x)))


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
