"""Files below 1 MB that are made to cost as much as they can: time, memory, depth."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support_peak import PEAK
from support_protobuf import block, number

MAXIMUM_SECONDS = 5
MAXIMUM_BYTES = 2**30
NODE = block(1, b"n") + block(2, b"T")
DESC = block(4, b"ND")
SIZE_1 = block(3, block(1, b"\1"))
HUGE = b"\xff" * 8 + b"\x7f"  # 2**63 - 1


def model(*ops: bytes) -> bytes:
    return block(7, block(1, b"g") + b"".join(block(6, op) for op in ops))


def with_attr(value: bytes) -> bytes:
    return model(NODE + block(10, block(1, b"value") + block(2, value)))


def with_list(field: int, element: bytes, count: int, val_type: int) -> bytes:
    return with_attr(block(1, block(field, element) * count + number(20, val_type)))


def with_constant(shape: bytes, data: bytes = b"") -> bytes:
    return with_attr(block(12, block(1, DESC + number(2, 1) + block(3, block(1, shape))) + data))


def nested(levels: int) -> bytes:
    value = number(3, 1)
    for _ in range(levels):
        value = block(10, block(2, block(1, b"a") + block(2, value)))
    return with_attr(value)


def nested_graphs(levels: int) -> bytes:
    value = number(3, 1)
    for _ in range(levels):
        value = block(13, block(1, b"g") + block(6, NODE + block(10, block(1, b"a") + block(2, value))))
    return with_attr(value)


def graph(name: bytes, *calls: bytes) -> bytes:
    op = NODE + b"".join(block(35, call) for call in calls)
    return block(7, block(1, name) + block(6, op))


def om(body: bytes, model_num: int = 1) -> bytes:
    head = struct.pack("<III", 0x444F4D49, 256, 0x20000000).ljust(156, b"\0") + struct.pack("<I", model_num)
    return head.ljust(184, b"\0") + struct.pack("<Q", len(body)).ljust(72, b"\0") + body


def partitions(*found: tuple[int, bytes]) -> bytes:
    entries = b"".join(struct.pack("<I4xQQ", kind, 0, len(data)) for kind, data in found)
    return struct.pack("<I4x", len(found)) + entries + b"".join(data for _, data in found)


def air_files(size: int) -> Iterator[tuple[str, bytes]]:
    yield "input descriptions", model(NODE + block(33, DESC) * (size // 6))
    yield "nodes", model(*(block(1, b"%d" % i) + block(2, b"T") for i in range(size // 12)))
    yield "empty named attributes", with_list(11, b"", size // 2, 9)
    yield "ints", with_attr(block(1, block(3, b"\1" * size) + number(20, 2)))
    yield "empty lists of ints", with_attr(block(14, block(1, b"") * (size // 2)))
    yield "descriptions in a list", with_list(8, DESC, size // 6, 6)
    yield (
        "tensors in a list",
        with_list(9, block(1, DESC + number(2, 3) + SIZE_1) + block(2, b"\0"), size // 19, 7),
    )
    yield "graphs in a list", with_list(10, block(1, b"g"), size // 5, 8)
    yield "attributes", model(NODE + b"".join(block(10, block(1, b"%x" % i)) for i in range(size // 10)))
    yield "control edges", model(NODE, block(1, b"m") + block(2, b"T") + block(5, b"n:-1") * (size // 6))
    fan = (block(5, b"n:0") + block(33, DESC)) * (size // 12)
    yield "data edges", model(NODE + block(34, DESC), block(1, b"m") + block(2, b"T") + fan)
    yield "graphs", b"".join(block(7, block(1, b"%d" % i)) for i in range(size // 10))
    yield "calls", graph(b"g", *[b"f"] * (size // 3)) + graph(b"f")
    yield "sizes of a shape", with_constant(HUGE * (size // 9))
    yield "sizes beside a zero", with_constant(b"\0" + HUGE * 3)
    yield "shape past the memory", with_constant(HUGE * 32)
    yield "nested attributes", nested(24)
    yield "deeply nested attributes", nested(size // 40)
    yield "nested graphs", nested_graphs(20)
    yield "long names", model(block(1, b"\n\x1b" * (size // 2)))
    yield "long edge", model(NODE + block(5, b"9" * size))
    yield "long number", model(NODE + block(5, b"n:" + b"9" * size))
    yield "graphs that call each other", graph(b"g", b"f") + graph(b"f", b"g")


def om_files(size: int) -> Iterator[tuple[str, bytes]]:
    yield "many models", om(partitions((0, b"\0")) * (size // 33), size // 33)
    constant = block(12, block(1, DESC + number(2, 4) + number(11, size // 2) + number(18, 0)))
    op = block(2, b"Const") + block(10, block(1, b"value") + block(2, constant))
    shared = model(*(block(1, b"%d" % i) + op for i in range(size // 200)))
    yield "constants without sizes", om(partitions((0, shared), (1, bytes(size // 2))))
    infos = struct.pack("<III", 0, 4, 2**32 - 1)
    yield "count of inputs", om(partitions((8, infos), (0, model(NODE))))
    for name, data in air_files(size // 4):
        yield f"om of {name}", om(partitions((0, data), (2, b"x")))


PROBE = f"""{PEAK}
import json, sys, time
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.errors import MaxPoolGradError
for path in sys.argv[1:]:
    start, outcome = time.process_time(), ""
    try:
        converters.load(path)
    except MaxPoolGradError as error:
        outcome = str(error)
    print(json.dumps([path, outcome, time.process_time() - start, peak()]))
"""


@pytest.mark.parametrize(("files", "suffix"), [(air_files, ".air"), (om_files, ".om")])
def test_none_costs_much(
    files: Callable[[int], Iterator[tuple[str, bytes]]],
    suffix: str,
    tmp_path: Path,
    scale: Callable[[int, int], int],
) -> None:
    paths = []
    for name, data in files(scale(200_000, 900_000)):
        paths.append(tmp_path / (name.replace(" ", "_") + suffix))
        paths[-1].write_bytes(data)
    command = [sys.executable, "-c", PROBE, *map(str, paths)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == len(paths)
    for line in lines:
        path, outcome, seconds, peak = json.loads(line)
        assert "\n" not in outcome, path
        assert len(outcome) < 400 + len(path), path
        assert seconds < MAXIMUM_SECONDS, path
        assert peak < MAXIMUM_BYTES, path
