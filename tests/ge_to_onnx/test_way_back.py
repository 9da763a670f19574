"""GE IR that others wrote: what the host runs of it, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.ge_ir import (
    DataType,
    Edge,
    GeModel,
    Graph,
    ListOf,
    Node,
    TensorDesc,
)
from support_convert import onnx_model, there
from support_one_node import model_of, node_of
from support_ort import outputs_of


def run(model: GeModel, **feeds: Array) -> Array:
    (result,) = outputs_of(converters.ge_to_onnx(model), feeds).values()
    return result


FLOATS = TensorDesc(DataType.FLOAT, (2, 3))
X = np.array([[1, -2, 3], [4, 5, -6]], np.float32)


def one(type_: str, ports: dict[str, TensorDesc], output: TensorDesc, port: str = "y", **attrs: Any) -> Node:
    return node_of(type_, ports, {port: output}, **attrs)


def test_absent_attributes_have_their_prototype_s_defaults() -> None:
    ports = {"x": FLOATS, "axes": TensorDesc(DataType.INT32, (1,))}
    node = one("ReduceSum", ports, TensorDesc(DataType.FLOAT, (2,)))
    result = run(model_of(node, {"x": FLOATS}, {"axes": np.array([1], np.int32)}), x=X)
    assert np.array_equal(result, X.sum(axis=1))


def test_an_empty_list_of_axes_reduces_nothing_by_default() -> None:
    ports = {"x": FLOATS, "axes": TensorDesc(DataType.INT32, (0,))}
    node = one("ReduceSum", ports, FLOATS)
    assert np.array_equal(run(model_of(node, {"x": FLOATS}, {"axes": np.zeros(0, np.int32)}), x=X), X)


def test_sizes_in_int32_that_are_computed_are_widened() -> None:
    sizes = TensorDesc(DataType.INT32, (1,))
    node = one("Reshape", {"x": FLOATS, "shape": sizes}, TensorDesc(DataType.FLOAT, (6,)))
    model = model_of(node, {"x": FLOATS, "shape": sizes}, {})
    assert np.array_equal(run(model, x=X, shape=np.array([6], np.int32)), X.ravel())


def test_shape_in_int32() -> None:
    node = one("Shape", {"x": FLOATS}, TensorDesc(DataType.INT32, (2,)))
    result = run(model_of(node, {"x": FLOATS}, {}), x=X)
    assert result.dtype == np.int32
    assert list(result) == [2, 3]


def test_global_pooling() -> None:
    image = TensorDesc(DataType.FLOAT, (1, 1, 2, 3))
    attrs = {"ksize": ListOf("int", [1] * 4), "strides": ListOf("int", [1] * 4), "global_pooling": True}
    node = one("MaxPoolV3", {"x": image}, TensorDesc(DataType.FLOAT, (1, 1, 1, 1)), **attrs)
    assert run(model_of(node, {"x": image}, {}), x=X.reshape(1, 1, 2, 3)).item() == 5


def test_muls_and_bias_add_of_other_than_products() -> None:
    node = one("Muls", {"x": FLOATS}, FLOATS, value=2.5)
    assert np.array_equal(run(model_of(node, {"x": FLOATS}, {}), x=X), X * np.float32(2.5))
    bias = np.array([1, 2, 3], np.float32)
    node = one("BiasAdd", {"x": FLOATS, "bias": TensorDesc(DataType.FLOAT, (3,))}, FLOATS)
    assert np.array_equal(run(model_of(node, {"x": FLOATS}, {"bias": bias}), x=X), X + bias)


def test_a_product_that_is_read_twice_is_not_merged() -> None:
    model = onnx_model(
        "p = Gemm<alpha=0.5>(x, w) y = Neg(p)",
        "float[4,6] x",
        "float[4,5] p, float[4,5] y",
        {"w": np.ones((6, 5), "f")},
    )
    nodes = there(model).graph.nodes
    # The unscaled product is an output too.
    ends = [
        replace(n, inputs=[Edge("Gemm_p_product"), n.inputs[1]]) if n.type == "NetOutput" else n
        for n in nodes
    ]
    changed = GeModel("m", Graph("g", ends, [Edge("Gemm_p_product"), Edge("Neg_y")]))
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    result = outputs_of(converters.ge_to_onnx(changed), {"x": x})
    plain, halved = result.values()
    assert np.array_equal(plain, x @ np.ones((6, 5), np.float32))
    assert np.array_equal(halved, -plain / 2)


IMAGE = TensorDesc(DataType.FLOAT, (1, 2, 4, 4))
POOLED = TensorDesc(DataType.FLOAT, (1, 2, 2, 2))
TWOS = {"ksize": ListOf("int", [1, 1, 2, 2]), "strides": ListOf("int", [1, 1, 2, 2])}

REFUSED: list[tuple[Node, str]] = [
    (
        one("FlashAttention", {"x": FLOATS}, FLOATS),
        "the host has no rule for this operator; it has rules for Abs,",
    ),
    (one("Exp", {"x": FLOATS}, FLOATS, base=2.0), "base is 2.0; only -1.0 can run on the host"),
    (
        one("SoftmaxV2", {"x": FLOATS}, FLOATS, axes=ListOf("int", [0, 1])),
        "axes is [0, 1]; ONNX has one axis",
    ),
    (one("SoftmaxV2", {"x": FLOATS}, FLOATS, axes=1), "the attribute axes is 1; it must be of kind ListInt"),
    (one("Cast", {"x": FLOATS}, FLOATS), "the attribute dst_type is missing"),
    (one("Cast", {"x": FLOATS}, FLOATS, dst_type=13), "dst_type is 13, a data type that the host lacks"),
    (
        one("MaxPoolV3", {"x": IMAGE}, POOLED, **TWOS, data_format="NHWC"),
        "data_format is 'NHWC'; the host runs 'NCHW'",
    ),
    (
        one("MaxPoolV3", {"x": IMAGE}, POOLED, **TWOS, padding_mode="FULL"),
        "padding_mode is 'FULL'; allowed are",
    ),
    (
        one("MaxPoolV3", {"x": IMAGE}, POOLED, **{**TWOS, "ksize": ListOf("int", [1, 2, 2, 2])}),
        "ksize is [1, 2, 2, 2]; the host runs [1, 1, height, width] only",
    ),
    (
        one("Transpose", {"x": FLOATS, "perm": TensorDesc(DataType.INT64, (2,))}, FLOATS),
        "its perm is computed",
    ),
    (one("Shape", {"x": FLOATS}, FLOATS, dtype=0), "dtype is 0; allowed are 3 (int32) and 9 (int64)"),
    (one("ConcatD", {"x": FLOATS}, FLOATS, concat_dim=0, N=2), "N is 2 but it has 1 inputs"),
]


@pytest.mark.parametrize(("node", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_refused(node: Node, words: str) -> None:
    model = model_of(node, dict(node.input_descs), {})
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.ge_to_onnx(model)
    assert str(caught.value).startswith(f"{node.type} node 'op': ")
    assert words in str(caught.value)
    assert caught.value.code == "E10501"
