"""TILING_DATA: launches of kernels, by the ids that an operator's attribute `_op_tiling_ids` names.

A header {u32 magic, u32 version, u32 length}, then records {u8 type, u32 length, bytes}. Each launch is three
of them: its numbers, its tiling data, the ids of the operators that share it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..ge_ir import KernelLaunch
from ..ge_ir.refusal import BAD_FILE, fail

_MAGIC = 0xDD776EFE
_VERSION = 2
_VERSION_BY_OP_ID = 1
_HEADER = struct.Struct("<III")
_RECORD = struct.Struct("<BI")
_NUMBERS, _DATA, _IDS = range(3)
# Tiling key and size of the tiling data; block dim; whether memory is cleared for atomics; tiling condition,
# schedule mode, number of workspaces, local memory; three that are reserved. The workspaces' sizes follow.
_LAUNCH = struct.Struct("<QQI?3xiIII16x")


@dataclass(frozen=True, slots=True)
class TilingData:
    """Launches by id; their symbols are not here. In older files the ids are OpDef.id: `by_op_id`."""

    launches: Mapping[int, KernelLaunch]
    by_op_id: bool = False


def to_bytes(launches: Mapping[int, KernelLaunch]) -> bytes:
    """The partition; no bytes where there is no launch."""
    body = b"".join(piece for id, launch in launches.items() for piece in _records(id, launch))
    return _HEADER.pack(_MAGIC, _VERSION, len(body)) + body if body else b""


def from_bytes(data: bytes | memoryview, source: str) -> TilingData:
    """Read the partition. Raises MaxPoolGradError where its magic or a length is wrong."""
    where = f"{source}, TILING_DATA"
    view = memoryview(data)
    if len(view) < _HEADER.size:
        fail(where, f"it has {len(view)} bytes", f"its header takes {_HEADER.size}; build it again", BAD_FILE)
    magic, version, length = _HEADER.unpack_from(view)
    if magic != _MAGIC:
        fail(where, f"its magic is 0x{magic:08X}", f"it must be 0x{_MAGIC:08X}; build it again", BAD_FILE)
    body = view[_HEADER.size :]
    if length > len(body):
        fail(where, f"{length} bytes are declared", f"{len(body)} are left; build it again", BAD_FILE)
    launches: dict[int, KernelLaunch] = {}
    launch: KernelLaunch | None = None
    for kind, payload in _split(body[:length], where):
        if kind == _NUMBERS:
            launch = _read_launch(payload, where)
        elif launch is None:
            fail(where, f"a record of type {kind} comes before its launch", "build it again", BAD_FILE)
        elif kind == _DATA:
            launch = replace(launch, tiling_data=launch.tiling_data + bytes(payload))
        else:
            launches |= dict.fromkeys(_read_int64s(payload), launch)
            launch = None
    return TilingData(launches, version == _VERSION_BY_OP_ID)


def _records(id: int, launch: KernelLaunch) -> Iterator[bytes]:
    numbers = _LAUNCH.pack(
        launch.tiling_key,
        len(launch.tiling_data),
        launch.block_dim,
        False,
        0,
        launch.schedule_mode,
        len(launch.workspaces),
        launch.local_memory_bytes,
    )
    sizes = struct.pack(f"<{len(launch.workspaces)}q", *launch.workspaces)
    for kind, payload in (
        (_NUMBERS, numbers + sizes),
        (_DATA, launch.tiling_data),
        (_IDS, struct.pack("<q", id)),
    ):
        yield _RECORD.pack(kind, len(payload))
        yield payload


def _split(body: memoryview, where: str) -> Iterator[tuple[int, memoryview]]:
    position = 0
    while position < len(body):
        left = len(body) - position
        if left < _RECORD.size:
            fail(where, f"{left} bytes follow its last record", "build it again", BAD_FILE)
        kind, length = _RECORD.unpack_from(body, position)
        position += _RECORD.size
        if kind > _IDS:
            fail(where, f"a record has the type {kind}", f"0 to {_IDS} are known; build it again", BAD_FILE)
        if length > len(body) - position:
            found = f"a record of {length} bytes is declared at {position}"
            fail(where, found, f"{len(body) - position} are left; build it again", BAD_FILE)
        yield kind, body[position : position + length]
        position += length


def _read_launch(payload: memoryview, where: str) -> KernelLaunch:
    if len(payload) < _LAUNCH.size:
        found = f"a launch has {len(payload)} bytes"
        fail(where, found, f"its numbers take {_LAUNCH.size}; build it again", BAD_FILE)
    key, _, block_dim, _, _, schedule_mode, count, local_memory = _LAUNCH.unpack_from(payload)
    sizes = _read_int64s(payload[_LAUNCH.size :])
    if count > len(sizes):
        fail(where, f"{count} workspaces are declared", f"{len(sizes)} are there; build it again", BAD_FILE)
    return KernelLaunch("", key, b"", block_dim, sizes[:count], schedule_mode, local_memory)


def _read_int64s(data: memoryview) -> tuple[int, ...]:
    count = len(data) // 8
    return struct.unpack(f"<{count}q", data[: count * 8])
