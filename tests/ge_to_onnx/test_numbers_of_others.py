"""GE IR that others wrote, of the computing operators: forms that no ONNX model becomes, and broken ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.ge_ir import DataType, Edge, GeModel, Graph, ListOf, Node, TensorDesc
from support_convert import assert_runs_alike, onnx_model, there
from support_one_node import model_of, node_of
from support_ort import outputs_of

IMAGE = TensorDesc(DataType.FLOAT, (2, 3, 4, 4))
CHANNELS = TensorDesc(DataType.FLOAT, (3,))
SEED = np.random.default_rng(3)
X = SEED.standard_normal((2, 3, 4, 4)).astype(np.float32)
STATISTICS = {name: np.abs(SEED.standard_normal(3)).astype(np.float32) + 1 for name in "sovm"}


def run(model: GeModel, **feeds: Array) -> list[Array]:
    return list(outputs_of(converters.ge_to_onnx(model), feeds).values())


def batch_norm(**attrs: Any) -> Node:
    statistics = ("batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2")
    outputs = {"y": IMAGE, **dict.fromkeys(statistics, CHANNELS)}
    outputs["reserve_space_3"] = TensorDesc(DataType.FLOAT, (1,))
    return node_of(
        "BatchNorm", {"x": IMAGE, "s": CHANNELS, "o": CHANNELS}, outputs, data_format="NCHW", **attrs
    )


def test_batch_norm_gives_the_batch_s_statistics_as_ge_has_them() -> None:
    constants = {name: STATISTICS[name] for name in "so"}
    y, mean, variance = run(model_of(batch_norm(epsilon=0.5), {"x": IMAGE}, constants, used=3), x=X)
    assert np.allclose(mean, X.mean((0, 2, 3)), atol=1e-6)
    assert np.allclose(variance, X.var((0, 2, 3), ddof=1), atol=1e-5)
    spread = np.sqrt(X.var((0, 2, 3), keepdims=True) + 0.5)
    wanted = (X - X.mean((0, 2, 3), keepdims=True)) / spread * constants["s"][:, None, None]
    assert np.allclose(y, wanted + constants["o"][:, None, None], atol=1e-5)


def test_running_statistics_that_are_read_elsewhere_too_are_computed_beside() -> None:
    model = onnx_model(
        "y, p, q = BatchNormalization<training_mode=1, momentum=0.7>(x, s, o, m, v)",
        "float[2,3,4,4] x",
        "float[a,b,c,d] y, float[e] p, float[f] q",
        STATISTICS,
    )
    graph = there(model).graph
    norm = next(node for node in graph.nodes if node.type == "BatchNorm")
    ends = graph.nodes[-1]
    ports = {**ends.input_descs, "__input3": CHANNELS}
    changed = [*graph.nodes[:-1], replace(ends, inputs=[*ends.inputs, Edge(norm.name, 1)], input_descs=ports)]
    again = GeModel("m", Graph("g", changed, [*graph.outputs, Edge(norm.name, 1)]))
    y, p, q, mean = run(again, x=X)
    wanted = outputs_of(model, {"x": X})
    assert np.array_equal(y, wanted["y"])
    assert np.allclose(p, wanted["p"], atol=1e-6)
    assert np.allclose(q, wanted["q"], atol=1e-6)
    assert np.allclose(mean, X.mean((0, 2, 3)), atol=1e-6)


def test_bounds_of_several_elements() -> None:
    low, high = np.float32([-1, 0, -0.5, 0.5]), np.float32([1, 0.25, 0.5, 2])
    bounds = TensorDesc(DataType.FLOAT, (4,))
    node = node_of("ClipByValue", {"x": IMAGE, "low": bounds, "high": bounds}, {"y": IMAGE})
    (result,) = run(model_of(node, {"x": IMAGE}, {"low": low, "high": high}), x=X)
    assert np.array_equal(result, np.clip(X, low, high))


def test_power_of_the_promoted_type() -> None:
    whole, half = TensorDesc(DataType.INT32, (4,)), TensorDesc(DataType.FLOAT, (4,))
    node = node_of("Pow", {"x": whole, "w": half}, {"y": half})
    (result,) = run(
        model_of(node, {"x": whole}, {"w": np.float32([0.5] * 4)}), x=np.arange(4, dtype=np.int32)
    )
    assert result.dtype == np.float32
    assert np.allclose(result, np.sqrt(np.arange(4)))


def test_average_over_all() -> None:
    ones = ListOf("int", [1, 1, 1, 1])
    node = node_of("AvgPoolV2", {"x": IMAGE}, {"y": IMAGE}, ksize=ones, strides=ones, global_pooling=True)
    (result,) = run(model_of(node, {"x": IMAGE}, {}), x=X)
    assert np.allclose(result, X.mean((2, 3), keepdims=True), atol=1e-6)


@pytest.mark.parametrize(
    ("change", "types"),
    [
        ({"strides": ListOf("int", [1, 1, 2, 1])}, ["Unsqueeze", "Conv", "Squeeze"]),
        ({"pads": ListOf("int", [1, 0, 0, 0])}, ["Unsqueeze", "Conv", "Squeeze"]),
        ({}, ["Conv"]),
    ],
)
def test_lines_are_lines_only_where_nothing_says_more_of_the_height(
    change: dict[str, Any], types: list[str]
) -> None:
    weights = {"w": np.ones((2, 3, 2), np.float32)}
    graph = there(onnx_model("y = Conv(x, w)", "float[1,3,5] x", "float[a,b,c] y", weights)).graph
    nodes = [replace(n, attrs={**n.attrs, **change}) if n.type == "Conv2D" else n for n in graph.nodes]
    back = converters.ge_to_onnx(GeModel("m", Graph("g", nodes, graph.outputs)))
    assert [node.op_type for node in back.graph.node] == types


def test_an_image_that_lines_and_others_take_is_both() -> None:
    """One Unsqueeze feeds a pool on lines and, put there by hand, another operator."""
    graph = there(onnx_model("y = MaxPool<kernel_shape=[2]>(x)", "float[1,3,5] x", "float[a,b,c] y")).graph
    (image,) = (node for node in graph.nodes if node.type == "Unsqueeze")
    desc = image.output_desc()
    relu = Node("relu", "Relu", [Edge(image.name)], {"x": desc}, {"y": desc})
    ends = replace(
        graph.nodes[-1],
        inputs=[*graph.nodes[-1].inputs, Edge("relu")],
        input_descs={**graph.nodes[-1].input_descs, "__input1": desc},
    )
    model = GeModel("m", Graph("g", [*graph.nodes[:-1], relu, ends], [*graph.outputs, Edge("relu")]))
    back = converters.ge_to_onnx(model)
    assert [node.op_type for node in back.graph.node] == ["Unsqueeze", "MaxPool", "Relu"]
    assert len(back.graph.node[1].attribute[0].ints) == 1
    x = np.arange(15, dtype=np.float32).reshape(1, 3, 5) - 7
    pooled, rectified = outputs_of(back, {"x": x}).values()
    assert np.array_equal(pooled, np.maximum(x[:, :, :-1], x[:, :, 1:]))
    assert np.array_equal(rectified, np.maximum(x, 0)[:, :, None])


def test_what_onnx_runtime_says_of_nan_in_a_global_pool() -> None:
    model = onnx_model("y = GlobalMaxPool(x)", "float[1,2,2,2] x", "float[a,b,c,d] y")
    x = np.array([[[[np.nan, 1], [2, 3]], [[1, 2], [np.nan, -0.0]]]], np.float32)
    assert_runs_alike(model, {"x": x})


CONV_T = {"strides": ListOf("int", [1] * 4), "pads": ListOf("int", [0] * 4), "data_format": "NCHW"}
SIZES = TensorDesc(DataType.INT64, (4,))
REFUSED: list[tuple[Node, dict[str, Array], str]] = [
    (batch_norm(exponential_avg_factor=0.5), {}, "exponential_avg_factor is 0.5; only 1.0"),
    (
        node_of(
            "BatchNorm",
            {"x": IMAGE, "s": CHANNELS, "o": CHANNELS},
            batch_norm().output_descs,
            is_training=False,
        ),
        {},
        "data_format is 'NHWC'; the host runs 'NCHW' and 'NCDHW'",
    ),
    (batch_norm(is_training=False), {}, "input 3 is not connected"),
    (
        node_of("RealDiv", {"x1": SIZES, "x2": SIZES}, {"y": SIZES}),
        {},
        "it divides int64; the host divides floats exactly, integers truncated",
    ),
    (node_of("TruncateDiv", {"x1": CHANNELS, "x2": CHANNELS}, {"y": CHANNELS}), {}, "it divides float32"),
    (
        node_of("Conv2DTranspose", {"size": SIZES, "x": IMAGE, "w": IMAGE}, {"y": IMAGE}, **CONV_T),
        {"size": np.array([2, 3, 9, 9])},
        "input_size is [2, 3, 9, 9]; its other attributes give [7, 7] at its end",
    ),
    (
        node_of("Conv2DTranspose", {"size": SIZES, "x": IMAGE, "w": IMAGE}, {"y": IMAGE}, **CONV_T),
        {},
        "its input_size is computed",
    ),
    (
        node_of(
            "AvgPoolV2",
            {"x": IMAGE},
            {"y": IMAGE},
            ksize=ListOf("int", [1] * 4),
            strides=ListOf("int", [1] * 4),
            divisor_override=3,
        ),
        {},
        "divisor_override is 3; only 0 can run on the host",
    ),
    (
        node_of("OneHot", dict.fromkeys(("x", "d", "on", "off"), SIZES), {"y": IMAGE}),
        {"d": np.array(4, np.complex64), "on": np.float32(1), "off": np.float32(0)},
        "its depth is complex64; the host takes integers",
    ),
    (
        node_of("GatherV2", dict.fromkeys(("x", "i", "axis"), SIZES), {"y": SIZES}),
        {"axis": np.array(0.5, np.float32)},
        "its axis is float32; the host takes integers",
    ),
    (
        node_of("ReduceSum", {"x": IMAGE, "axes": SIZES}, {"y": IMAGE}),
        {"axes": np.array([1], np.complex64)},
        "its axes is complex64; the host takes integers",
    ),
    (
        node_of("PadV3", {"x": IMAGE, "p": SIZES}, {"y": IMAGE}),
        {"p": np.arange(7)},
        "its paddings have 7 elements; they must have two for each axis",
    ),
    (
        node_of("StridedSlice", dict.fromkeys(("x", "b", "e", "s"), SIZES), {"y": SIZES}, begin_mask=1),
        {"b": np.array([0]), "e": np.array([1, 2]), "s": np.array([1])},
        "begin, end, strides have 1, 2, 1 elements; they must be as many",
    ),
]


@pytest.mark.parametrize(("node", "constants", "words"), REFUSED, ids=[words for _, _, words in REFUSED])
def test_refused(node: Node, constants: dict[str, Array], words: str) -> None:
    inputs = {name: desc for name, desc in node.input_descs.items() if name not in constants}
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.ge_to_onnx(model_of(node, inputs, constants))
    assert str(caught.value).startswith(f"{node.type} node 'op': ")
    assert words in str(caught.value)


def test_reserve_space_in_use_is_refused() -> None:
    model = model_of(batch_norm(), {"x": IMAGE}, {name: STATISTICS[name] for name in "so"}, used=4)
    with pytest.raises(mpg.MaxPoolGradError, match="its output 3 is used; the host gives 3 of them"):
        converters.ge_to_onnx(model)
