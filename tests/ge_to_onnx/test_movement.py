"""GE IR that others wrote: what the host runs of the operators that cut, pad, split and count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.ge_ir import DataType, Edge, GeModel, Graph, Node, Tensor, TensorDesc
from support_ort import outputs_of

FLOATS = TensorDesc(DataType.FLOAT, (2, 3))
PAIR = TensorDesc(DataType.INT32, (2,))
X = np.array([[1, -2, 3], [4, 5, -6]], np.float32)


def model(
    type_: str, inputs: dict[str, Array | TensorDesc], outputs: dict[str, TensorDesc], **attrs: Any
) -> GeModel:
    """One operator: arrays become constants, descriptions inputs of the graph; it returns all outputs."""
    descs = {
        name: Tensor.of(given).desc if isinstance(given, np.ndarray) else given
        for name, given in inputs.items()
    }
    nodes = []
    for name, given in inputs.items():
        if isinstance(given, np.ndarray):
            nodes.append(Node(name, "Const", [], {}, {"y": descs[name]}, {"value": Tensor.of(given)}))
        else:
            index = sum(node.type == "Data" for node in nodes)
            nodes.append(Node(name, "Data", [], {"x": given}, {"y": given}, {"index": index}))
    nodes.append(Node("op", type_, [Edge(name) for name in inputs], descs, outputs, attrs))
    edges = [Edge("op", i) for i in range(len(outputs))]
    ends = {f"__input{i}": desc for i, desc in enumerate(outputs.values())}
    nodes.append(Node("end", "NetOutput", edges, ends))
    return GeModel("m", Graph("g", nodes, edges))


def run(ge_model: GeModel, **feeds: Array) -> list[Array]:
    return list(outputs_of(converters.ge_to_onnx(ge_model), feeds).values())


def ints(*values: int) -> Array:
    return np.array(values, np.int32)


def test_masks_of_a_strided_slice() -> None:
    bounds = {"begin": ints(1, 9), "end": ints(0, 0), "strides": ints(1, -2)}
    output = {"y": TensorDesc(DataType.FLOAT, (1, 2))}
    sliced = model("StridedSlice", {"x": FLOATS, **bounds}, output, end_mask=0b11, begin_mask=0b10)
    assert np.array_equal(run(sliced, x=X)[0], X[1:, ::-2])


def test_a_strided_slice_of_everything() -> None:
    bounds = {name: ints(1, 1) for name in ("begin", "end", "strides")}
    whole = model("StridedSlice", {"x": FLOATS, **bounds}, {"y": FLOATS}, begin_mask=3, end_mask=3)
    assert np.array_equal(run(whole, x=X)[0], X)


def test_computed_bounds() -> None:
    bounds = {"begin": PAIR, "end": ints(2, 3), "strides": ints(1, 1)}
    sliced = model("StridedSlice", {"x": FLOATS, **bounds}, {"y": TensorDesc(DataType.FLOAT, (-1, -1))})
    assert np.array_equal(run(sliced, x=X, begin=ints(1, 1))[0], X[1:, 1:])


def test_paddings_in_pairs() -> None:
    paddings = np.array([[1, 0], [0, 2]], np.int32)
    padded = model("PadV3", {"x": FLOATS, "paddings": paddings}, {"y": TensorDesc(DataType.FLOAT, (3, 5))})
    assert np.array_equal(run(padded, x=X)[0], np.pad(X, paddings))


def test_several_outputs() -> None:
    parts = {f"y{i}": TensorDesc(DataType.FLOAT, (2, width)) for i, width in enumerate((1, 2))}
    inputs = {"x": FLOATS, "size_splits": ints(1, 2), "split_dim": np.array(1, np.int32)}
    left, right = run(model("SplitV", inputs, parts, num_split=2), x=X)
    assert np.array_equal(np.hstack([left, right]), X)


def test_size_in_int32() -> None:
    (size,) = run(model("Size", {"x": FLOATS}, {"y": TensorDesc(DataType.INT32, ())}), x=X)
    assert (size.dtype, size.item()) == (np.int32, 6)


REFUSED: list[tuple[GeModel, str]] = [
    (
        model("StridedSlice", dict.fromkeys(("x", "b", "e", "s"), PAIR), {"y": PAIR}, begin_mask=1),
        "its begin is computed",
    ),
    (
        model("StridedSlice", dict.fromkeys(("x", "b", "e", "s"), PAIR), {"y": PAIR}, shrink_axis_mask=1),
        "shrink_axis_mask is 1; only 0 can run on the host",
    ),
    (model("PadV3", {"x": FLOATS, "p": ints(1, 1)}, {"y": FLOATS}, mode="circular"), "mode is 'circular'"),
    (model("PadV3", {"x": FLOATS, "p": PAIR}, {"y": FLOATS}), "its paddings is computed"),
    (
        model("Split", {"d": np.array(0, np.int32), "x": FLOATS}, {"y0": FLOATS}, num_split=2),
        "num_split is 2 but it has 1 outputs",
    ),
    (
        model("Range", dict.fromkeys("abc", PAIR), {"y": PAIR}, is_closed=True),
        "is_closed is True; only False",
    ),
    (
        model("ScatterElements", dict.fromkeys("abc", PAIR), {"y": PAIR}, reduction="max"),
        "reduction is 'max'; allowed are none, add, mul",
    ),
    (model("Relu", {"x": FLOATS}, {"y": FLOATS, "z": FLOATS}), "it has 2 outputs; Relu has 1"),
]


@pytest.mark.parametrize(("ge_model", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_refused(ge_model: GeModel, words: str) -> None:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.ge_to_onnx(ge_model)
    assert " node 'op': " in str(caught.value)
    assert words in str(caught.value)
    assert caught.value.code == "E10501"
