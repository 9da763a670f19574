"""Arrays from files, .npy and .bin, or made up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.files import read_file

from .input_columns import SUFFIXES
from .tensors import TensorInfo, check_shape

PURE_DATA_TYPES = ("zero", "random")


def files_per_batch(info: TensorInfo, path: Path) -> int:
    """How many files like this one make the input's batch: 1 where its size is open, or theirs does not fit.

    A .npy holds some of the batch's examples, or one without its first axis; a .bin a part of its bytes.
    """
    if not info.realsize or not info.shape:
        return 1
    batch, *rest = info.shape
    if path.suffix == ".bin":
        count, left = divmod(info.realsize, len(read_file(path)))
        return count if not left and batch % count == 0 else 1
    shape = _read_npy(path).shape if path.suffix == ".npy" else info.shape
    if shape == tuple(rest):
        return batch
    divides = shape[1:] == tuple(rest) and bool(shape) and shape[0] and batch % shape[0] == 0
    return batch // shape[0] if divides else 1


def read_inputs(infos: Sequence[TensorInfo], files: Sequence[Sequence[Path]]) -> list[Array]:
    """The arrays of a run: for each input its files' examples, one after the other.

    A .bin holds the bare elements; one size that the input leaves open follows from the number of bytes.
    Raises MaxPoolGradError that names file and input.
    """
    return [_batch(paths, info) for paths, info in zip(files, infos, strict=True)]


def made_up(infos: Sequence[TensorInfo], pure_data_type: str) -> list[Array]:
    """Arrays without files: zeros, or random numbers (floats in [0, 1), ints 0 or 1, always the same).

    Sizes that the model leaves open are 1.
    """
    if pure_data_type not in PURE_DATA_TYPES:
        raise MaxPoolGradError(
            f"pure_data_type is {quoted(pure_data_type)}; allowed are {' and '.join(PURE_DATA_TYPES)}",
            code="E10001",
        )
    rng = np.random.default_rng(0)
    arrays = []
    for info in infos:
        shape = [1 if size < 0 else size for size in info.shape or ()]
        check_shape(info.name, shape, info.datatype)
        if pure_data_type == "zero":
            arrays.append(np.zeros(shape, info.datatype))
        elif np.dtype(info.datatype).kind in "iub":
            arrays.append(rng.integers(0, 2, shape).astype(info.datatype))
        else:
            arrays.append(rng.random(shape).astype(info.datatype))
    return arrays


def _batch(paths: Sequence[Path], info: TensorInfo) -> Array:
    parts = [_read(path, info, len(paths)) for path in paths]
    if len(parts) == 1:
        return parts[0]
    rank = len(info.shape or ())
    return np.concatenate([part[None] if part.ndim == rank - 1 else part for part in parts])


def _read(path: Path, info: TensorInfo, count: int) -> Array:
    """One of `count` files of a batch."""
    if path.suffix == ".bin":
        return _read_bin(path, info, count)
    if path.suffix not in SUFFIXES:
        raise MaxPoolGradError(
            f"{path}: its suffix is {quoted(path.suffix)}; inputs are .npy files, or .bin files of bare "
            "elements",
            code="E13026",
        )
    array = _read_npy(path)
    if array.dtype.newbyteorder("=") != np.dtype(info.datatype):
        raise MaxPoolGradError(
            f"{path}: input {quoted(info.name)} is given as {array.dtype}; it takes {info.datatype}: convert "
            "it with astype",
            code="145000",
        )
    return array


def _read_bin(path: Path, info: TensorInfo, count: int) -> Array:
    data = read_file(path)
    dtype = np.dtype(info.datatype)
    shape = _open_size_filled(info, len(data) // dtype.itemsize)
    if count > 1:
        shape[0] //= count
    wanted = math.prod(shape) * dtype.itemsize
    if wanted != len(data):
        raise MaxPoolGradError(
            f"{path}: it has {len(data)} bytes; input {quoted(info.name)} takes {_wanted(info, shape)}",
            code="145000",
        )
    return np.frombuffer(data, dtype).reshape(shape)


def _wanted(info: TensorInfo, shape: list[int]) -> str:
    """The bytes that a .bin of this shape has, or of which it has a multiple where a size is open."""
    given = [-1] if info.shape is None else list(info.shape)
    sizes, times = (given, "a multiple of ") if -1 in given else (shape, "")
    count = math.prod(size for size in sizes if size >= 0) * np.dtype(info.datatype).itemsize
    return f"{times}{count}, {info.datatype} {sizes}"


def _read_npy(path: Path) -> Array:
    read_file(path)  # its errors are one line
    try:
        array: Array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise MaxPoolGradError(
            f"{path}: it is no .npy file of numbers; write it with numpy.save", code="E13005"
        ) from error
    return array


def _open_size_filled(info: TensorInfo, elements: int) -> list[int]:
    """The shape, an open size from the number of elements."""
    if info.shape is None:
        return [elements]
    shape = list(info.shape)
    if shape.count(-1) == 1:
        known = math.prod(size for size in shape if size >= 0)
        shape[shape.index(-1)] = elements // known if known else 0
    if -1 in shape:
        raise MaxPoolGradError(
            f"input {quoted(info.name)} has the shape {list(info.shape)}, and a .bin does not say which "
            "sizes are meant; give it as .npy, or say them with --dymShape",
            code="145000",
        )
    return shape
