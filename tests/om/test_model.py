from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from maxpoolgrad_onnx.contract import OP_TYPE
from maxpoolgrad_onnx.converters.ge_ir import (
    DataType,
    Edge,
    GeModel,
    Graph,
    ListOf,
    Node,
    Tensor,
    TensorDesc,
)
from maxpoolgrad_onnx.converters.ge_ir.wire import ModelDef, ModelTaskDef
from maxpoolgrad_onnx.converters.om import (
    OmFile,
    Partition,
    PartitionType,
    for_host,
    from_om,
    metadata_of,
    to_om,
)
from maxpoolgrad_onnx.errors import MaxPoolGradError
from support_ge import models, small_model


def definition(om: OmFile) -> Any:
    found = om.find(PartitionType.MODEL_DEF)
    assert found is not None
    return ModelDef.FromString(bytes(found.data))


def weights(om: OmFile) -> bytes:
    found = om.find(PartitionType.WEIGHTS_DATA)
    return b"" if found is None else bytes(found.data)


def with_definition(om: OmFile, message: Any) -> OmFile:
    data = message.SerializeToString()
    return replace(
        om,
        models=[
            [
                Partition(part.type, (data,)) if part.type == PartitionType.MODEL_DEF else part
                for part in om.partitions
            ]
        ],
    )


def test_a_file_gives_the_model_back(tmp_path: Path) -> None:
    model = for_host(small_model(), "Ascend910B1")
    to_om(model).save(tmp_path / "m.om")
    assert from_om(OmFile.load(tmp_path / "m.om")) == model


def test_any_model_comes_back_equal(scale: Callable[[int, int], int]) -> None:
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

    @settings(max_examples=scale(30, 1000), deadline=None, suppress_health_check=slow, database=None)
    @given(models())
    def comes_back(model: GeModel) -> None:
        assert from_om(OmFile.from_bytes(to_om(model).to_bytes())) == model

    comes_back()


def test_partitions_stand_in_atcs_order() -> None:
    labels = [part.label for part in to_om(small_model()).partitions]
    assert labels == ["MODEL_INOUT_INFO", "MODEL_DEF", "WEIGHTS_DATA", "TASK_INFO"]
    bare = GeModel("m", Graph("g", [Node("n", "Op")]))
    assert [part.label for part in to_om(bare).partitions] == ["MODEL_INOUT_INFO", "MODEL_DEF", "TASK_INFO"]


def test_weights_lie_outside_the_graph_as_atc_lays_them() -> None:
    om = to_om(small_model())
    nodes = {op.name: op for op in definition(om).graph[0].op}
    filters, steps, conv = nodes["filters"].attr["value"].t, nodes["steps"].attr["value"].t, nodes["conv"]
    assert (filters.data, steps.data) == (b"", b"")
    assert (filters.desc.data_offset, filters.desc.weight_size) == (512, 432)
    assert (steps.desc.data_offset, steps.desc.weight_size) == (1024, 24)
    data = weights(om)
    assert len(data) == 1536
    assert data[:512] == bytes(512)
    assert data[512:944] == np.arange(108, dtype="<f4").tobytes()
    assert data[1024:1048] == np.array([1, 2, 3], "<i8").tobytes()
    assert list(conv.is_input_const) == [False, True, False]
    assert [desc.data_offset for desc in conv.input_desc] == [0, 512, 0]


def test_the_last_constant_is_followed_by_32_bytes() -> None:
    value = Tensor.of(np.ones(500, np.int8))
    node = Node("c", "Const", [], {}, {"y": value.desc}, {"value": value})
    assert len(weights(to_om(GeModel("m", Graph("g", [node]))))) == 1536


def test_sizes_for_atcs_display_are_right_and_not_read_back() -> None:
    om = to_om(small_model())
    tasks = om.find(PartitionType.TASK_INFO)
    assert tasks is not None
    message = definition(om)
    assert message.attr["weight_size"].i == 1536
    assert list(message.attr["om_info_list"].list.i) == [1536, 0, 0, tasks.size, 0]
    assert message.attr["om_info_list"].list.val_type == 2
    assert set(from_om(om).attrs) == {"note"}


