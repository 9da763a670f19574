"""Steps of float16 models: sound, and the same bits through GE IR."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.gradient import initial_state
from support_convert import assert_runs_alike
from support_ort import outputs_of
from support_step import forward_model

NODES = {
    "arithmetic": "d = Mul (c, c) e = Sub (d, c) f = Div (e, half) g = Pow (f, two) y = Add (g, c)",
    "activations": "d = Relu (c) e = LeakyRelu (d) f = HardSwish (e) g = Sigmoid (f) y = HardSigmoid (g)",
    "clipped": "d = Clip (c, half, two) e = Tanh (d) y = Abs (e)",
    "softmax": "d = Softmax <axis = 1> (c) y = LogSoftmax (d)",
    "pools": (
        "d = MaxPool <kernel_shape = [2, 2]> (c) "
        "e = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (d) "
        "y = GlobalMaxPool (e)"
    ),
    "transposed convolution": "y = ConvTranspose <strides = [2, 2]> (c, w)",
    "given statistics": "y = BatchNormalization (c, s, s, s, s)",
    "the batch's statistics": "y, n, o = BatchNormalization <training_mode = 1> (c, s, s, m, v)",
    "reductions": "d = ReduceMean (c, axes) e = ReduceMax (c, axes) y = Add (d, e)",
    "parts": (
        "d, e = Split <axis = 1, num_outputs = 2> (c) f = Concat <axis = 2> (e, d) "
        "y = Slice (f, one, two_, one)"
    ),
    "dropout": "y = Dropout (c, half, yes)",
}
FLOATS = {
    "half": np.array(0.5),
    "two": np.array(2.0),
    "w": np.ones((4, 2, 2, 2)),
    "s": np.full(4, 1.5),
    "m": np.zeros(4),
    "v": np.ones(4),
}
OTHERS = {"axes": np.array([1]), "one": np.array([1]), "two_": np.array([2]), "yes": np.array(True)}


@pytest.mark.parametrize("nodes", NODES.values(), ids=NODES.keys())
def test_float16(nodes: str) -> None:
    assert_half(nodes, "float16")


@pytest.mark.parametrize("nodes", [n for n in NODES.values() if "BatchNormalization" in n])
def test_scale_bias_and_statistics_in_float32(nodes: str) -> None:
    assert_half(nodes, "float32")


def assert_half(nodes: str, statistics: str) -> None:
    forward = model(nodes, np.dtype(statistics))
    step = add_training_step(forward, outputs="grads")
    onnx.checker.check_model(step)
    types = {value.name: value.type.tensor_type.elem_type for value in step.graph.output}
    assert types["k.grad"] == TensorProto.FLOAT16
    x = np.random.default_rng(0).standard_normal((2, 3, 6, 6)).astype(np.float16)
    feeds = {**initial_state(forward, step), "x": x, "labels": np.array([0, 1])}
    results = outputs_of(step, feeds)
    assert all(np.isfinite(array).all() for array in results.values())
    assert_runs_alike(step, feeds)


def model(nodes: str, statistics: np.dtype[np.generic]) -> onnx.ModelProto:
    words = nodes.replace(",", " ").replace("(", " ").replace(")", " ").split()
    weights: dict[str, Array] = {"k": np.ones((4, 3, 1, 1), np.float16)}
    for name, array in FLOATS.items():
        weights[name] = array.astype(statistics if name in "smv" else np.float16)
    used = {name: array for name, array in {**weights, **OTHERS}.items() if name in words or name == "k"}
    return forward_model(
        f"c = Conv (x, k) {nodes} l = ReduceMean <keepdims = 0> (y, plane) "
        "row = Reshape (l, flat) logits = MatMul (row, head)",
        {
            **used,
            "plane": np.array([1, 2, 3]),
            "flat": np.array([2, 1]),
            "head": np.ones((1, 4), np.float16),
        },
        inputs="float16[2,3,6,6] x",
        outputs="float16[2,4] logits",
    )
