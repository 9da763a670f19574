"""Arrays of many gigabytes in little memory: all planes but the last are one and the same."""

from __future__ import annotations

import ctypes
import mmap
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from maxpoolgrad_onnx.arrays import Array

_MAP_SHARED_FIXED = 0x11
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_long,
]


@contextmanager
def repeated(planes: int, shape: tuple[int, ...], dtype: Any) -> Iterator[Array]:
    """An array of shape (planes, *shape); what is written to one plane but the last is in all but the last.

    A plane takes whole pages.
    """
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    assert size % mmap.PAGESIZE == 0
    with tempfile.TemporaryFile() as file:
        os.truncate(file.fileno(), 2 * size)
        whole = mmap.mmap(-1, planes * size, flags=mmap.MAP_PRIVATE | getattr(mmap, "MAP_NORESERVE", 0))
        first = ctypes.addressof(ctypes.c_char.from_buffer(whole))
        for plane in range(planes):
            at, offset = first + plane * size, 0 if plane < planes - 1 else size
            access = mmap.PROT_READ | mmap.PROT_WRITE
            got = _libc.mmap(at, size, access, _MAP_SHARED_FIXED, file.fileno(), offset)
            assert got == at, os.strerror(ctypes.get_errno())
        yield np.frombuffer(whole, dtype).reshape(planes, *shape)
