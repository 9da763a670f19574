"""The NumPy oracle of MaxPoolV3Grad and of its forward operator.

It restates the operator's geometry, order of sums and refusals on purpose and never calls the native code, so
that agreement between the two means something. It is slow: one Python step for each window position,
vectorised over planes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import MaxPoolGradError

Array = NDArray[Any]


@dataclass(frozen=True)
class _Axis:
    """A spatial axis: input size, window, stride, padding in front, legal output sizes (the forward's
    first)."""

    size: int
    window: int
    stride: int
    begin: int
    legal: tuple[int, ...]

    def span(self, output: int) -> tuple[int, int]:
        """First and one-past-last input position of a window, cut to the input."""
        start = output * self.stride - self.begin
        return min(max(start, 0), self.size), min(max(start + self.window, 0), self.size)


@dataclass(frozen=True)
class _Pool:
    ksize: tuple[int, ...]
    strides: tuple[int, ...]
    padding_mode: str
    pads: tuple[int, ...]
    data_format: str
    ceil_mode: bool

    @property
    def spatial(self) -> tuple[int, int]:
        return (2, 3) if self.data_format == "NCHW" else (1, 2)

    @property
    def kept(self) -> tuple[int, int]:
        return (0, 1) if self.data_format == "NCHW" else (0, 3)

    def axes(self, shape: Sequence[int]) -> tuple[_Axis, _Axis]:
        top, bottom, left, right = self.pads
        height, width = self.spatial
        return self._axis(shape[height], height, top, bottom), self._axis(shape[width], width, left, right)

    def _axis(self, size: int, index: int, begin: int, end: int) -> _Axis:
        k, s = self.ksize[index], self.strides[index]
        if self.padding_mode == "VALID":
            return _Axis(size, k, s, 0, (max(_ceil_div(size - k + 1, s), 0),))
        if self.padding_mode == "SAME":
            output = _ceil_div(size, s)
            return _Axis(size, k, s, max((output - 1) * s + k - size, 0) // 2, (output,))
        room = size - k + begin + end
        if not self.ceil_mode:
            return _Axis(size, k, s, begin, (max(room // s + 1, 0),))
        undropped = _ceil_div(room, s) + 1
        dropped = undropped - 1 if (undropped - 1) * s >= size + begin else undropped
        return _Axis(size, k, s, begin, (max(dropped, 0), max(undropped, 0)))


def max_pool_v3_grad(
    orig_input: Array,
    orig_output: Array,
    grad: Array,
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
    """Gradient of max pooling: a window's gradient goes to its first position that equals its orig_output.

    Shapes: ``orig_input`` [N, C, H, W] (or [N, H, W, C] with data_format NHWC); ``orig_output`` and ``grad``
    the same layout with the pooled sizes; all float16 or all float32. Returns ``out_grad``, shape and dtype
    of ``orig_input``. A position's contributions are added in float32: per window column from +0.0, top to
    bottom, then the column sums from +0.0, left to right; the total is rounded once. ``threads`` is accepted
    for the common signature; one is used.
    Raises MaxPoolGradError for everything that the operator refuses.
    """
    pool = _pool(ksize, strides, padding_mode, pads, data_format, global_pooling, ceil_mode)
    x, y, g = np.asarray(orig_input), np.asarray(orig_output), np.asarray(grad)
    _check_tensors(pool, x, y, g)
    rows, columns = pool.axes(x.shape)
    with np.errstate(over="ignore", invalid="ignore"):
        total = _route(_planes(pool, x), _planes(pool, y), _planes(pool, g), rows, columns)
        return _unplanes(pool, total, x.shape).astype(x.dtype)


def max_pool_v3(
    x: Array,
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
    """Forward max pooling: the maximum of each window's numbers, NaN left out; -Inf for a window without one.

    ``x`` is [N, C, H, W] or [N, H, W, C], float16 or float32; the result has ``output_shape``'s shape and
    x's dtype. Raises MaxPoolGradError for everything that the operator refuses.
    """
    pool = _pool(ksize, strides, padding_mode, pads, data_format, global_pooling, ceil_mode)
    x = np.asarray(x)
    _check_input(x)
    rows, columns = pool.axes(x.shape)
    planes = _planes(pool, x)
    numbers = np.where(np.isnan(planes), np.float32(-np.inf), planes)
    pooled = np.empty((planes.shape[0], rows.legal[0], columns.legal[0]), np.float32)
    for ho in range(pooled.shape[1]):
        top, bottom = rows.span(ho)
        for wo in range(pooled.shape[2]):
            left, right = columns.span(wo)
            pooled[:, ho, wo] = numbers[:, top:bottom, left:right].max(axis=(1, 2), initial=-np.inf)
    return _unplanes(pool, pooled, _pooled_shape(pool, x.shape)).astype(x.dtype)


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
    """Shape that the forward operator produces: in ceil mode, no last window that begins past the input."""
    pool = _pool(ksize, strides, padding_mode, pads, data_format, global_pooling, ceil_mode)
    _require(len(input_shape) == 4, f"input_shape has {len(input_shape)} dimensions, 4 are needed")
    return _pooled_shape(pool, tuple(input_shape))


def legal_output_shapes(input_shape: Sequence[int], **attributes: Any) -> list[tuple[int, ...]]:
    """Every shape that orig_output may have, the forward operator's first; ceil mode has up to two an axis.

    ``attributes`` are those of ``output_shape``.
    """
    pool = _pool(**attributes)
    rows, columns = pool.axes(input_shape)
    shapes = [_with_spatial(pool, input_shape, h, w) for h in rows.legal for w in columns.legal]
    return list(dict.fromkeys(shapes))


def _route(x: Array, y: Array, g: Array, rows: _Axis, columns: _Axis) -> Array:
    """Float32 out_grad of planes: x [P, H, W], y and g [P, Ho, Wo]."""
    planes, height, _ = x.shape
    every_plane = np.arange(planes)
    total = np.zeros(x.shape, np.float32)
    for wo in range(y.shape[2]):
        left, right = columns.span(wo)
        if left == right:
            continue
        column = np.zeros((planes, height, right - left), np.float32)
        for ho in range(y.shape[1]):
            top, bottom = rows.span(ho)
            if top == bottom:
                continue
            equal = x[:, top:bottom, left:right] == y[:, ho, wo, None, None]
            equal = equal.reshape(planes, (bottom - top) * (right - left))
            first = equal.argmax(axis=1)
            found = every_plane[equal[every_plane, first]]
            h, w = np.divmod(first[found], right - left)
            column[found, top + h, w] += g[found, ho, wo]
        total[:, :, left:right] += column
    return total


def _planes(pool: _Pool, tensor: Array) -> Array:
    """[N, C, H, W] or [N, H, W, C] -> float32 [N C, H, W]; the conversion is exact for both dtypes."""
    nchw = tensor if pool.data_format == "NCHW" else tensor.transpose(0, 3, 1, 2)
    n, c, h, w = nchw.shape
    return nchw.astype(np.float32).reshape(n * c, h, w)


def _unplanes(pool: _Pool, planes: Array, shape: Sequence[int]) -> Array:
    n, c = (shape[axis] for axis in pool.kept)
    nchw = planes.reshape(n, c, *planes.shape[1:])
    return nchw if pool.data_format == "NCHW" else np.ascontiguousarray(nchw.transpose(0, 2, 3, 1))


def _pooled_shape(pool: _Pool, shape: Sequence[int]) -> tuple[int, ...]:
    rows, columns = pool.axes(shape)
    return _with_spatial(pool, shape, rows.legal[0], columns.legal[0])


def _with_spatial(pool: _Pool, shape: Sequence[int], height: int, width: int) -> tuple[int, ...]:
    result = [int(d) for d in shape]
    for axis, size in zip(pool.spatial, (height, width), strict=True):
        result[axis] = size
    return tuple(result)


def _pool(
    ksize: Sequence[int],
    strides: Sequence[int],
    padding_mode: str = "CALCULATED",
    pads: Sequence[int] = (0, 0, 0, 0),
    data_format: str = "NCHW",
    global_pooling: bool = False,
    ceil_mode: bool = False,
) -> _Pool:
    pool = _Pool(tuple(ksize), tuple(strides), padding_mode, tuple(pads), data_format, bool(ceil_mode))
    for name, values in (("ksize", pool.ksize), ("strides", pool.strides), ("pads", pool.pads)):
        _require(len(values) == 4, f"{name} is {list(values)}, 4 values are needed")
    _require(data_format in ("NCHW", "NHWC"), f"data_format is {data_format!r}")
    _require(padding_mode in ("CALCULATED", "SAME", "VALID"), f"padding_mode is {padding_mode!r}")
    for name, values, most in (("ksize", pool.ksize, 255), ("strides", pool.strides, 63)):
        _require(all(values[axis] == 1 for axis in pool.kept), f"{name} is {list(values)}, not 1 on N and C")
        _require(
            all(1 <= values[axis] <= most for axis in pool.spatial),
            f"{name} is {list(values)}, most is {most}",
        )
    _require(
        padding_mode != "CALCULATED" or min(pool.pads) >= 0, f"pads is {list(pool.pads)}, a value is negative"
    )
    _require(global_pooling in (False, 0), "global_pooling is true")
    _require(ceil_mode in (False, True, 0, 1), f"ceil_mode is {ceil_mode!r}")
    _require(
        not ceil_mode or padding_mode == "CALCULATED", f"ceil_mode is true with padding_mode {padding_mode}"
    )
    return pool


def _check_input(x: Array) -> None:
    _require(x.dtype in (np.float16, np.float32), f"the input's dtype is {x.dtype}")
    _require(x.ndim == 4, f"the input has {x.ndim} dimensions, 4 are needed")


def _check_tensors(pool: _Pool, x: Array, y: Array, g: Array) -> None:
    _check_input(x)
    _require(x.dtype == y.dtype == g.dtype, f"dtypes differ: {x.dtype}, {y.dtype}, {g.dtype}")
    _require(y.ndim == 4, f"orig_output has {y.ndim} dimensions, 4 are needed")
    _require(g.shape == y.shape, f"grad has shape {g.shape}, orig_output {y.shape}")
    _require(
        all(x.shape[axis] == y.shape[axis] for axis in pool.kept), f"N or C differ: {x.shape}, {y.shape}"
    )
    for name, axis, geometry in zip("HW", pool.spatial, pool.axes(x.shape), strict=True):
        size = y.shape[axis]
        _require(
            size in geometry.legal, f"orig_output's {name} is {size}, legal is {sorted(set(geometry.legal))}"
        )


def _require(condition: bool, reason: str) -> None:
    if not condition:
        raise MaxPoolGradError(f"reference: {reason}")


def _ceil_div(a: int, b: int) -> int:
    return -(-a // b)
