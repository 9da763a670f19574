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
from support_refusals import ANY, IMAGE, NUMBERS, Refused


def refusal(model: onnx.ModelProto) -> mpg.MaxPoolGradError:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.onnx_to_ge(model)
    assert "\n" not in str(caught.value)
    return caught.value


def ints(*values: int) -> Any:
    return np.array(values, np.int64)


PADS = {"p": ints(1, 1), "v": np.zeros((), "f")}

NODES: list[Refused] = [
    *NUMBERS,
    ("y = Cast<to=8>(x)", "float[3] x", "string[3] y", {}, "STRING"),
    ("y = Sum(x, w)", "float[4,6] x", "float[4,6] y", {"w": np.ones(6, "f")}, "use Add"),
    (
        "y = Gemm(x, w, b)",
        "float[N,6] x, float[N,1] b",
        "float[N,2] y",
        {"w": np.ones((6, 2), "f")},
        "unknown size",
    ),
    ("y = Reshape<allowzero=1>(x, s)", "float[0,3] x", "float[a,b] y", {"s": ints(0, 0)}, "allowzero is 1"),
    ("y = Reshape<allowzero=1>(x, s)", "float[0,3] x, int64[2] s", "float[a,b] y", {}, "allowzero is 1"),
    (
        "y, z = Split<num_outputs=2>(x)",
        "float[N] x",
        "float[a] y, float[b] z",
        {},
        "axis 0 has no known size, so its parts need not be alike",
    ),
    (
        "y, z, u, v = Split<num_outputs=4>(x)",
        "float[5] x",
        "float[a] y, float[b] z, float[c] u, float[d] v",
        {},
        "it splits 5 elements into 4 parts of 2",
    ),
    (
        "y, z = Split<axis=1099511627776>(x)",
        "float[N] x",
        "float[a] y, float[b] z",
        {},
        "its split dim is '1099511627776', which GE's int32 does not hold",
    ),
    ("y = Pad(x, p, v, a)", "float[3,4] x, int64[1] a", "float[c,d] y", PADS, "its axes 'a' is computed"),
    (
        'y = Pad<mode="wrap">(x, p)',
        "float[3,4] x",
        "float[c,d] y",
        {"p": ints(0, 0, 1, 1)},
        "mode is 'wrap'; allowed are constant",
    ),
    (
        "y = Slice(x, s, e, a, d)",
        "float[3] x",
        "float[a] y",
        {"s": ints(1), "e": ints(2**63 - 1), "a": ints(0), "d": ints(-1)},
        "ends has 9223372036854775807 for a step of -1, of which ONNX takes nothing",
    ),
    ("y = Slice(x, s, s)", "float[3] x, int64[M] s", "float[a] y", {}, "the number of its starts"),
    (
        'y = ScatterElements<reduction="max">(x, i, u)',
        "float[3] x, int64[1] i, float[1] u",
        "float[a] y",
        {},
        "reduction is 'max'; GE's ScatterElements has none, add, mul",
    ),
    (
        "y = GatherND<batch_dims=1>(x, i)",
        "float[3,4] x, int64[3,1] i",
        "float[a] y",
        {},
        "batch_dims is 1; GatherNd has none",
    ),
    (
        "y = Dropout(x, r, t)",
        "float[3] x, bool t",
        "float[3] y",
        {"r": np.array(0.5, "f")},
        "its training_mode 't' is computed",
    ),
    (
        "y = Dropout(x, r, t)",
        "float[3] x",
        "float[3] y",
        {"r": np.array(0.5, "f"), "t": np.array(True)},
        "training_mode is true; only inference",
    ),
    (
        "y = Expand(x, s)",
        "double[3] x, int64[2] s",
        "double[a,b] y",
        {},
        "it expands DT_DOUBLE to a shape that is not known",
    ),
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


@pytest.mark.parametrize(
    ("nodes", "inputs", "outputs", "opset", "words"),
    [
        ("y = Softmax<axis=1>(x)", "float[N,C,H,8] x", ANY, 11, "only one of the two may be unknown"),
        (
            "y, m, v, s, t = BatchNormalization(x, a, a, a, a)",
            "float[2,3,8,8] x, float[3] a",
            ANY,
            9,
            "it has 5 outputs, which means training below opset 14",
        ),
        (
            "y = BatchNormalization<spatial=0>(x, a, a, a, a)",
            "float[2,3,8,8] x, float[3,8,8] a",
            ANY,
            8,
            "spatial",
        ),
    ],
)
def test_node_of_an_older_opset(nodes: str, inputs: str, outputs: str, opset: int, words: str) -> None:
    assert words in str(refusal(onnx_model(nodes, inputs, outputs, opset=opset)))


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
