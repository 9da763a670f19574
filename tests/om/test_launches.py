"""Kernels bound to operators: TILING_DATA and TASK_INFO byte by byte, read back, and damaged."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxpoolgrad_onnx.converters.ge_ir import KernelLaunch
from maxpoolgrad_onnx.converters.ge_ir.wire import ModelDef, ModelTaskDef
from maxpoolgrad_onnx.converters.om import OmFile, Partition, PartitionType, from_om, launches_of, to_om
from maxpoolgrad_onnx.converters.om.tiling_data import from_bytes, to_bytes
from maxpoolgrad_onnx.errors import MaxPoolGradError
from support_ge import small_model

LAUNCH = KernelLaunch("max_pool_v3_grad", 2220, bytes(range(16)), 48, (16 << 20, 4096), 1, 122880)
uint32s = st.integers(0, 2**32 - 1)
launches = st.builds(
    KernelLaunch,
    st.just(""),
    st.integers(0, 2**64 - 1),
    st.binary(max_size=40),
    uint32s,
    st.lists(st.integers(0, 2**63 - 1), max_size=3).map(tuple),
    uint32s,
    uint32s,
)


def bound() -> OmFile:
    return OmFile.from_bytes(to_om(small_model(), {"conv": LAUNCH}).to_bytes())


def part(om: OmFile, type: PartitionType) -> bytes:
    found = om.find(type)
    assert found is not None
    return bytes(found.data)


def with_part(om: OmFile, type: PartitionType, data: bytes) -> OmFile:
    parts = [Partition(type, (data,)) if old.type == type else old for old in om.partitions]
    return replace(om, models=[parts])


def test_tiling_data_as_ge_lays_it_out() -> None:
    """Header {magic, version, length}, then per launch three records {u8 type, u32 length, bytes}."""
    numbers = struct.pack("<QQIIiIIIIIII", 2220, 16, 48, 0, 0, 1, 2, 122880, 0, 0, 0, 0)
    numbers += struct.pack("<qq", 16 << 20, 4096)
    body = struct.pack("<BI", 0, len(numbers)) + numbers
    body += struct.pack("<BI", 1, 16) + bytes(range(16))
    body += struct.pack("<BI", 2, 8) + struct.pack("<q", 7)
    assert to_bytes({7: LAUNCH}) == struct.pack("<III", 0xDD776EFE, 2, len(body)) + body
    assert to_bytes({}) == b""


def test_tiling_data_comes_first_and_the_table_counts_it() -> None:
    assert bound().partitions[0].type == PartitionType.TILING_DATA
    assert PartitionType.TILING_DATA not in [part.type for part in to_om(small_model()).partitions]


def test_the_task_says_kernel_blocks_and_arguments() -> None:
    message = ModelTaskDef.FromString(part(bound(), PartitionType.TASK_INFO))
    (task,) = message.task
    kernel = task.kernel_with_handle
    assert task.type == 26
    assert (kernel.block_dim, kernel.schedule_mode) == (48, 1)
    assert (kernel.original_kernel_key, kernel.node_info) == ("max_pool_v3_grad", "max_pool_v3_grad")
    assert (kernel.context.kernel_type, kernel.context.op_index) == (2, 3)
    assert list(kernel.context.origin_op_index) == [3]
    assert kernel.context.args_format == "{i0*}{i1*}{i2*}{o0*}{ws0*}{ws1*}{t}"
    assert (kernel.args_size, kernel.args) == (56, bytes(56))
    assert (kernel.context.args_count, kernel.context.args_offset) == (1, b"\0\0")


def test_the_operator_names_its_kernel() -> None:
    graph = ModelDef.FromString(part(bound(), PartitionType.MODEL_DEF)).graph[0]
    op = next(op for op in graph.op if op.name == "conv")
    assert list(op.attr["_op_tiling_ids"].list.i) == [op.id] == [3]
    assert op.attr["_kernelname"].s == op.attr["_kernel_list_first_name"].s == b"max_pool_v3_grad"
    assert op.attr["tvm_blockdim"].i == 48
    assert op.attr["tvm_magic"].s == b"RT_DEV_BINARY_MAGIC_ELF_AIVEC"
    assert list(op.workspace_bytes) == [16 << 20, 4096]


def test_launches_come_back_and_the_graph_is_what_it_was() -> None:
    assert launches_of(bound()) == {"conv": LAUNCH}
    assert from_om(bound()) == small_model()
    assert launches_of(OmFile.from_bytes(to_om(small_model()).to_bytes())) == {}


@given(st.dictionaries(st.integers(0, 2**63 - 1), launches, min_size=1, max_size=4))
def test_any_launches_come_back(given: dict[int, KernelLaunch]) -> None:
    assert from_bytes(to_bytes(given), "a file").launches == given


def test_one_launch_may_serve_several_operators() -> None:
    data = to_bytes({7: LAUNCH})
    shared = data[:-13] + struct.pack("<BI", 2, 16) + struct.pack("<qq", 7, 9)
    shared = shared[:8] + struct.pack("<I", len(shared) - 12) + shared[12:]
    found = from_bytes(shared, "a file").launches
    assert found == dict.fromkeys((7, 9), replace(LAUNCH, symbol=""))


def test_older_files_go_by_the_operators_own_ids() -> None:
    om = bound()
    data = part(om, PartitionType.TILING_DATA)
    older = with_part(om, PartitionType.TILING_DATA, data[:4] + struct.pack("<I", 1) + data[8:])
    message = ModelDef.FromString(part(om, PartitionType.MODEL_DEF))
    for op in message.graph[0].op:
        op.attr.pop("_op_tiling_ids", None)
    assert launches_of(with_part(older, PartitionType.MODEL_DEF, message.SerializeToString())) == {
        "conv": LAUNCH
    }


def test_ids_of_other_kinds_of_kernels_are_not_the_operators_own() -> None:
    model = ModelDef.FromString(part(bound(), PartitionType.MODEL_DEF))
    op = next(op for op in model.graph[0].op if op.name == "conv")
    op.attr["_op_tiling_ids"].list.i[:] = [(0xFF << 56 | 3) - 2**64]
    data = struct.pack("<q", (0xFF << 56 | 3) - 2**64)
    tiling = part(bound(), PartitionType.TILING_DATA)[:-8] + data
    om = with_part(bound(), PartitionType.TILING_DATA, tiling)
    assert launches_of(with_part(om, PartitionType.MODEL_DEF, model.SerializeToString())) == {}


def test_without_a_task_the_name_comes_from_the_operator() -> None:
    tasks = ModelTaskDef(stream_num=1).SerializeToString()
    assert launches_of(with_part(bound(), PartitionType.TASK_INFO, tasks)) == {"conv": LAUNCH}


def test_partitions_that_differ_are_refused() -> None:
    message = ModelTaskDef.FromString(part(bound(), PartitionType.TASK_INFO))
    message.task[0].kernel_with_handle.block_dim = 47
    om = with_part(bound(), PartitionType.TASK_INFO, message.SerializeToString())
    with pytest.raises(MaxPoolGradError, match="its block dim is 48 in TILING_DATA and 47 in TASK_INFO"):
        launches_of(om)


def test_a_model_that_was_bound_is_bound_anew() -> None:
    other = replace(LAUNCH, tiling_key=2230)
    again = to_om(from_om(bound()), {"conv": other})
    assert launches_of(OmFile.from_bytes(again.to_bytes())) == {"conv": other}
    assert launches_of(OmFile.from_bytes(to_om(from_om(bound())).to_bytes())) == {}


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (lambda data: data[:11], "it has 11 bytes"),
        (lambda data: b"\0" + data[1:], "its magic is 0xDD776E00"),
        (lambda data: data[:-1], "bytes are declared"),
        (lambda data: data[:12] + b"\x03" + data[13:], "a record has the type 3"),
        (lambda data: data[:13] + b"\xff" + data[14:], "a record of 255 bytes is declared"),
        (lambda data: data[:12] + b"\x02" + data[13:], "comes before its launch"),
        (lambda data: data[:49] + b"\x09" + data[50:], "9 workspaces are declared"),
        (lambda data: data[:8] + struct.pack("<I", 3) + data[12:], "3 bytes follow its last record"),
        (
            lambda data: data[:8] + struct.pack("<IBI", 6, 0, 1) + b"x",
            "a launch has 1 bytes",
        ),
    ],
)
def test_damaged_tiling_data(damage: object, found: str) -> None:
    assert callable(damage)
    data = damage(to_bytes({7: LAUNCH}))
    with pytest.raises(MaxPoolGradError, match=found) as caught:
        from_bytes(data, "step.om")
    assert str(caught.value).startswith("step.om, TILING_DATA: ")
    assert caught.value.code == "E10041"


def test_damaged_tasks() -> None:
    om = with_part(bound(), PartitionType.TASK_INFO, b"\xff\xff")
    with pytest.raises(MaxPoolGradError, match=r"step.om, TASK_INFO: its bytes are no list of tasks"):
        launches_of(om, "step.om")
