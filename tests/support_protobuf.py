"""Pieces of protobuf by hand."""

from __future__ import annotations


def varint(value: int) -> bytes:
    """A number as protobuf writes it, a negative one in 64 bits."""
    value &= 2**64 - 1
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def number(field: int, value: int) -> bytes:
    """A field that is a number."""
    return varint(field << 3) + varint(value)


def block(field: int, data: bytes | str) -> bytes:
    """A field of known length: a text, a message or a packed list."""
    content = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(content)) + content
