"""Inputs from files: .npy, .bin, folders of them, or made up."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.files import read_file

from .tensors import TensorInfo

SUFFIXES = (".npy", ".bin")
PURE_DATA_TYPES = ("zero", "random")


@dataclass(frozen=True)
class InputSet:
    """What one run gets: a file for each input, or none where inputs are made up, and a stem for outputs."""

    stem: str
    files: Sequence[Path]


MADE_UP = InputSet("pure_infer_data", ())


def input_sets(
    model: str, infos: Sequence[TensorInfo], paths: Sequence[str | os.PathLike[str]]
) -> list[InputSet]:
    """One set for each file; where paths are folders, for the files in them, in the order of their names.

    `paths` has a file or folder for each input, or is empty: then inputs are made up. Raises
    MaxPoolGradError.
    """
    if not paths:
        return [MADE_UP]
    if len(paths) != len(infos):
        names = ", ".join(quoted(info.name) for info in infos)
        raise MaxPoolGradError(
            f"{model}: {len(paths)} input paths are given; it takes {len(infos)}, for {names}", code="145000"
        )
    columns = [_files(Path(path)) for path in paths]
    if len({len(column) for column in columns}) > 1:
        found = ", ".join(f"{path} has {len(column)}" for path, column in zip(paths, columns, strict=True))
        raise MaxPoolGradError(f"the inputs have different numbers of files: {found}; give as many of each")
    return [InputSet(files[0].stem, files) for files in zip(*columns, strict=True)]


def read_set(infos: Sequence[TensorInfo], files: InputSet, batch_size: int | None) -> list[Array]:
    """The arrays of a set's files, in the order of the inputs.

    A .bin holds the bare elements; a size that the model leaves open is then `batch_size`, or follows from
    the number of bytes. Raises MaxPoolGradError that names file and input.
    """
    return [_read(path, info, batch_size) for path, info in zip(files.files, infos, strict=True)]


def made_up(infos: Sequence[TensorInfo], pure_data_type: str, batch_size: int | None) -> list[Array]:
    """Arrays without files: zeros, or random numbers (floats in [0, 1), ints 0 or 1, always the same).

    Sizes that the model leaves open are `batch_size`, or 1.
    """
    if pure_data_type not in PURE_DATA_TYPES:
        raise MaxPoolGradError(
            f"pure_data_type is {quoted(pure_data_type)}; allowed are {' and '.join(PURE_DATA_TYPES)}",
            code="E10001",
        )
    rng = np.random.default_rng(0)
    arrays = []
    for info in infos:
        shape = [batch_size or 1 if size < 0 else size for size in info.shape or ()]
        if pure_data_type == "zero":
            arrays.append(np.zeros(shape, info.datatype))
        elif np.dtype(info.datatype).kind in "iub":
            arrays.append(rng.integers(0, 2, shape).astype(info.datatype))
        else:
            arrays.append(rng.random(shape).astype(info.datatype))
    return arrays


def _files(path: Path) -> list[Path]:
    if not os.path.isdir(path):
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES)
    if not files:
        raise MaxPoolGradError(
            f"{path}: the folder has no .npy or .bin file; put inputs there", code="E13001"
        )
    return files


def _read(path: Path, info: TensorInfo, batch_size: int | None) -> Array:
    if path.suffix == ".npy":
        return _read_npy(path)
    if path.suffix != ".bin":
        raise MaxPoolGradError(
            f"{path}: its suffix is {quoted(path.suffix)}; inputs are .npy files, or .bin files of bare "
            "elements",
            code="E13026",
        )
    data = read_file(path)
    dtype = np.dtype(info.datatype)
    shape = _open_sizes_filled(info, len(data) // dtype.itemsize, batch_size)
    wanted = math.prod(shape) * dtype.itemsize
    if wanted != len(data):
        raise MaxPoolGradError(
            f"{path}: it has {len(data)} bytes; input {quoted(info.name)} takes {wanted}, {dtype} {shape}",
            code="145000",
        )
    return np.frombuffer(data, dtype).reshape(shape)


def _read_npy(path: Path) -> Array:
    read_file(path)  # its errors are one line
    try:
        array: Array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise MaxPoolGradError(
            f"{path}: it is no .npy file of numbers; write it with numpy.save", code="E13005"
        ) from error
    return array


def _open_sizes_filled(info: TensorInfo, elements: int, batch_size: int | None) -> list[int]:
    """The shape, an open first size from `batch_size`, one open size left from the number of elements."""
    if info.shape is None:
        return [elements]
    shape = list(info.shape)
    if batch_size and shape and shape[0] < 0:
        shape[0] = batch_size
    if shape.count(-1) == 1:
        known = math.prod(size for size in shape if size >= 0)
        shape[shape.index(-1)] = elements // known if known else 0
    if -1 in shape:
        raise MaxPoolGradError(
            f"input {quoted(info.name)} has the shape {list(info.shape)}, and a .bin does not say which "
            "sizes are meant; give it as .npy",
            code="145000",
        )
    return shape
