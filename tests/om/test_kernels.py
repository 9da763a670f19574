"""What a real compiler's .om holds besides its graph: binaries and tasks."""

from __future__ import annotations

import struct

import pytest

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.converters.ge_ir.wire import ModelTaskDef
from maxpoolgrad_onnx.converters.om import Header, OmFile, Partition, PartitionType
from maxpoolgrad_onnx.converters.om.kernels import Kernel, kernels_of
from maxpoolgrad_onnx.converters.om.task_types import task_types


def block(name: bytes, binary: bytes, magic: int = 0x5D776EFD) -> bytes:
    return struct.pack("<III", magic, len(name), len(binary)) + name + binary


def om_with(type: PartitionType, data: bytes) -> OmFile:
    return OmFile(Header.named("m"), [[Partition(type, [data])]])


def test_kernels() -> None:
    data = block(b"conv", bytes(7)) + block(b"pool", b"")
    partitions = [
        Partition(PartitionType.CUST_AICPU_KERNELS, [block(b"cpu", bytes(3))]),
        Partition(PartitionType.TBE_KERNELS, [data]),
    ]
    assert kernels_of(OmFile(Header.named("m"), [partitions])) == [
        Kernel("conv", 7, "TBE_KERNELS"),
        Kernel("pool", 0, "TBE_KERNELS"),
        Kernel("cpu", 3, "CUST_AICPU_KERNELS"),
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (block(b"a", b"b", magic=1), "a block has the magic 0x00000001"),
        (block(b"a", b"bcd")[:-1], "a kernel of 4 bytes is declared at 12; 3 are left"),
        (block(b"a", b"") + b"123", "3 bytes follow its last kernel"),
        (struct.pack("<III", 0x5D776EFD, 2**32 - 1, 2**32 - 1), "a kernel of 8589934590 bytes is declared"),
    ],
)
def test_damaged_kernels(data: bytes, words: str) -> None:
    with pytest.raises(MaxPoolGradError, match=words) as caught:
        kernels_of(om_with(PartitionType.TBE_KERNELS, data), "x.om")
    assert str(caught.value).startswith("x.om, TBE_KERNELS: ")


def test_tasks() -> None:
    message = ModelTaskDef()
    for number in (0, 26, 26, 19, 500):
        message.task.add(type=number)
    om = om_with(PartitionType.TASK_INFO, message.SerializeToString())
    assert task_types(om) == {"ALL_KERNEL": 2, "KERNEL": 1, "MODEL_END_GRAPH": 1, "500": 1}
    assert task_types(om_with(PartitionType.MODEL_DEF, b"x")) == {}
    with pytest.raises(MaxPoolGradError, match="TASK_INFO: its bytes are no list of tasks"):
        task_types(om_with(PartitionType.TASK_INFO, b"\xff"))
