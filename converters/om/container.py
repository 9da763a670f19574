"""An .om as partitions: reads the old and the current layout, writes the current one.

Layout: the header, then per model a table of partitions and the partitions back to back. The offsets in a
table are ignored, as by GE's own loader. Nothing is allocated by a length that a file declares.
"""

from __future__ import annotations

import enum
import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from maxpoolgrad_onnx.errors import quoted
from maxpoolgrad_onnx.files import map_file, write_atomically

from ..ge_ir.refusal import BAD_FILE, fail
from .header import CURRENT_VERSION, FLOW_MODEL, MAGIC, OLD_VERSION, Header
from .header import SIZE as HEADER_SIZE


class PartitionType(enum.IntEnum):
    """What a partition holds."""

    MODEL_DEF = 0
    WEIGHTS_DATA = 1
    TASK_INFO = 2
    TBE_KERNELS = 3
    CUST_AICPU_KERNELS = 4
    SO_BINS = 5
    FLOW_MODEL = 6
    FLOW_SUBMODEL = 7
    MODEL_INOUT_INFO = 8
    STATIC_TASK_DESC = 9
    DYNAMIC_TASK_DESC = 10
    TASK_PARAM = 11
    TILING_DATA = 12
    PRE_MODEL_DESC = 20
    PRE_MODEL_SQE = 21
    PRE_KERNEL_ARGS = 22
    PRE_MODEL_DESC_EXTEND = 23
    BUNDLE_MODEL_INFO = 24
    BUNDLE_MODEL_VAR_INFO = 25
    CUSTOM_OPS = 26


Buffer = bytes | memoryview

_KNOWN_TYPES = frozenset(map(int, PartitionType))

_OLD_TABLE = (struct.Struct("<I"), struct.Struct("<III"))
_CURRENT_TABLE = (struct.Struct("<I4x"), struct.Struct("<I4xQQ"))
_MOST_PARTITIONS = 8
_MOST_FLOW_PARTITIONS = 4096


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition's type (a PartitionType, or a number that is none) and its bytes, in one or more pieces."""

    type: int
    pieces: Sequence[Buffer]

    @property
    def label(self) -> str:
        """The type's name, or its number where it has none."""
        return type_label(self.type)

    @property
    def size(self) -> int:
        """Bytes in all pieces."""
        return sum(len(piece) for piece in self.pieces)

    @property
    def data(self) -> Buffer:
        """All bytes at once: a view where they lie in one piece, a copy where not."""
        return self.pieces[0] if len(self.pieces) == 1 else b"".join(self.pieces)


@dataclass(frozen=True, slots=True)
class OmFile:
    """A header, and per model its partitions (most files hold one model).

    `oddities` are what a reader found strange but GE's loader takes: for people, not compared.
    """

    header: Header
    models: Sequence[Sequence[Partition]]
    oddities: Sequence[str] = field(default=(), compare=False)

    @property
    def partitions(self) -> Sequence[Partition]:
        """The first model's."""
        return self.models[0]

    def find(self, type: PartitionType, model: int = 0) -> Partition | None:
        """The first partition of a type in a model, or None."""
        return next((found for found in self.models[model] if found.type == type), None)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Map a file and read it; the partitions are views into it. Raises MaxPoolGradError if it is bad."""
        return cls.from_bytes(map_file(path), os.fspath(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file, piece by piece. Raises MaxPoolGradError where that fails."""
        write_atomically(path, self.pieces())

    @classmethod
    def from_bytes(cls, data: Buffer, source: str = "the .om file") -> Self:
        """Read a file's bytes. Raises MaxPoolGradError that names `source`, field and value."""
        view = memoryview(data)
        found = _read_header(view, source)
        body = view[HEADER_SIZE:]
        oddities = _header_oddities(found)
        models: list[list[Partition]] = []
        position = 0
        for _ in range(found.table_count):
            partitions, position = _read_model(body, position, found, source, oddities)
            models.append(partitions)
        if position != len(body):
            left = len(body) - position
            if found.table_count > 1:
                fail(source, f"{left} bytes follow its last model", "the models fill the file", BAD_FILE)
            oddities.append(f"{left} bytes follow the last partition")
        return cls(found, models, oddities)

    def to_bytes(self) -> bytes:
        """The whole file."""
        return b"".join(self.pieces())

    def pieces(self) -> Iterator[Buffer]:
        """The file's bytes in order. Raises MaxPoolGradError for what no reader takes."""
        tables = [_table(partitions) for partitions in self.models]
        length = sum(map(len, tables)) + sum(part.size for partitions in self.models for part in partitions)
        yield replace(
            self.header,
            magic=MAGIC,
            header_size=HEADER_SIZE,
            version=CURRENT_VERSION,
            length=0,
            model_num=len(self.models),
            model_length=length,
        ).to_bytes()
        for table, partitions in zip(tables, self.models, strict=True):
            yield table
            for partition in partitions:
                yield from partition.pieces