def test_the_task_list_is_there_and_empty() -> None:
    tasks = to_om(small_model()).find(PartitionType.TASK_INFO)
    assert tasks is not None
    message = ModelTaskDef.FromString(bytes(tasks.data))
    assert (len(message.task), message.stream_num, message.weight_size) == (0, 1, 1536)


def test_weights_are_not_copied() -> None:
    model = small_model()
    value = model.graph.nodes[1].attrs["value"]
    assert isinstance(value, Tensor)
    pieces = [
        np.frombuffer(piece, np.uint8) for part in to_om(model).partitions for piece in part.pieces if piece
    ]
    assert any(np.shares_memory(piece, value.data) for piece in pieces)
    om = OmFile.from_bytes(to_om(model).to_bytes())
    partition = om.find(PartitionType.WEIGHTS_DATA)
    read = from_om(om).graph.nodes[1].attrs["value"]
    assert partition is not None
    assert isinstance(read, Tensor)
    assert np.shares_memory(np.frombuffer(partition.data, np.uint8), read.data)


def test_weights_that_atc_left_in_the_graph_are_found_there() -> None:
    om = to_om(small_model())
    message = definition(om)
    filters = next(op for op in message.graph[0].op if op.name == "filters").attr["value"].t
    filters.data = np.full(108, 2, "<f4").tobytes()
    value = from_om(with_definition(om, message)).graph.nodes[1].attrs["value"]
    assert isinstance(value, Tensor)
    assert (value.data == 2).all()


@pytest.mark.parametrize(
    ("offset", "size"), [(1535, 432), (-1, 432), (0, -432), (2**62, 432), (2**63 - 1, 2**62)]
)
def test_weights_past_their_partition(offset: int, size: int) -> None:
    om = to_om(small_model())
    message = definition(om)
    desc = next(op for op in message.graph[0].op if op.name == "filters").attr["value"].t.desc
    desc.data_offset, desc.weight_size = offset, size
    with pytest.raises(
        MaxPoolGradError, match=r"its weights are .* bytes at .*; WEIGHTS_DATA has 1536"
    ) as error:
        from_om(with_definition(om, message), "step.om")
    assert "step.om: node 'filters'" in str(error.value)


def test_no_model_definition() -> None:
    om = to_om(small_model())
    bare = replace(om, models=[[part for part in om.partitions if part.type != PartitionType.MODEL_DEF]])
    with pytest.raises(MaxPoolGradError, match=r"step.om: it has no MODEL_DEF partition"):
        from_om(bare, "step.om")
    broken = replace(om, models=[[Partition(PartitionType.MODEL_DEF, (b"\xff",))]])
    with pytest.raises(MaxPoolGradError, match=r"step.om: its bytes are no GE IR"):
        from_om(broken, "step.om")


def test_metadata() -> None:
    desc = TensorDesc(DataType.FLOAT, (1, 1, 4, 4))
    data = Node("x", "Data", [], {"x": desc}, {"y": desc}, {"index": 0})
    ports = dict.fromkeys(("orig_input", "orig_output", "grad"), desc)
    grad = Node(
        "pool_grad", OP_TYPE, [Edge("x")] * 3, ports, {"out_grad": desc}, {"ksize": ListOf("int", [1] * 4)}
    )
    model = GeModel("m", Graph("g", [data, grad], [Edge("pool_grad")]))
    reasons = {"pool_grad": "its sizes are not known"}
    found = metadata_of(from_om(to_om(for_host(model, "Ascend910B1", reasons))))
    assert (found.built_for, found.planned_for, found.unbound) == ("host", "Ascend910B1", reasons)
    assert metadata_of(for_host(for_host(model, "Ascend910B1", reasons), "Ascend910B2")).unbound == {}
    assert metadata_of(model) == metadata_of(GeModel("m", Graph("g")))
    assert definition(to_om(for_host(model, "Ascend910B1"))).attr["soc_version"].s == b"host"
