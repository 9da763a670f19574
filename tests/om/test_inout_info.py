from __future__ import annotations

import struct

import pytest

from maxpoolgrad_onnx.converters.ge_ir import DataType, Edge, Format, Graph, ListOf, Node, TensorDesc
from maxpoolgrad_onnx.converters.om import PartitionType, to_om
from maxpoolgrad_onnx.converters.om.inout_info import InOutInfo, TensorInfo, from_bytes, in_out_info, to_bytes
from maxpoolgrad_onnx.errors import MaxPoolGradError
from support_ge import small_model


def tensor(name: bytes, size: int, format: int, dtype: int, shape: list[int], ranges: list[int]) -> bytes:
    dims = struct.pack(f"<{len(shape)}q", *shape)
    bounds = struct.pack(f"<{len(ranges)}q", *ranges)
    lengths = struct.pack("<4I", len(name), len(dims), len(dims), len(bounds))
    return struct.pack("<Qii", size, format, dtype) + lengths + name + dims + dims + bounds


def block(kind: int, *tensors: bytes) -> bytes:
    body = struct.pack("<I", len(tensors)) + b"".join(tensors)
    return struct.pack("<II", kind, len(body)) + body


BYTES = block(0, tensor(b"x", 768, 0, 0, [1, 3, 8, 8], [])) + block(
    1, tensor(b"conv:0:result", 576, 0, 0, [1, 4, 6, 6], [])
)


def test_bytes_of_an_om() -> None:
    partition = to_om(small_model()).find(PartitionType.MODEL_INOUT_INFO)
    assert partition is not None
    assert bytes(partition.data) == BYTES


def test_read_back() -> None:
    info = in_out_info(small_model().graph)
    assert from_bytes(to_bytes(info), "m.om") == info
    assert info.inputs == [
        TensorInfo("x", 768, Format.NCHW.value, DataType.FLOAT.value, (1, 3, 8, 8), (1, 3, 8, 8))
    ]


def test_inputs_stand_by_index_and_unknown_sizes_have_bounds() -> None:
    free = TensorDesc(DataType.FLOAT16, (-1, 2), attrs={"shape_range": ListOf("ints", [(1, 8), (2, 2)])})
    small = TensorDesc(DataType.INT4, (3,))
    nodes = [
        Node("b", "Data", [], {"x": free}, {"y": free}, {"index": 1}),
        Node("a", "Data", [], {"x": small}, {"y": small}, {"index": 0}),
        Node("c", "Data", [], {"x": small}, {"y": TensorDesc(DataType.FLOAT, None)}, {"index": 2}),
    ]
    info = in_out_info(Graph("g", nodes, [Edge("b"), Edge("a")]))
    assert [found.name for found in info.inputs] == ["a", "b", "c"]
    assert [found.size for found in info.inputs] == [2, 0, 0]
    assert info.inputs[1].ranges == ((1, 8), (2, 2))
    assert info.inputs[2].shape == (-2,)
    assert [found.name for found in info.outputs] == ["output_0_b_0", "output_1_a_0"]
    assert from_bytes(to_bytes(info), "m.om") == info


def test_other_blocks_are_passed_over() -> None:
    profile = struct.pack("<IIIQ", 2, 12, 1, 4)
    assert from_bytes(profile + BYTES, "m.om") == from_bytes(BYTES + profile, "m.om") != InOutInfo([], [])


def test_a_size_that_fits_no_field() -> None:
    desc = TensorDesc(DataType.FLOAT, (2**40, 2**40))
    data = Node("x", "Data", [], {"x": desc}, {"y": desc}, {"index": 0})
    with pytest.raises(
        MaxPoolGradError, match="the model's tensor 'x': it has 4835703278458516698824704 bytes"
    ):
        in_out_info(Graph("g", [data]))


@pytest.mark.parametrize("cut", range(1, len(BYTES), 7))
def test_cut_short(cut: int) -> None:
    whole_blocks = (len(block(0, tensor(b"x", 768, 0, 0, [1, 3, 8, 8], []))),)
    if cut in whole_blocks:
        assert from_bytes(BYTES[:cut], "m.om").outputs == []
        return
    with pytest.raises(MaxPoolGradError, match=r"m.om, MODEL_INOUT_INFO: .* bytes are declared"):
        from_bytes(BYTES[:cut], "m.om")


@pytest.mark.parametrize("position", [4, 8, 28, 32, 36, 40])
def test_a_huge_length_or_count(position: int) -> None:
    data = bytearray(BYTES)
    struct.pack_into("<I", data, position, 2**32 - 1)
    with pytest.raises(MaxPoolGradError, match="are declared at"):
        from_bytes(bytes(data), "m.om")
