"""The operator on NumPy arrays, computed by the native CPU kernel."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from .arrays import Array
from .contract import ATTRIBUTES, DTYPES, PoolAttributes, check_dtypes, check_shapes
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
    out: Array | None = None,
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
        out: where to write out_grad, which saves the system the work of finding and clearing new memory: a
            contiguous, writable array of `orig_input`'s shape and dtype that overlaps none of the inputs.

    Returns:
        out_grad, or `out` if given, with the shape and dtype of `orig_input`, contiguous. Sums are made in
        float32 in one fixed order, so the bits do not depend on `threads`. Inputs of any memory layout give
        the same result.

    Raises:
        MaxPoolGradError: what the operator refuses, naming the argument, its value and what is allowed.
    """
    subject = "max_pool_v3_grad"
    values = (ksize, strides, padding_mode, pads, data_format, global_pooling, ceil_mode)
    attributes, pool = _checked_once(subject, values)
    x, y, g = np.asarray(orig_input), np.asarray(orig_output), np.asarray(grad)
    count = _thread_count(threads)
    try:
        if _is_native(x) and _is_native(y) and _is_native(g):  # the short way: one call checks and computes
            out_grad = _empty(x.shape, x.dtype) if out is None else _checked_out(subject, out, x)
            if pool.gradient(x, y, g, out_grad, count):
                return out_grad
        _check_inputs(subject, attributes, x, y, g)
    except MemoryError:  # where an input is refused, that counts
        _check_inputs(subject, attributes, x, y, g)
        raise
    out_grad = _empty(x.shape, x.dtype) if out is None else _checked_out(subject, out, x)
    pool.gradient(contiguous(x), contiguous(y), contiguous(g), out_grad, count)
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


# The attributes of earlier calls by what was given, types included, and the native object.
_Checked = tuple[PoolAttributes, _native.Pool]
_CHECKED: dict[Any, _Checked] = {}
_MOST_CHECKED = 256

_SEQUENCES, _PLAIN = {list, tuple}, {str, int, bool}  # exact types: 1 == 1.0 == True
_NATIVE = {np.dtype(name) for name in DTYPES}  # in the machine's byte order

_LINE = 64  # bytes
_LARGE = 1 << 20


def _checked_once(subject: str, values: tuple[Any, ...]) -> _Checked:
    """What `_checked` gives, kept for the next call with the same values."""
    key = _key(values)
    found = None if key is None else _CHECKED.get(key)
    if found is None:
        attributes = _checked(subject, *values)
        found = attributes, _native.Pool(attributes.as_dict())
        if len(_CHECKED) >= _MOST_CHECKED:
            _CHECKED.clear()
        if key is not None:
            _CHECKED[key] = found
    return found


def _key(values: tuple[Any, ...]) -> Any:
    """Values of the usual types as something hashable; None for any others."""
    ksize, strides, padding_mode, pads, data_format, global_pooling, ceil_mode = values
    if not _SEQUENCES.issuperset(map(type, (ksize, strides, pads))):
        return None
    numbers = (*ksize, *strides, *pads)
    others = (padding_mode, data_format, global_pooling, ceil_mode)
    if {*map(type, numbers)} != {int} or not _PLAIN.issuperset(map(type, others)):
        return None
    return numbers, len(ksize), len(strides), others, type(global_pooling), type(ceil_mode)


def _check_inputs(subject: str, attributes: PoolAttributes, x: Array, y: Array, g: Array) -> None:
    check_dtypes(subject, x.dtype.name, y.dtype.name, g.dtype.name)
    check_shapes(subject, attributes, x.shape, y.shape, g.shape)


def _is_native(array: Array) -> bool:
    """Whether the native code can look at the array as it is."""
    return array.dtype in _NATIVE and array.flags.c_contiguous


def _checked_out(subject: str, out: Array, x: Array) -> Array:
    wanted = x.dtype.newbyteorder("=")
    if not (isinstance(out, np.ndarray) and out.shape == x.shape and out.dtype == wanted and _writable(out)):
        found = f"{out.dtype} {list(out.shape)}" if isinstance(out, np.ndarray) else f"a {type(out).__name__}"
        raise MaxPoolGradError(
            f"{subject}: out is {found}; it must be a contiguous, writable array of orig_input's shape "
            f"{list(x.shape)} and dtype {wanted.name}"
        )
    return out


def _writable(array: Array) -> bool:
    return array.flags.c_contiguous and array.flags.writeable and array.dtype.isnative


def _empty(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """A new array; a large one begins on a cache line, so that its rows can be stored past the caches."""
    native = dtype.newbyteorder("=")
    size = math.prod(shape) * native.itemsize
    try:
        if size < _LARGE:
            return np.empty(shape, native)
        memory = np.empty(size + _LINE, np.uint8)
    except ValueError as error:  # what NumPy raises where even the number of bytes is no int64
        raise MemoryError(str(error)) from error
    first = -memory.ctypes.data % _LINE
    return memory[first : first + size].view(native).reshape(shape)


def contiguous(array: Array) -> Array:
    """The array in C order and the machine's byte order: itself where it is so already."""
    if array.flags.c_contiguous and array.dtype.isnative:
        return array
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
