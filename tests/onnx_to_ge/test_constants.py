"""Constants that are written in other ways than as a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from support_convert import assert_runs_alike


def sparse_model(dims: list[int], indices: Any, values: tuple[float, ...] = (1.5, -2.0)) -> onnx.ModelProto:
    """y = x + a sparse constant."""
    places = np.array(indices, np.int64)
    sparse = helper.make_sparse_tensor(
        helper.make_tensor("v", TensorProto.FLOAT, [len(values)], values),
        helper.make_tensor("i", TensorProto.INT64, places.shape, places.ravel()),
        dims,
    )
    nodes = [
        helper.make_node("Constant", [], ["c"], name="sparse", sparse_value=sparse),
        helper.make_node("Add", ["x", "c"], ["y"]),
    ]
    ends = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)] for name in "xy"]
    graph = helper.make_graph(nodes, "g", *ends)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)


@pytest.mark.parametrize("indices", [[1, 5], [[0, 1], [1, 2]]], ids=["places", "coordinates"])
def test_a_sparse_constant_is_written_out(indices: Any) -> None:
    model = sparse_model([2, 3], indices)
    constant = next(node for node in converters.onnx_to_ge(model).graph.nodes if node.type == "Const")
    assert np.array_equal(constant.attrs["value"].data, [[0, 1.5, 0], [0, 0, -2]])  # type: ignore[union-attr]
    assert_runs_alike(sparse_model([2, 3], [1, 5]))


@pytest.mark.parametrize(
    ("dims", "indices", "words"),
    [
        ([1 << 20, 1 << 20], [0, 1], "is too large to be written out"),
        ([2, 3], [1, 6], "does not fit its shape [2, 3]"),
        ([2, 3], [[0, 1], [2, 0]], "does not fit its shape [2, 3]"),
        ([2, 3], [0, 1, 2], "does not fit its shape [2, 3]"),
    ],
)
def test_refused(dims: list[int], indices: Any, words: str) -> None:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.onnx_to_ge(sparse_model(dims, indices))
    assert "Constant node 'sparse': its sparse_value" in str(caught.value)
    assert words in str(caught.value)


def test_strings_are_refused() -> None:
    node = helper.make_node("Constant", [], ["y"], name="words", value_strings=["a"])
    end = helper.make_tensor_value_info("y", TensorProto.STRING, [1])
    model = helper.make_model(
        helper.make_graph([node], "g", [], [end]), opset_imports=[helper.make_opsetid("", 13)], ir_version=7
    )
    with pytest.raises(mpg.MaxPoolGradError, match="STRING"):
        converters.onnx_to_ge(model)
