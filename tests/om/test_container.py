from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxpoolgrad_onnx.converters.om import Header, OmFile, Partition, PartitionType
from maxpoolgrad_onnx.errors import MaxPoolGradError

# Field, offset and struct format, from the format's public description.
FIELDS = {
    "magic": (0, "I"),
    "header_size": (4, "I"),
    "version": (8, "I"),
    "checksum": (12, "64s"),
    "length": (76, "I"),
    "is_encrypt": (80, "B"),
    "is_checksum": (81, "B"),
    "model_type": (82, "B"),
    "gen_mode": (83, "B"),
    "name": (84, "32s"),
    "ops": (116, "I"),
    "user_defined_info": (120, "32s"),
    "om_ir_version": (152, "I"),
    "model_num": (156, "I"),
    "platform_version": (160, "20s"),
    "platform_type": (180, "B"),
    "model_length": (184, "Q"),
    "need_check_os_cpu_info": (192, "B"),
    "is_unknown_model": (193, "B"),
    "reserved": (194, "62s"),
}
MAGIC = 0x444F4D49
OLD, CURRENT = 0x10000000, 0x20000000
DEF, WEIGHTS, TASKS = (int(PartitionType[name]) for name in ("MODEL_DEF", "WEIGHTS_DATA", "TASK_INFO"))
PARTITIONS = [(DEF, b"graph"), (WEIGHTS, b"weights"), (TASKS, b"t")]


def put(data: bytes, **fields: int | bytes) -> bytes:
    """The file with header fields changed."""
    changed = bytearray(data)
    for name, value in fields.items():
        offset, layout = FIELDS[name]
        struct.pack_into("<" + layout, changed, offset, value)
    return bytes(changed)


def current_body(*partitions: tuple[int, bytes], count: int | None = None) -> bytes:
    table = struct.pack("<I4x", len(partitions) if count is None else count)
    offset = 0
    for kind, data in partitions:
        table += struct.pack("<I4xQQ", kind, offset, len(data))
        offset += len(data)
    return table + b"".join(data for _, data in partitions)


def current_file(body: bytes, **fields: int | bytes) -> bytes:
    start = put(
        bytes(256), magic=MAGIC, header_size=256, version=CURRENT, model_num=1, model_length=len(body)
    )
    return put(start + body, **fields)


def old_file(*partitions: tuple[int, bytes]) -> bytes:
    table, offset = struct.pack("<I", len(partitions)), 0
    for kind, data in partitions:
        table += struct.pack("<III", kind, offset, len(data))
        offset += len(data)
    body = table + b"".join(data for _, data in partitions)
    return put(bytes(256), magic=MAGIC, header_size=256, version=OLD, length=len(body)) + body


def held(om: OmFile, model: int = 0) -> list[tuple[int, bytes]]:
    return [(int(found.type), bytes(found.data)) for found in om.models[model]]


GOOD = current_file(current_body(*PARTITIONS))


def test_every_header_field_has_its_place() -> None:
    values = {name: number + 1 for number, name in enumerate(FIELDS)}
    data = bytes(256)
    for name, (_, layout) in FIELDS.items():
        value = values[name].to_bytes(int(layout[:-1]), "little") if layout.endswith("s") else values[name]
        data = put(data, **{name: value})
    found = Header.from_bytes(data)
    for name, (_, layout) in FIELDS.items():
        value = getattr(found, name)
        assert (value[0] if layout.endswith("s") else value) == values[name], name
    assert found.to_bytes() == data
    assert len(data) == 256


def test_what_is_written_by_offset() -> None:
    pieces = (b"gr", memoryview(b"aph"))
    om = OmFile(Header.named("digits", 7), [[Partition(DEF, pieces), Partition(TASKS, (b"t",))]])
    data = om.to_bytes()
    assert data == current_file(current_body((DEF, b"graph"), (TASKS, b"t")), name=b"digits", om_ir_version=7)
    assert held(OmFile.from_bytes(data)) == [(DEF, b"graph"), (TASKS, b"t")]


@pytest.mark.parametrize("data", [GOOD, old_file(*PARTITIONS)], ids=["current", "old"])
def test_both_layouts_are_read_and_the_current_one_written(data: bytes) -> None:
    om = OmFile.from_bytes(data)
    assert held(om) == PARTITIONS
    assert om.oddities == []
    again = OmFile.from_bytes(om.to_bytes())
    assert held(again) == PARTITIONS
    assert not again.header.has_old_layout


def test_several_models() -> None:
    body = current_body(*PARTITIONS) + current_body((DEF, b"second"), (TASKS, b"s"))
    om = OmFile.from_bytes(current_file(body, model_num=2))
    assert held(om, 1) == [(DEF, b"second"), (TASKS, b"s")]
    assert OmFile.from_bytes(om.to_bytes()) == OmFile.from_bytes(current_file(body, model_num=2))
    dynamic = OmFile.from_bytes(current_file(current_body(*PARTITIONS), is_unknown_model=1))
    assert held(dynamic) == PARTITIONS