def type_label(number: int) -> str:
    """The name of a partition type, or its number where it has none."""
    return PartitionType(number).name if number in _KNOWN_TYPES else str(number)


def _read_header(data: memoryview, source: str) -> Header:
    if len(data) < HEADER_SIZE:
        allowed = f"an .om begins with a header of {HEADER_SIZE}: copy or compile it again"
        fail(source, f"its size in bytes is {len(data)}", allowed, BAD_FILE)
    found = Header.from_bytes(data)
    if found.magic != MAGIC:
        allowed = f"that of an .om is 0x{MAGIC:08X}: give an .om, or copy it again"
        fail(source, f"its magic is 0x{found.magic:08X}", allowed, BAD_FILE)
    follow = len(data) - HEADER_SIZE
    if found.data_length != follow:
        name = "model_length" if found.model_length else "length"
        told = f"its {name} is {found.data_length}, but {follow} bytes follow the header"
        fail(source, told, "copy or compile it again", BAD_FILE)
    if not found.table_count:
        fail(source, "its model_num is 0", "an .om holds at least one model", BAD_FILE)
    return found


def _header_oddities(found: Header) -> list[str]:
    oddities = []
    if found.header_size != HEADER_SIZE:
        oddities.append(f"header_size is {found.header_size}, not 256")
    if found.version not in (CURRENT_VERSION, OLD_VERSION):
        oddities.append(f"version is 0x{found.version:08X}, known are 0x10000000 and 0x20000000")
    if found.is_encrypt:
        oddities.append("is_encrypt is set")
    return oddities


def _read_model(
    body: memoryview, start: int, found: Header, source: str, oddities: list[str]
) -> tuple[list[Partition], int]:
    """A table at `start` and its partitions, and where they end."""
    entries, position = _read_table(body, start, found, source)
    base = position
    partitions = []
    for number, (type, offset, size) in enumerate(entries):
        name = f"partition {number} ({type_label(type)})"
        if size > len(body) - position:
            fail(source, f"{name} has the size {size}", f"{len(body) - position} bytes are left", BAD_FILE)
        if offset != position - base:
            oddities.append(f"{name} has the offset {offset}, but lies at {position - base}")
        if type not in _KNOWN_TYPES:
            oddities.append(f"{name} is of no known type")
        partitions.append(Partition(type, (body[position : position + size],)))
        position += size
    if position == base:
        fail(source, "all its partitions are empty", "an .om holds a model", BAD_FILE)
    return partitions, position


def _read_table(
    body: memoryview, start: int, found: Header, source: str
) -> tuple[list[tuple[int, int, int]], int]:
    head, entry = _OLD_TABLE if found.has_old_layout else _CURRENT_TABLE
    left = len(body) - start
    if left < head.size:
        fail(source, f"{left} bytes are left for a partition table", f"its least is {head.size}", BAD_FILE)
    (count,) = head.unpack_from(body, start)
    most = _MOST_FLOW_PARTITIONS if found.model_type == FLOW_MODEL else _MOST_PARTITIONS
    if not 1 <= count <= most:
        fail(source, f"its partition table counts {count}", f"1 to {most} partitions are allowed", BAD_FILE)
    size = head.size + count * entry.size
    if left < size:
        too_many = f"its partition table counts {count} partitions"
        fail(source, too_many, f"it would take {size} bytes where {left} are left", BAD_FILE)
    return [entry.unpack_from(body, start + head.size + i * entry.size) for i in range(count)], start + size


def _table(partitions: Sequence[Partition]) -> bytes:
    if not 1 <= len(partitions) <= _MOST_PARTITIONS:
        allowed = f"1 to {_MOST_PARTITIONS} are allowed"
        fail("the .om file", f"it would have {len(partitions)} partitions", allowed)
    head, entry = _CURRENT_TABLE
    table, offset = [head.pack(len(partitions))], 0
    for partition in partitions:
        if not partition.size:
            fail("the .om file", f"its partition {quoted(partition.label)} would be empty", "leave it out")
        table.append(entry.pack(partition.type, offset, partition.size))
        offset += partition.size
    return b"".join(table)
