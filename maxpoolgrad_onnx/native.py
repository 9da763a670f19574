"""The operator on NumPy arrays, computed by the native CPU kernel."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from .arrays import Array
from .contract import ATTRIBUTES, PoolAttributes, check_dtypes, check_shapes
from .errors import MaxPoolGradError


def max_pool_v3_grad(
    orig_input: npt.ArrayLike,
    orig_output: npt.ArrayLike,
    grad: npt.ArrayLike,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding_mode: str = "CALCULATED",
    pads: Sequence[int] = (0, 0, 0, 0),
    data_format: str = "NCHW",
    global_pooling: bool = False,
    ceil_mode: bool = False,
    threads: int = 0,
) -> Array:
    """The gradient of max pooling with respect to its input.

    Each window's gradient goes to the first position, row by row, that equals the window's `orig_output`;
    where none does, it goes nowhere.

    Args:
        orig_input: the forward operator's input, 4-D, float16 or float32, in `data_format`.
        orig_output: the forward operator's output, 4-D, the same dtype.
        grad: the gradient of `orig_output`, its shape and dtype.
        ksize: the window, [1, 1, height, width] in NCHW, [1, height, width, 1] in NHWC; 1 to 255.
        strides: in the same order; 1 to 63.
        padding_mode: "CALCULATED" (by `pads`), "SAME" or "VALID".
        pads: [top, bottom, left, right], used in "CALCULATED" only.
        data_format: "NCHW" or "NHWC".
        global_pooling: must be False.
        ceil_mode: round output sizes up; in "CALCULATED" only.
        threads: how many to use at most; 0 for as many as the process may use.

    Returns:
        out_grad, with the shape and dtype of `orig_input`, contiguous. Sums are made in float32 in one fixed
        order, so the bits do not depend on `threads`. Inputs of any memory layout give the same result.

    Raises:
        MaxPoolGradError: what the operator refuses, naming the argument, its value and what is allowed.
    """
    subject = "max_pool_v3_grad"
    attributes = _checked(subject, ksize, strides, padding_mode, pads, data_format, global_pooling, ceil_mode)
    x, y, g = (np.asarray(array) for array in (orig_input, orig_output, grad))
    check_dtypes(subject, x.dtype.name, y.dtype.name, g.dtype.name)
    check_shapes(subject, attributes, x.shape, y.shape, g.shape)
    out_grad = _empty(x.shape, x.dtype)
    _native.max_pool_v3_grad(
        attributes.as_dict(),
        contiguous(x),
        contiguous(y),
        contiguous(g),
        out_grad,
        _thread_count(threads),
    )
    return out_grad


def max_pool_v3(
    x: npt.ArrayLike,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding_mode: str = "CALCULATED",
    pads: Sequence[int] = (0, 0, 0, 0),
    data_format: str = "NCHW",
    global_pooling: bool = False,
    ceil_mode: bool = False,
    threads: int = 0,
) -> Array:
    """Max pooling forward, with the geometry of `max_pool_v3_grad` (arguments and errors as there).

    Args:
        x: 4-D, float16 or float32, in `data_format`.

    Returns:
        The maximum of each window's numbers, NaN left out; -Inf for a window without a number. Its shape is
        `output_shape(x.shape, ...)`: in ceil mode a last window that begins past the input is dropped.
    """
    subject = "max_pool_v3"
    attributes = _checked(subject, ksize, strides, padding_mode, pads, data_format, global_pooling, ceil_mode)
    array = np.asarray(x)
    check_dtypes(subject, array.dtype.name, "", "")
    output = _empty(_pooled(subject, attributes, array.shape), array.dtype)
    _native.max_pool_v3(attributes.as_dict(), contiguous(array), output, _thread_count(threads))
    return output


def output_shape(
    input_shape: Sequence[int],
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding_mode: str = "CALCULATED",
    pads: Sequence[int] = (0, 0, 0, 0),
    data_format: str = "NCHW",
    global_pooling: bool = False,
    ceil_mode: bool = False,
) -> tuple[int, ...]:
    """The shape that the forward operator produces for a 4-D `input_shape` (arguments as in `max_pool_v3`).

    A dimension of -1 is unknown and stays so. Raises MaxPoolGradError for what the operator refuses.
    """
    subject = "output_shape"
    attributes = _checked(subject, ksize, strides, padding_mode, pads, data_format, global_pooling, ceil_mode)
    return _pooled(subject, attributes, input_shape)


def _pooled(subject: str, attributes: PoolAttributes, shape: Sequence[int]) -> tuple[int, ...]:
    """The forward operator's output shape, which huge pads can make too large for int64."""
    check_shapes(subject, attributes, shape, None, None)
    pooled = attributes.output_shape([-1 if dim is None else dim for dim in shape])
    check_shapes(subject, attributes, shape, pooled, None)
    return pooled


def _checked(subject: str, *values: Any) -> PoolAttributes:
    """The attributes, given in the contract's order."""
    names = [name for name, *_ in ATTRIBUTES]
    return PoolAttributes.make(subject, dict(zip(names, values, strict=True)))


def _empty(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    try:
        return np.empty(shape, dtype.newbyteorder("="))
    except ValueError as error:  # what NumPy raises where even the number of bytes is no int64
        raise MemoryError(str(error)) from error


def contiguous(array: Array) -> Array:
    """The array in C order and the machine's byte order: itself where it is so already."""
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _thread_count(threads: int) -> int:
    try:
        count = operator.index(threads)
    except TypeError:
        count = -1
    if not 0 <= count < 2**31:
        raise MaxPoolGradError(
            f"threads is {threads}; it must be an int, 0 (as many as the process may use) or more"
        )
    return count
