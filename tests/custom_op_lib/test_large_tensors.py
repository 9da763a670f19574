"""More than 2**31 elements: every offset is an int64, and memory is that of the four tensors."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

from maxpoolgrad_onnx import _native
from support import same_bits
from support_peak import PEAK
from support_repeated import repeated

ELEMENTS = 2**31
STRATEGIES = [
    pytest.param("NCHW", (4, 512, 512), 2, 2, 0, id="two_by_two"),
    pytest.param("NCHW", (64, 16, 1024), 3, 2, 1, id="small_planes"),
    pytest.param("NHWC", (128, 128, 64), 2, 2, 0, id="small_pixels"),
    pytest.param("NHWC", (64, 256, 64), 5, 4, 2, id="separable_pixels"),
    pytest.param("NCHW", (1, 1024, 1024), 4, 4, 0, id="separable_planes"),
]


@pytest.mark.parametrize(("data_format", "shape", "kernel", "stride", "pad"), STRATEGIES)
def test_offsets(data_format: str, shape: tuple[int, ...], kernel: int, stride: int, pad: int) -> None:
    attributes = attributes_of(data_format, kernel, stride, pad)
    images = ELEMENTS // int(np.prod(shape)) + 2
    rng = np.random.default_rng(kernel)
    output = tuple(_native.output_shape(attributes, [1, *shape])[1:])
    # Two images alone are what all of them are.
    x = rng.integers(-9, 9, (2, *shape)).astype(np.float16)
    y = np.empty((2, *output), np.float16)
    _native.max_pool_v3(attributes, x, y, 1)
    grad = rng.integers(-9, 9, y.shape).astype(np.float16)
    expected = np.empty_like(x)
    _native.max_pool_v3_grad(attributes, x, y, grad, expected, 2, "scalar")
    with ExitStack() as stack:
        large = [
            stack.enter_context(repeated(images, array.shape[1:], np.float16)) for array in (x, y, grad, x)
        ]
        for to, array in zip(large[:3], (x, y, grad), strict=True):
            to[0], to[-1] = array
        assert large[0].size > ELEMENTS
        _native.max_pool_v3_grad(attributes, *large, 2)
        assert same_bits(large[3][0], expected[0])
        assert same_bits(large[3][-1], expected[1])


def attributes_of(data_format: str, kernel: int, stride: int, pad: int) -> dict[str, Any]:
    def on_hw(value: int) -> list[int]:
        return [1, 1, value, value] if data_format == "NCHW" else [1, value, value, 1]

    return {
        "ksize": on_hw(kernel),
        "strides": on_hw(stride),
        "padding_mode": "CALCULATED",
        "pads": [pad] * 4,
        "data_format": data_format,
        "global_pooling": 0,
        "ceil_mode": 0,
    }


MEMORY = (
    PEAK
    + """
import json, sys
import numpy as np
import maxpoolgrad_onnx as mpg
images, attributes = int(sys.argv[1]), json.loads(sys.argv[2])
rng = np.random.default_rng(0)
x = np.empty((images, 4, 512, 512), np.float16)
x[...] = rng.integers(0, 99, x.shape[1:])  # every page is the tensor's own
x[-1] = rng.integers(0, 99, x.shape[1:])
shape = mpg.output_shape(x.shape, **attributes)
y = np.empty(shape, np.float16)
y[...] = mpg.max_pool_v3(x[:1], **attributes)
y[-1:] = mpg.max_pool_v3(x[-1:], **attributes)
grad = np.empty(shape, np.float16)
grad[...] = rng.integers(-9, 9, shape[1:])
mpg.max_pool_v3_grad(x[:1], y[:1], grad[:1], **attributes)  # what is needed once is there
before = peak()
out_grad = mpg.max_pool_v3_grad(x, y, grad, **attributes)
more = peak() - before
last = mpg.reference.max_pool_v3_grad(x[-1:], y[-1:], grad[-1:], **attributes)
tensors = [array.nbytes for array in (x, y, grad, out_grad)]
right = bool((out_grad[-1] == last).all())
print(json.dumps({"more": more, "tensors": tensors, "size": x.size, "right": right}))
"""
)


@pytest.mark.parametrize(("kernel", "stride", "pad"), [(2, 2, 0), (3, 2, 1), (5, 3, 2)])
def test_memory_is_that_of_the_four_tensors(
    kernel: int, stride: int, pad: int, scale: Callable[[int, int], int]
) -> None:
    """A campaign takes 10 GiB for it."""
    images = scale(48, ELEMENTS // 2**20 + 1)
    given = {name: attributes_of("NCHW", kernel, stride, pad)[name] for name in ("ksize", "strides", "pads")}
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(images), json.dumps(given)],
        check=True,
        capture_output=True,
        text=True,
    )
    found = json.loads(done.stdout)
    assert found["right"]
    assert found["size"] == images * 2**20
    assert found["more"] <= found["tensors"][-1] + sum(found["tensors"]) / 100
