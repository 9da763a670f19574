"""WEIGHTS_DATA: the elements of Const nodes, laid out as atc does; their descriptors say where."""

from __future__ import annotations

from typing import Any

from ..ge_ir import Tensor
from ..ge_ir.decode import Fetch
from ..ge_ir.refusal import fail

# atc's: nothing lies at offset 0, every constant is aligned, and the last one may be read 32 bytes too far.
_START = 512
_ALIGNMENT = 512
_PADDING = 32


class WeightLayout:
    """Takes the elements of one constant after another; keeps views of them, no copies."""

    def __init__(self) -> None:
        self._pieces: list[bytes | memoryview] = []
        self._size = 0

    def store(self, tensor: Tensor, message: Any) -> None:
        """Lay a constant out; its TensorDef says where it lies instead of holding it."""
        self._fill_up(max(_START, _aligned(self._size)))
        data = tensor.buffer()
        message.desc.data_offset = self._size
        message.desc.weight_size = len(data)
        self._append(data)

    def pieces(self) -> list[bytes | memoryview]:
        """The whole partition; nothing where there are no constants."""
        if self._pieces:
            self._fill_up(_aligned(self._size + _PADDING))
        return self._pieces

    def _fill_up(self, size: int) -> None:
        if size > self._size:
            self._append(bytes(size - self._size))

    def _append(self, piece: bytes | memoryview) -> None:
        self._pieces.append(piece)
        self._size += len(piece)


def fetch_from(weights: bytes | memoryview, source: str) -> Fetch:
    """Finds the elements of a TensorDef in this partition, or in the TensorDef where they lie there."""
    view = memoryview(weights)

    def fetch(message: Any, where: str) -> bytes | memoryview:
        offset, size = message.desc.data_offset, message.desc.weight_size
        if message.data or not size:
            data: bytes = message.data
            return data
        if offset < 0 or size < 0 or offset + size > len(view):
            found = f"its weights are {size} bytes at {offset}"
            fail(where, found, f"WEIGHTS_DATA has {len(view)} bytes")
        return view[offset : offset + size]

    return fetch


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