def test_a_flow_model_has_a_long_table() -> None:
    many = [(6, bytes([number % 256])) for number in range(4096)]
    assert len(OmFile.from_bytes(current_file(current_body(*many), model_type=3)).partitions) == 4096


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (current_file(current_body(*PARTITIONS), header_size=128), "header_size is 128"),
        (current_file(current_body(*PARTITIONS), version=0x30000000), "version is 0x30000000"),
        (current_file(current_body(*PARTITIONS), is_encrypt=1), "is_encrypt is set"),
        (current_file(current_body(*PARTITIONS, (99, b"?"))), "partition 3 (99) is of no known type"),
        (current_file(current_body(*PARTITIONS) + b"tail"), "4 bytes follow the last partition"),
        (put(GOOD[:272] + b"\x09" + GOOD[273:]), "partition 0 (MODEL_DEF) has the offset 9, but lies at 0"),
    ],
)
def test_oddities_that_the_loader_takes_are_named(data: bytes, words: str) -> None:
    om = OmFile.from_bytes(data)
    assert held(om)[:3] == PARTITIONS
    assert words in om.oddities[0]


def entry_size(data: bytes, entry: int, size: int) -> bytes:
    changed = bytearray(data)
    struct.pack_into("<Q", changed, 256 + 8 + 24 * entry + 16, size)
    return bytes(changed)


HUGE = 2**64 - 1
REFUSED = {
    "nothing": (b"", "its size in bytes is 0; an .om begins with a header of 256"),
    "half a header": (GOOD[:255], "its size in bytes is 255"),
    "only a header": (put(GOOD[:256], model_length=0), "0 bytes are left for a partition table"),
    "another magic": (put(GOOD, magic=0), "its magic is 0x00000000; that of an .om is 0x444F4D49"),
    "one byte too many": (GOOD + b"\0", "its model_length is 93, but 94 bytes follow the header; copy or"),
    "one byte missing": (GOOD[:-1], "its model_length is 93, but 92 bytes follow"),
    "huge length": (put(GOOD, model_length=HUGE), f"its model_length is {HUGE}"),
    "old length wrong": (put(old_file(*PARTITIONS), length=1), "its length is 1"),
    "empty table": (current_file(current_body(*PARTITIONS, count=0)), "its partition table counts 0"),
    "nine partitions": (current_file(current_body(*PARTITIONS * 3)), "its partition table counts 9"),
    "huge table": (current_file(current_body(*PARTITIONS, count=2**32 - 1)), "counts 4294967295"),
    "table past the end": (current_file(struct.pack("<I4x", 8)), "would take 200 bytes where 8 are left"),
    "huge flow table": (current_file(struct.pack("<I4x", 4097), model_type=3), "counts 4097; 1 to 4096"),
    "partition past the end": (entry_size(GOOD, 2, 2), "partition 2 (TASK_INFO) has the size 2; 1 bytes"),
    "huge partition": (entry_size(GOOD, 1, HUGE), f"partition 1 (WEIGHTS_DATA) has the size {HUGE}"),
    "all empty": (current_file(current_body((DEF, b""), (TASKS, b""))), "all its partitions are empty"),
    "no models": (put(GOOD, model_num=0, is_unknown_model=1), "its model_num is 0"),
    "huge model_num": (put(GOOD, model_num=2**32 - 1), "0 bytes are left for a partition table"),
    "bytes after two models": (
        current_file(current_body(*PARTITIONS) * 2 + b"x", model_num=2),
        "1 bytes follow its last model",
    ),
}


@pytest.mark.parametrize(("data", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(data: bytes, words: str) -> None:
    with pytest.raises(MaxPoolGradError) as error:
        OmFile.from_bytes(data, "step.om")
    assert str(error.value).startswith("step.om: ")
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.code == "E10041"


@pytest.mark.parametrize(
    ("partitions", "words"),
    [
        ([], "0 partitions"),
        ([Partition(DEF, (b"x",))] * 9, "9 partitions"),
        ([Partition(DEF, (b"", b""))], "'MODEL_DEF' would be empty"),
    ],
)
def test_what_no_reader_takes_is_not_written(tmp_path: Path, partitions: list[Partition], words: str) -> None:
    with pytest.raises(MaxPoolGradError, match=words):
        OmFile(Header(), [partitions]).save(tmp_path / "m.om")
    assert not list(tmp_path.iterdir())


def test_a_name_is_cut_between_characters() -> None:
    assert Header.named("é" * 40).model_name == "é" * 15
    assert Header.from_bytes(Header.named("digits").to_bytes()).model_name == "digits"


@settings(max_examples=100, deadline=None, database=None)
@given(
    st.lists(
        st.lists(
            st.tuples(st.sampled_from(list(PartitionType)), st.binary(min_size=1)), min_size=1, max_size=8
        ),
        min_size=1,
        max_size=3,
    )
)
def test_any_partitions_come_back(models: list[list[tuple[PartitionType, bytes]]]) -> None:
    om = OmFile(Header(), [[Partition(kind, (data,)) for kind, data in partitions] for partitions in models])
    found = OmFile.from_bytes(om.to_bytes())
    assert [held(found, number) for number in range(len(models))] == models


def test_a_file_is_mapped_not_read(tmp_path: Path) -> None:
    OmFile.from_bytes(GOOD).save(tmp_path / "m.om")
    weights = OmFile.load(tmp_path / "m.om").find(PartitionType.WEIGHTS_DATA)
    assert weights is not None
    assert isinstance(weights.data, memoryview)
    assert weights.data.readonly
    assert bytes(weights.data) == b"weights"
