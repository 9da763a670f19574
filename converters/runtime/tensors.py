"""What a session says of its inputs and outputs, and how arrays given to it are checked."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted


@dataclass(frozen=True)
class TensorInfo:
    """An input or output.

    `datatype` is NumPy's name; -1 in `shape` is any size, shape None any rank; `format` is GE's layout;
    `realsize` and `size` are the size in bytes, 0 where the shape leaves it open.
    """

    name: str
    shape: tuple[int, ...] | None
    datatype: str
    format: str

    @property
    def realsize(self) -> int:
        """Bytes; 0 where a size is not known."""
        if self.shape is None or any(size < 0 for size in self.shape):
            return 0
        return math.prod(self.shape) * np.dtype(self.datatype).itemsize

    @property
    def size(self) -> int:
        """The same: ais_bench has both, which differ where a profile is chosen."""
        return self.realsize


Feeds = Sequence[npt.ArrayLike] | Mapping[str, npt.ArrayLike]


def checked_feeds(model: str, infos: Sequence[TensorInfo], feeds: Feeds) -> dict[str, Array]:
    """The arrays by input name, each of the input's dtype and shape, in C order.

    A sequence is in the order of the inputs; a mapping goes by name. Raises MaxPoolGradError (E10016 a name,
    145000 number, dtype or size) that names the input, what was given and what is wanted.
    """
    if isinstance(feeds, Mapping):
        by_name = dict(feeds)
        check_names(model, [info.name for info in infos], list(by_name))
    else:
        names = ", ".join(quoted(info.name) for info in infos)
        if not _is_list(feeds):
            raise MaxPoolGradError(
                f"{model}: the inputs are given as {type(feeds).__name__}; give a list of arrays, for "
                f"{names}, or a dict by name",
                code="145000",
            )
        if len(feeds) != len(infos):
            raise MaxPoolGradError(
                f"{model}: {len(feeds)} inputs are given; it takes {len(infos)}: {names}", code="145000"
            )
        by_name = {info.name: value for info, value in zip(infos, feeds, strict=True)}
    return {info.name: _checked(model, info, by_name[info.name]) for info in infos}


def _is_list(feeds: Any) -> bool:
    """One array is none: its first axis would be taken for the inputs."""
    return isinstance(feeds, Collection) and not isinstance(feeds, np.ndarray)


def check_names(model: str, wanted: list[str], given: list[str]) -> None:
    """Raise MaxPoolGradError (E10016) for a name that the model has no input of, and for one left out."""
    unknown = [name for name in given if name not in wanted]
    missing = [name for name in wanted if name not in given]
    takes, has = (", ".join(map(quoted, names)) for names in (wanted, given))
    if unknown:
        raise MaxPoolGradError(
            f"{model}: it has no input {quoted(unknown[0])}; its inputs are {takes}", code="E10016"
        )
    if missing:
        raise MaxPoolGradError(
            f"{model}: input {quoted(missing[0])} is not given; it takes {takes}, given are {has or 'none'}",
            code="E10016",
        )


def _checked(model: str, info: TensorInfo, value: npt.ArrayLike) -> Array:
    array = np.asarray(value)
    wanted = np.dtype(info.datatype)
    subject = f"{model}: input {quoted(info.name)}"
    if array.dtype.newbyteorder("=") != wanted:
        raise MaxPoolGradError(
            f"{subject} is given as {array.dtype}; it takes {wanted}: convert it with astype", code="145000"
        )
    if not fits(array.shape, info.shape):
        given = f"{list(array.shape)} ({array.nbytes} bytes)"
        size = f" ({info.realsize} bytes)" if info.realsize else ""
        raise MaxPoolGradError(
            f"{subject} is given with the shape {given}; it takes {list(info.shape or ())}{size}",
            code="145000",
        )
    return np.ascontiguousarray(array, wanted).reshape(array.shape)


def fits(shape: tuple[int, ...], wanted: tuple[int, ...] | None) -> bool:
    """Whether a shape is the one that is wanted, which may leave sizes or all of them open."""
    if wanted is None:
        return True
    return len(shape) == len(wanted) and all(b < 0 or a == b for a, b in zip(shape, wanted, strict=True))


def check_shape(name: str, shape: Sequence[int], datatype: str) -> None:
    """Raise MaxPoolGradError where no array has this shape: too large, too many axes, or a size left open."""
    try:
        np.broadcast_to(np.zeros((), datatype), tuple(shape))
    except ValueError as error:
        raise MaxPoolGradError(
            f"{quoted(name)} has the shape {list(shape)}, which no array has ({error}); give the model a "
            "shape that is meant",
            code="145000",
        ) from error
