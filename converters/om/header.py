"""The 256 bytes that an .om begins with."""

from __future__ import annotations

import struct
from dataclasses import astuple, dataclass
from typing import Self

MAGIC = 0x444F4D49
SIZE = 256
CURRENT_VERSION = 0x20000000
OLD_VERSION = 0x10000000

FLOW_MODEL = 3
"""Header.model_type of a container of several models, whose table may be long."""

_STRUCT = struct.Struct("<III64sI4B32sI32sII20sB3xQ2B62s")
_NAME_LENGTH = 31  # and a zero


@dataclass(frozen=True, slots=True)
class Header:
    """Every field in the file's order; texts as bytes, zeros at the end included when read."""

    magic: int = MAGIC
    header_size: int = SIZE
    version: int = CURRENT_VERSION
    checksum: bytes = b""
    length: int = 0
    is_encrypt: int = 0
    is_checksum: int = 0
    model_type: int = 0
    gen_mode: int = 0
    name: bytes = b""
    ops: int = 0
    user_defined_info: bytes = b""
    om_ir_version: int = 0
    model_num: int = 1
    platform_version: bytes = b""
    platform_type: int = 0
    model_length: int = 0
    need_check_os_cpu_info: int = 0
    is_unknown_model: int = 0
    reserved: bytes = b""

    @classmethod
    def named(cls, name: str, om_ir_version: int = 0) -> Self:
        """The header of a model of this name, which is cut to 31 bytes."""
        short = name.encode("utf-8", "replace")[:_NAME_LENGTH].decode("utf-8", "ignore")
        return cls(name=short.encode(), om_ir_version=om_ir_version)

    @classmethod
    def from_bytes(cls, data: bytes | memoryview) -> Self:
        """The fields in the first 256 bytes of `data`, unchecked."""
        return cls(*_STRUCT.unpack_from(data))

    def to_bytes(self) -> bytes:
        """The header's 256 bytes."""
        return _STRUCT.pack(*astuple(self))

    @property
    def model_name(self) -> str:
        """The name without the zeros that fill its field."""
        return self.name.partition(b"\0")[0].decode("utf-8", "replace")

    @property
    def data_length(self) -> int:
        """How many bytes follow the header: `model_length`, or `length` in the old layout."""
        return self.model_length or self.length

    @property
    def has_old_layout(self) -> bool:
        """Whether the partition table is the old one, of 32-bit sizes."""
        return not self.model_length and self.model_type != FLOW_MODEL

    @property
    def table_count(self) -> int:
        """How many partition tables follow, each with its partitions."""
        is_dynamic = self.version >= CURRENT_VERSION and (self.model_num > 1 or self.is_unknown_model == 1)
        return self.model_num if is_dynamic else 1
