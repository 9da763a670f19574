"""What conversion refuses: node, value, what is allowed, what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from support_convert import onnx_model


def refusal(model: onnx.ModelProto) -> mpg.MaxPoolGradError:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.onnx_to_ge(model)
    assert "\n" not in str(caught.value)
    return caught.value


def ints(*values: int) -> Any:
    return np.array(values, np.int64)


IMAGE, ANY = "float[2,3,8,8] x", "float[a,b,c,d] y"
POOL = "kernel_shape=[2,2]"

NODES: list[tuple[str, str, str, dict[str, Any], str]] = [
    (
        "y = MaxPool<kernel_shape=[2]>(x)",
        "float[2,3,8] x",
        "float[a,b,c] y",
        {},
        "3-D; converted are 4-D images",
    ),
    (
        "y, i = MaxPool<kernel_shape=[2,2]>(x)",
        IMAGE,
        ANY,
        {},
        "its second output 'i' is used; only the first",
    ),
    (f"y = MaxPool<{POOL}, dilations=[2,1]>(x)", IMAGE, ANY, {}, "dilations is [2, 1]"),
    (f"y = MaxPool<{POOL}, storage_order=1>(x)", IMAGE, ANY, {}, "storage_order is 1; only 0"),
    ("y = MaxPool<kernel_shape=[2,256]>(x)", "float[1,1,8,400] x", ANY, {}, "256"),
    ("y = MaxPool<kernel_shape=[2,2], strides=[64,1]>(x)", "float[1,1,99,9] x", ANY, {}, "64"),
    (
        'y = MaxPool<kernel_shape=[2,2], strides=[2,2], auto_pad="SAME_LOWER">(x)',
        "float[1,1,H,8] x",
        ANY,
        {},
        "height or width is not known",
    ),
    (
        "y = Conv(x, w)",
        "float[2,3,8] x",
        "float[a,b,c] y",
        {"w": np.ones((4, 3, 3), "f")},
        "3-D; converted are 4-D",
    ),
    ("y = Div(x, x)", "int64[3] x", "int64[3] y", {}, "divides DT_INT64"),
    ("y = Cast<to=8>(x)", "float[3] x", "string[3] y", {}, "STRING"),
    ("y = Sum(x, w)", "float[4,6] x", "float[4,6] y", {"w": np.ones(6, "f")}, "use Add"),
    ("y = MatMul(x, w)", "float[4,6] x", "float[4] y", {"w": np.ones(6, "f")}, "1-D; BatchMatMulV2"),
    (
        "y = Gemm(x, w, b)",
        "float[N,6] x, float[N,1] b",
        "float[N,2] y",
        {"w": np.ones((6, 2), "f")},
        "unknown size",
    ),
    ("y = Reshape<allowzero=1>(x, s)", "float[0,3] x", "float[3,0] y", {"s": ints(3, 0)}, "allowzero is 1"),
    ("y = Shape<start=1>(x)", "float[N,3] x", "int64[1] y", {}, "start or end is written"),
    ("y = Unsqueeze(x, a)", "float[3] x, int64[1] a", "float[p,q] y", {}, "its axes 'a' is computed"),
    (
        "y = OneHot(i, d, v)",
        "float[3] i",
        "float[3,4] y",
        {"d": ints(4), "v": np.ones(2, "f")},
        "indices are DT_FLOAT",
    ),
    (
        "y = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, g)",
        "float[1,2,6,6] x, float[1,2,3,4] p, float[1,2,3,4] g",
        ANY,
        {},
        "MaxPoolV3Grad node",
    ),
    (
        "y = npu.MaxPoolV3Grad<ksize=[1,1,2,2]>(x, p, g)",
        "float[1,2,6,6] x, float[1,2,3,3] p, float[1,2,3,3] g",
        ANY,
        {},
        "strides",
    ),
    (
        "y = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, g)",
        "double[1,2,6,6] x, double[1,2,3,3] p, double[1,2,3,3] g",
        "double[a,b,c,d] y",
        {},
        "float64",
    ),
]


@pytest.mark.parametrize(("nodes", "inputs", "outputs", "weights", "words"), NODES, ids=[n[0] for n in NODES])
def test_node(nodes: str, inputs: str, outputs: str, weights: dict[str, Any], words: str) -> None:
    model = onnx_model(nodes, inputs, outputs, weights)
    for node in model.graph.node:
        node.name = "the_node"
    error = refusal(model)
    assert words in str(error)
    assert "the_node" in str(error) or "'y'" in str(error)
    assert error.code == "E13014"


def test_softmax_below_opset_13_over_several_axes() -> None:
    assert "axis is 1; below opset 13" in str(
        refusal(onnx_model("y = Softmax<axis=1>(x)", IMAGE, ANY, opset=11))
    )


def test_unknown_operator() -> None:
    model = onnx_model("y = Relu(x) z = Selu(y) t = own.Thing(z) u = Selu(t)", IMAGE, "float u")
    model.opset_import.append(onnx.helper.make_opsetid("own", 3))
    model.graph.node[1].name = "selu1"
    error = refusal(model)
    assert error.code == "E16002"
    assert str(error).startswith(
        "Selu node 'selu1': no rule is registered for ai.onnx::18::Selu (and Thing elsewhere)"
    )
    assert "there are rules for Abs, Add, " in str(error)
    assert ", npu::MaxPoolV3Grad" in str(error)


def _drop_graph(model: onnx.ModelProto) -> None:
    model.ClearField("graph")


def _drop_outputs(model: onnx.ModelProto) -> None:
    del model.graph.output[:]


def _drop_opset(model: onnx.ModelProto) -> None:
    del model.opset_import[0]


def _drop_type(model: onnx.ModelProto) -> None:
    model.graph.input[0].type.Clear()


def _misname_output(model: onnx.ModelProto) -> None:
    model.graph.output[0].name = "nobody"


def _swap_nodes(model: onnx.ModelProto) -> None:
    model.graph.node.insert(0, model.graph.node[1])
    del model.graph.node[2]


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (_drop_graph, "E16004", "no graph"),
        (_drop_outputs, "E16001", "has no output"),
        (_drop_opset, "E19999", "imports no opset"),
        (_drop_type, "E13014", "'x'"),
        (_misname_output, "E16001", "'nobody'"),
        (_swap_nodes, "E13014", "'y'"),
    ],
)
def test_model(change: Callable[[onnx.ModelProto], None], code: str, words: str) -> None:
    model = onnx_model("y = Relu(x) z = Neg(y)", "float[3] x", "float[3] z")
    change(model)
    error = refusal(model)
    assert words in str(error)
    assert error.code == code


@pytest.mark.parametrize("opset", [7, 99])
def test_opset_out_of_range(opset: int) -> None:
    error = refusal(onnx_model("y = Relu(x)", "float[3] x", "float[3] y", opset=opset))
    assert error.code == "E16002"
    assert f"ai.onnx {opset}; converted are 8 to 18" in str(error)
