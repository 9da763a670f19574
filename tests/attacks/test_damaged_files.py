"""Good files with random damage: each is read, or refused in one line."""

from __future__ import annotations

import random
import struct
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from maxpoolgrad_onnx.converters.ge_ir import GeModel, KernelLaunch
from maxpoolgrad_onnx.converters.ge_ir.wire import ModelDef
from maxpoolgrad_onnx.converters.om import (
    OmFile,
    Partition,
    PartitionType,
    for_host,
    from_om,
    launches_of,
    metadata_of,
    to_om,
)
from maxpoolgrad_onnx.converters.om.inout_info import from_bytes
from maxpoolgrad_onnx.errors import MaxPoolGradError
from support_attacks import damaged, disturbed
from support_ge import small_model

Scale = Callable[[int, int], int]

GOOD = for_host(small_model(), "Ascend910B1")
AIR = GOOD.to_bytes()
OM = to_om(GOOD, {"conv": KernelLaunch("kernel", 1, bytes(range(32)), 4, (64,), 0, 128)})


def read_air(data: bytes) -> None:
    GeModel.from_bytes(data).to_bytes()


def read_om(data: bytes) -> None:
    om = OmFile.from_bytes(data)
    info = om.find(PartitionType.MODEL_INOUT_INFO)
    if info is not None:
        from_bytes(info.data, "the .om file")
    model = from_om(om)
    metadata_of(model)
    to_om(model, launches_of(om))


def outcome(read: Callable[[bytes], None], data: bytes) -> str:
    """The refusal's line, or "" where the file was read."""
    start = time.process_time()
    try:
        read(data)
        line = ""
    except MaxPoolGradError as error:
        line = str(error)
    assert time.process_time() - start < 5
    return line


def check(read: Callable[[bytes], None], files: dict[int, bytes], both: bool) -> None:
    """Read them all. `both`: enough of them must be taken, and enough refused."""
    lines = {seed: outcome(read, data) for seed, data in files.items()}
    assert not [seed for seed, line in lines.items() if "\n" in line or len(line) > 500]
    counts = Counter(bool(line) for line in lines.values())
    assert counts[True] > len(files) // 10
    assert counts[False] > len(files) // 50 or not both


def test_air_with_damaged_bytes(scale: Scale) -> None:
    seeds = range(scale(1000, 10_000))
    check(read_air, {seed: damaged(AIR, random.Random(seed)) for seed in seeds}, both=True)


def test_air_with_disturbed_fields(scale: Scale) -> None:
    files = {}
    for seed in range(scale(1000, 10_000)):
        message = ModelDef.FromString(AIR)
        disturbed(message, random.Random(seed))
        files[seed] = message.SerializeToString()
    check(read_air, files, both=True)


def test_om_with_damaged_bytes(scale: Scale) -> None:
    data = OM.to_bytes()
    check(
        read_om, {seed: damaged(data, random.Random(seed)) for seed in range(scale(1000, 10_000))}, both=False
    )


def test_om_with_damage_behind_a_right_length(scale: Scale) -> None:
    whole = OM.to_bytes()
    files = {}
    for seed in range(scale(1000, 10_000)):
        body = damaged(whole[256:], random.Random(seed))
        files[seed] = whole[:184] + struct.pack("<Q", len(body)) + whole[192:256] + body
    check(read_om, files, both=True)


def test_om_with_disturbed_fields(scale: Scale) -> None:
    definition = OM.find(PartitionType.MODEL_DEF)
    assert definition is not None
    files = {}
    for seed in range(scale(1000, 10_000)):
        message = ModelDef.FromString(bytes(definition.data))
        disturbed(message, random.Random(seed))
        changed = Partition(PartitionType.MODEL_DEF, (message.SerializeToString() or b"\0",))
        parts = [changed if part is definition else part for part in OM.partitions]
        files[seed] = replace(OM, models=[parts]).to_bytes()
    check(read_om, files, both=True)
