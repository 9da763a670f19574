"""Rules where the batch is open, or height and width are: the same step for every size."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.arrays import Array
from support_convert import assert_runs_alike
from support_ort import outputs_of
from support_step import forward_model
from support_torch import loss_gradients_and_values

FILTERS = 4
CONV = "h = Conv <pads = [1, 1, 1, 1]> (x, k)"
SCALED = {"s": (FILTERS,), "b": (FILTERS,), "m": (FILTERS,), "v": (FILTERS,)}

# Nodes from h [N, 4, 6, 6] to y [N, ...], their parameters and constants.
BATCH: dict[str, tuple[str, dict[str, tuple[int, ...]], dict[str, Array]]] = {
    "Relu": ("y = Relu (h)", {}, {}),
    "Softmax": ("y = Softmax <axis = 1> (h)", {}, {}),
    "HardSwish": ("y = HardSwish (h)", {}, {}),
    "Clip": ("y = Clip (h, a, c)", {}, {"a": np.array(0, np.float32), "c": np.array(6, np.float32)}),
    "Mul by a gate": ("g = GlobalAveragePool (h) a = Sigmoid (g) y = Mul (h, a)", {}, {}),
    "Add of channels": ("y = Add (h, a)", {"a": (FILTERS, 1, 1)}, {}),
    "ConvTranspose": ("y = ConvTranspose <strides = [2, 2]> (h, a)", {"a": (FILTERS, 2, 2, 2)}, {}),
    "MaxPool": ("y = MaxPool <kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1> (h)", {}, {}),
    "AveragePool": (
        "y = AveragePool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (h)",
        {},
        {},
    ),
    "GlobalMaxPool": ("y = GlobalMaxPool (h)", {}, {}),
    "BatchNormalization": ("y = BatchNormalization (h, s, b, m, v)", SCALED, {}),
    "BatchNormalization that trains": (
        "y, n, w = BatchNormalization <training_mode = 1> (h, s, b, m, v)",
        SCALED,
        {},
    ),
    "Concat": ("a = Tanh (h) c = Exp (h) y = Concat <axis = 1> (a, h, c)", {}, {}),
    "Split": ("a, c = Split <axis = 1, num_outputs = 2> (h) y = Mul (a, c)", {}, {}),
    "Slice": (
        "y = Slice (h, a, c, d, e)",
        {},
        {"a": np.array([1, 0]), "c": np.array([4, 6]), "d": np.array([1, 3]), "e": np.array([1, 2])},
    ),
    "Pad": ("y = Pad (h, a)", {}, {"a": np.array([0, 0, 1, 0, 0, 0, 2, 1])}),
    "Pad by reflection": ('y = Pad <mode = "reflect"> (h, a)', {}, {"a": np.array([0, 0, 1, 2, 0, 0, 2, 1])}),
    "channel shuffle": (
        "a = Reshape (h, d) c = Transpose <perm = [0, 2, 1, 3, 4]> (a) y = Reshape (c, e)",
        {},
        {"d": np.array([0, 2, 2, 6, 6]), "e": np.array([0, 4, 6, 6])},
    ),
    "Gather of channels": ("y = Gather <axis = 1> (h, a)", {}, {"a": np.array([2, 0])}),
    "Gather that repeats": ("y = Gather <axis = 1> (h, a)", {}, {"a": np.array([2, 0, 2])}),
    "ReduceMean": ("y = ReduceMean <keepdims = 0> (h, a)", {}, {"a": np.array([2, 3])}),
    "ReduceMax": ("y = ReduceMax (h, a)", {}, {"a": np.array([1])}),
    "Tile": ("y = Tile (h, a)", {}, {"a": np.array([1, 2, 1, 1])}),
    "MatMul": ("y = MatMul (h, a)", {"a": (6, 3)}, {}),
    "MatMul of a matrix": ("y = MatMul (a, h)", {"a": (3, 6)}, {}),
    "Squeeze and Unsqueeze": (
        "a = ReduceMean (h, d) c = Squeeze (a, d) y = Unsqueeze (c, d)",
        {},
        {"d": np.array([2])},
    ),
}


def model(
    nodes: str, parameters: dict[str, tuple[int, ...]], constants: dict[str, Array], x: str
) -> onnx.ModelProto:
    rng = np.random.default_rng(0)
    weights = {"k": rng.standard_normal((FILTERS, 3, 3, 3)).astype(np.float32)}
    for name, shape in parameters.items():
        weights[name] = rng.uniform(0.5, 1.5, shape).astype(np.float32)
    return forward_model(nodes, weights | constants, inputs=f"float[{x}] x", outputs="float[N,4] logits")


def assert_right(forward: onnx.ModelProto, shapes: list[tuple[int, ...]]) -> None:
    step = add_training_step(forward, outputs="grads")
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in forward.graph.initializer}
    for shape in shapes:
        x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
        labels = np.arange(shape[0]) % 4
        given: dict[str, Array] = {**weights, "x": x, "labels": labels}
        feeds = {value.name: given[value.name] for value in step.graph.input}
        results = outputs_of(step, feeds)
        loss, gradients, _ = loss_gradients_and_values(forward, {"x": x}, labels, torch.float32)
        assert float(results["loss"]) == pytest.approx(loss, rel=1e-4)
        given_gradients = [name for name in results if name.endswith(".grad")]
        assert given_gradients
        for name in given_gradients:
            wanted = gradients[name.removesuffix(".grad")]
            scale = max(np.abs(wanted).max(), 1e-2)
            np.testing.assert_allclose(results[name], wanted, rtol=0, atol=1e-4 * scale, err_msg=name)
        assert_runs_alike(step, feeds)


@pytest.mark.parametrize(("nodes", "parameters", "constants"), BATCH.values(), ids=BATCH.keys())
def test_open_batch(nodes: str, parameters: dict[str, tuple[int, ...]], constants: dict[str, Array]) -> None:
    bare = model(f"{CONV} {nodes} logits = Flatten (y)", parameters, constants, "2,3,6,6")
    x = np.zeros((2, 3, 6, 6), np.float32)
    _, _, values = loss_gradients_and_values(bare, {"x": x}, np.array([0, 0]), torch.float32)
    features = values["logits"].shape[1]
    head = np.random.default_rng(2).standard_normal((features, 4)) / np.sqrt(features)
    text = f"{CONV} {nodes} flat = Flatten (y) logits = MatMul (flat, head)"
    forward = model(text, parameters, {**constants, "head": head.astype(np.float32)}, "N,3,6,6")
    assert_right(forward, [(2, 3, 6, 6), (5, 3, 6, 6)])


PLANES = {
    "GlobalAveragePool": "g = GlobalAveragePool (h)",
    "GlobalMaxPool": "g = GlobalMaxPool (h)",
    "ReduceMean": "g = ReduceMean (h, axes)",
    "MaxPool": (
        "p = MaxPool <kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1> (h) g = GlobalAveragePool (p)"
    ),
    "BatchNormalization that trains": (
        "n, o, p = BatchNormalization <training_mode = 1> (h, s, b, m, v) g = GlobalAveragePool (n)"
    ),
    "AveragePool": (
        "p = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1], count_include_pad = 1> (h) "
        "g = GlobalAveragePool (p)"
    ),
    "ConvTranspose": "p = ConvTranspose <strides = [2, 2]> (h, t) g = GlobalAveragePool (p)",
    "squeeze and excitation": "a = GlobalAveragePool (h) c = Mul (h, a) g = GlobalAveragePool (c)",
}


@pytest.mark.parametrize("nodes", PLANES.values(), ids=PLANES.keys())
def test_open_height_and_width(nodes: str) -> None:
    text = f"{CONV} {nodes} logits = Flatten (g)"
    used = {name: shape for name, shape in SCALED.items() if "Batch" in nodes}
    if "ConvTranspose" in nodes:
        used["t"] = (FILTERS, 4, 3, 3)
    constants = {"axes": np.array([2, 3])} if "axes" in nodes else {}
    forward = model(text, used, constants, "N,3,H,W")
    assert_right(forward, [(2, 3, 6, 6), (3, 3, 8, 4)])
