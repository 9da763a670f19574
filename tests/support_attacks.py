"""Hostile files for tests: random damage to good ones."""

from __future__ import annotations

import contextlib
import random
from typing import Any

from google.protobuf.message import Message

from support_protobuf import varint

_EDGES = (0, 1, 0x7F, 0x80, 0xFE, 0xFF)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The file with one to four random changes."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        _change(changed, rng)
    return bytes(changed)


def _change(data: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice((1, 2, 4, 8, 64, len(data))))
    match rng.randrange(8):
        case 0:
            data[start:end] = bytes(rng.choice(_EDGES) for _ in range(min(end - start, 8)))
        case 1:
            del data[start:]
        case 2:
            del data[start:end]
        case 3:
            data[start:start] = data[start:end]
        case 4:
            data[start:start] = rng.randbytes(rng.randint(1, 16))
        case 5:
            data[start : start + 4] = rng.choice((0, 1, 255, 2**31 - 1, 2**32 - 1)).to_bytes(4, "little")
        case 6:
            data[start:end] = varint(rng.choice((2**7, 2**28, 2**31, 2**63, 2**64 - 1)))
        case _:
            if start < len(data):
                data[start] ^= 1 << rng.randrange(8)


_NUMBERS = (0, 1, 2, 3, 27, 43, -1, -2, -3, 255, 2**31 - 1, 2**62)
_TEXTS = ("", "x", "x:0", "x:-1", "conv:0", "nobody:7", "NHWC", "Const", "Data", "\n\x1b[31m", "a" * 1000)


def disturbed(message: Any, rng: random.Random) -> None:
    """Change a protobuf message in one to four random places, so that it stays a message."""
    for _ in range(rng.randint(1, 4)):
        with contextlib.suppress(ValueError):  # a number that the field's type does not hold
            _disturb(message, rng)


def _disturb(message: Any, rng: random.Random) -> None:
    """Walk to a random field and change, remove or repeat what it holds."""
    present = message.ListFields()
    if not present:
        return
    field, value = rng.choice(present)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        key = rng.choice(sorted(value))
        if rng.randrange(5):
            _disturb(value[key], rng)
        else:
            del value[key]
    elif isinstance(value, str | bytes | int | float):
        setattr(message, field.name, _other(value, rng))
    elif field.message_type is None or not isinstance(value, Message):
        _disturb_list(value, field.message_type is not None, rng)
    elif rng.randrange(6):
        _disturb(value, rng)
    else:
        message.ClearField(field.name)


def _disturb_list(values: Any, holds_messages: bool, rng: random.Random) -> None:
    index = rng.randrange(len(values))
    action = rng.randrange(8)
    if action == 0:
        del values[index]
    elif action == 1:
        values.append(values[index])
    elif holds_messages:
        _disturb(values[index], rng)
    else:
        values[index] = _other(values[index], rng)


def _other(value: str | bytes | float, rng: random.Random) -> Any:
    if isinstance(value, str):
        return rng.choice(_TEXTS)
    if isinstance(value, bytes):
        return rng.choice((value[:-1], value + b"\0", b"", b"\xff", *(text.encode() for text in _TEXTS)))
    if isinstance(value, bool):
        return not value
    return type(value)(rng.choice(_NUMBERS[:-1] if isinstance(value, float) else _NUMBERS))
