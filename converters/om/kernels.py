"""TBE_KERNELS and CUST_AICPU_KERNELS: the device binaries of a real compiler, a block for each."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from ..ge_ir.refusal import BAD_FILE, fail
from .container import OmFile, PartitionType

_MAGIC = 0x5D776EFD
_BLOCK = struct.Struct("<III")
_PARTITIONS = (PartitionType.TBE_KERNELS, PartitionType.CUST_AICPU_KERNELS)


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel's name and the size of its binary; `partition` says for which cores it is."""

    name: str
    bytes: int
    partition: str


def kernels_of(om: OmFile, source: str = "the .om file", model: int = 0) -> list[Kernel]:
    """The kernels in a model, in order. Raises MaxPoolGradError where a block is damaged."""
    found = []
    for type in _PARTITIONS:
        partition = om.find(type, model)
        if partition is not None:
            found += _read(memoryview(partition.data), f"{source}, {type.name}", type.name)
    return found


def _read(data: memoryview, where: str, partition: str) -> list[Kernel]:
    kernels, position = [], 0
    while position < len(data):
        left = len(data) - position
        if left < _BLOCK.size:
            fail(where, f"{left} bytes follow its last kernel", "build the .om again", BAD_FILE)
        magic, name_length, size = _BLOCK.unpack_from(data, position)
        if magic != _MAGIC:
            fail(where, f"a block has the magic 0x{magic:08X}", f"it must be 0x{_MAGIC:08X}", BAD_FILE)
        position += _BLOCK.size
        if name_length + size > len(data) - position:
            found = f"a kernel of {name_length + size} bytes is declared at {position}"
            fail(where, found, f"{len(data) - position} are left", BAD_FILE)
        name = str(data[position : position + name_length], "utf-8", "replace")
        kernels.append(Kernel(name, size, partition))
        position += name_length + size
    return kernels
