"""Protobuf messages whose large fields stay where they are.

protobuf copies every byte of a message at least once, and again for each field that is read. Here a message
is walked as it lies in a file, in protobuf's wire format (https://protobuf.dev/programming-guides/encoding),
and written anew in pieces, of which the large ones are views.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Piece: TypeAlias = bytes | memoryview
Path: TypeAlias = Mapping[int, "Path | None"]
"""Numbers of fields that lead to others; None where the field is the one that is meant."""

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10


@dataclass(frozen=True, slots=True)
class Field:
    """A length-delimited field: its number, where it begins, and its content up to its end."""

    number: int
    start: int
    content: int
    end: int


def fields(message: memoryview) -> Iterator[Field]:
    """The length-delimited fields of a message, in order. Raises ValueError where it is none."""
    position = 0
    while position < len(message):
        start = position
        key, position = _varint(message, position)
        kind = key & 7
        if kind == _BYTES:
            length, position = _varint(message, position)
            content, position = position, position + length
            if position <= len(message):
                yield Field(key >> 3, start, content, position)
        elif kind == _VARINT:
            _, position = _varint(message, position)
        elif kind in (_FIXED64, _FIXED32):
            position += 8 if kind == _FIXED64 else 4
        else:
            raise ValueError(f"a field of the kind {kind}")
        if position > len(message):
            raise ValueError("a field runs past the end")


def rewritten(
    message: memoryview,
    path: Path,
    enter: Callable[[memoryview], bool],
    edit: Callable[[memoryview], Sequence[Piece]],
) -> list[Piece]:
    """The message in pieces, each field at the end of `path` with the content that `edit` gives it.

    Only fields whose content `enter` says are looked at. Raises ValueError where the message is none.
    """
    pieces: list[Piece] = []
    kept = 0
    for field in fields(message):
        if field.number not in path:
            continue
        content = message[field.content : field.end]
        if not enter(content):
            continue
        further = path[field.number]
        new = edit(content) if further is None else rewritten(content, further, enter, edit)
        length = sum(map(len, new))
        pieces += (message[kept : field.start], _key(field.number), _encoded(length), *new)
        kept = field.end
    pieces.append(message[kept:])
    return pieces


def _varint(data: memoryview, position: int) -> tuple[int, int]:
    value = 0
    for number, byte in enumerate(data[position : position + _LONGEST_VARINT]):
        value |= (byte & 0x7F) << (7 * number)
        if byte < 0x80:
            return value, position + number + 1
    raise ValueError("a number that does not end")


def _key(number: int) -> bytes:
    return _encoded(number << 3 | _BYTES)


def _encoded(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
