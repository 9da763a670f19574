"""Models whose weights stay in their files, and protobuf's wire format walked by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.mapped_model import LARGE, map_model
from maxpoolgrad_onnx.model_files import load_model
from maxpoolgrad_onnx.shapes import LONGEST_PROPAGATED
from maxpoolgrad_onnx.wire_format import fields, rewritten

COUNT = LARGE // 4


def model(*tensors: TensorProto) -> onnx.ModelProto:
    """The sum of x and all tensors."""
    nodes, last = [], "x"
    for number, tensor in enumerate(tensors):
        nodes.append(helper.make_node("Add", [last, tensor.name], [f"y{number}"]))
        last = f"y{number}"
    value = helper.make_tensor_value_info("x", 1, [COUNT]), helper.make_tensor_value_info(last, 1, [COUNT])
    graph = helper.make_graph(nodes, "sum", [value[0]], [value[1]], list(tensors))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def raw(name: str, value: float, count: int = COUNT) -> TensorProto:
    return onnx.numpy_helper.from_array(np.full(count, value, np.float32), name)


def test_a_large_weight_stays_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(model(raw("large", 1), raw("other", 2), raw("small", 3, COUNT - 1)), path)
    mapped = map_model(path)
    assert list(mapped.weights) == ["large", "other"]
    assert np.all(np.frombuffer(mapped.weights["other"], np.float32) == 2)
    large, other, small = mapped.proto.graph.initializer
    assert (large.raw_data, other.raw_data, len(small.raw_data)) == (b"", b"", LARGE - 4)
    assert (large.data_location, len(large.external_data), list(large.dims)) == (0, 0, [COUNT])
    assert mapped.proto.ByteSize() < LARGE + 1000


def test_all_else_is_the_model(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(model(raw("large", 1), raw("small", 3, 1)), path)
    mapped = map_model(path)
    mapped.proto.graph.initializer[0].raw_data = bytes(mapped.weights["large"])
    assert mapped.proto == load_model(path)


def test_shapes_are_inferred_without_the_weights(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(model(raw("large", 1), raw("other", 2)), path)
    inferred = mpg.infer_shapes(map_model(path).proto)
    assert inferred.graph.value_info[0].type.tensor_type.shape.dim[0].dim_value == COUNT
    assert 8 * LONGEST_PROPAGATED < LARGE, "inference may read a vector that stays in the file"


@pytest.mark.parametrize("size", [LARGE, LARGE - 4])
def test_weights_in_files_beside_the_model(tmp_path: Path, size: int) -> None:
    path = tmp_path / "m.onnx"
    tensor = raw("w", 5, size // 4)
    onnx.save(model(tensor), path, save_as_external_data=True, location="w.bin", size_threshold=0)
    mapped = map_model(path)
    held = mapped.weights.get("w", mapped.proto.graph.initializer[0].raw_data)
    assert bytes(held) == tensor.raw_data
    assert ("w" in mapped.weights) == (size == LARGE)


@pytest.mark.parametrize("number", ["7", "9" * 5000], ids=["no weight", "no number"])
def test_a_file_that_says_it_was_cut(tmp_path: Path, number: str) -> None:
    """The mark of a weight that was cut out leads nowhere, or to a weight of the same file."""
    tensor = TensorProto(name="w", data_type=1, dims=[COUNT], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value=f"\0{number}")
    path = tmp_path / "m.onnx"
    path.write_bytes(model(tensor).SerializeToString())
    with pytest.raises(mpg.MaxPoolGradError, match="must be a file in the model's own folder"):
        map_model(path)


def test_raw_data_beside_external_data_is_no_weight(tmp_path: Path) -> None:
    tensor = raw("w", 1)
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="gone.bin")
    path = tmp_path / "m.onnx"
    path.write_bytes(model(tensor).SerializeToString())
    with pytest.raises(mpg.MaxPoolGradError, match=r"gone\.bin: cannot be read"):
        map_model(path)


@pytest.mark.parametrize("cut", [1, 100, LARGE // 2])
def test_a_file_cut_short_is_no_model(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(model(raw("w", 1)).SerializeToString()[:-cut])
    with pytest.raises(mpg.MaxPoolGradError, match="no ONNX model, or only a part of one"):
        map_model(path)


@given(
    st.lists(st.tuples(st.integers(1, 2000), st.one_of(st.binary(max_size=300), st.integers(0, 2**64 - 1))))
)
def test_fields_are_those_that_protobuf_writes(parts: list[tuple[int, bytes | int]]) -> None:
    def varint(value: int) -> bytes:
        rest, low = value >> 7, value & 0x7F
        return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])

    message, expected = b"", []
    for number, value in parts:
        if isinstance(value, int):
            message += varint(number << 3) + varint(value)
        else:
            message += varint(number << 3 | 2) + varint(len(value)) + value
            expected.append((number, value))
    assert [(f.number, message[f.content : f.end]) for f in fields(memoryview(message))] == expected


@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_an_error(data: bytes) -> None:
    try:
        same = rewritten(memoryview(data), {1: {1: None}}, lambda content: True, lambda content: [content])
    except ValueError:
        return
    assert [f.number for f in fields(memoryview(b"".join(same)))] == [
        f.number for f in fields(memoryview(data))
    ]
