"""Parts of a step as functions of the model: a node each, and the bits of the unfolded step."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnx.inliner
import pytest

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.gradient import (
    SGD,
    AdamW,
    BinaryCrossEntropy,
    MeanSquaredError,
    SoftmaxCrossEntropy,
    initial_state,
)
from support_convert import assert_runs_alike
from support_ort import outputs_of
from support_step import forward_model, only, op_types

DOMAIN = "maxpoolgrad"
SHAPES = {"a": (6, 4), "b": (4,), "c": (4, 4), "d": (4,), "e": (4, 3), "f": (3,)}
NODES = """h = Gemm (x, a, b) i = Sigmoid (h) d0 = Dropout (i, ratio, yes) j = Gemm (d0, c, d)
k = Clip (j, low, high) d1 = Dropout (k, ratio, yes) y = Gemm (d1, e, f)"""


def network(dtype: Any = np.float32, batch: str = "8") -> onnx.ModelProto:
    rng = np.random.default_rng(0)
    weights: dict[str, Array] = {
        name: rng.normal(0, 0.5, shape).astype(dtype) for name, shape in SHAPES.items()
    }
    weights |= {"low": np.array(-1, dtype), "high": np.array(1, dtype)}
    weights |= {"ratio": np.array(0.3, np.float32), "yes": np.array(True)}
    kind = {np.float32: "float", np.float16: "float16"}[dtype]
    return forward_model(NODES, weights, inputs=f"{kind}[{batch},6] x", outputs=f"{kind}[{batch},3] y")


def feeds_of(model: onnx.ModelProto, step: onnx.ModelProto) -> dict[str, Array]:
    rng, types = np.random.default_rng(1), {value.name: value.type.tensor_type for value in step.graph.input}
    dtype = onnx.helper.tensor_dtype_to_np_dtype(types["x"].elem_type)
    feeds = {
        "x": rng.standard_normal((8, 6)).astype(dtype),
        "labels": np.array([0, 2, 1, 1, 2, 0, 0, 1]),
        "targets": rng.random((8, 3)).astype(dtype),
        "learning_rate": np.array(0.1, np.float32),
        **initial_state(model, step),
    }
    return {name: array for name, array in feeds.items() if name in types}


OPTIONS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "weighted labels": {"loss": SoftmaxCrossEntropy((1, 0.5, 2), 0.1, 2)},
    "mse, nesterov": {"loss": MeanSquaredError(), "optimizer": SGD(0.8, nesterov=True, weight_decay=0.1)},
    "bce, clipped": {"loss": BinaryCrossEntropy(), "optimizer": "adam", "clip_norm": 0.1},
    "scaled": {"optimizer": AdamW(), "clip_norm": 0.5, "loss_scale": "dynamic"},
    "gradients": {"outputs": "grads", "loss_scale": 64.0},
}


@pytest.mark.parametrize("batch", ["8", "N"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16], ids=["float32", "float16"])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS.keys())
def test_a_step_has_the_bits_of_the_unfolded_one(options: dict[str, Any], dtype: Any, batch: str) -> None:
    model = network(dtype, batch)
    step, plain = (add_training_step(model, **options, unfold=unfold) for unfold in (False, True))
    assert not {node.domain for node in plain.graph.node} - {""}
    assert not plain.functions
    assert len(step.graph.node) < len(plain.graph.node) / 2
    feeds = feeds_of(model, step)
    wanted = outputs_of(plain, feeds)
    found = outputs_of(step, feeds)
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        assert found[name].tobytes() == array.tobytes(), name
    unfolded = onnx.inliner.inline_local_functions(step)
    assert sorted(op_types(unfolded)) == sorted(op_types(plain))


def test_through_ge_ir_and_back() -> None:
    for batch in ("8", "N"):
        model = network(batch=batch)
        step = add_training_step(model, optimizer="adamw", clip_norm=1.0)
        assert_runs_alike(step, feeds_of(model, step))


def test_loss_update_and_each_rule_are_one_node() -> None:
    step = add_training_step(network())
    own = [node.op_type for node in step.graph.node if node.domain == DOMAIN]
    masks = ["DropoutKeys", "DropoutMask", "DropoutMask"]
    grads = ["GemmGrad", "ClipGrad", "GemmGrad", "SigmoidGrad", "GemmGrad_1"]
    assert own == [*masks, "SoftmaxCrossEntropy", *grads, "SGD"]
    names = [function.name for function in step.functions]
    assert names == list(dict.fromkeys(own))  # equal parts are one function; the image needs no gradient
    update = only(step, "SGD")
    assert list(update.input[:7]) == ["learning_rate", *SHAPES]
    assert list(update.output[:6]) == [f"{name}.updated" for name in SHAPES]


LINES = """a = Conv <strides = [2], pads = [1, 1]> (x, v, b) c = Relu (a)
d = MaxPool <kernel_shape = [3], pads = [1, 1]> (c) e = Conv <pads = [1, 1]> (d, w) f = Add (e, c)
g = GlobalAveragePool (f) h = Flatten (g) y = MatMul (h, m)"""


@pytest.mark.parametrize("batch", ["3", "N"])
def test_lines_beside_operators_of_npu(batch: str) -> None:
    """Lines [N, C, L]: their images of height 1 are made once, for whatever reads them."""
    rng = np.random.default_rng(0)
    shapes = {"v": (4, 2, 3), "b": (4,), "w": (4, 4, 3), "m": (4, 3)}
    weights: dict[str, Array] = {
        name: rng.standard_normal(shape).astype("f") for name, shape in shapes.items()
    }
    model = forward_model(LINES, weights, inputs=f"float[{batch},2,9] x", outputs=f"float[{batch},3] y")
    step, plain = (add_training_step(model, unfold=unfold) for unfold in (False, True))
    onnx.checker.check_model(step, full_check=True)
    domains = [function.domain for function in step.functions]
    assert domains == sorted(domains, reverse=True)  # those of npu first, which the others call
    feeds = {"x": rng.standard_normal((3, 2, 9)).astype("f"), "labels": np.array([0, 2, 1])}
    feeds |= {**initial_state(model, step), "learning_rate": np.array(0.1, "f")}
    wanted = outputs_of(plain, feeds)
    for name, array in outputs_of(step, feeds).items():
        assert array.tobytes() == wanted[name].tobytes(), name
    assert_runs_alike(step, feeds)


@pytest.mark.parametrize("batch", ["8", "N"])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS.keys())
def test_a_function_has_no_dead_node(options: dict[str, Any], batch: str) -> None:
    step = add_training_step(network(batch=batch), **options)
    for function in step.functions:
        read = {name for node in function.node for name in node.input}
        written = {name for node in function.node for name in node.output}
        assert written <= read | set(function.output)
        assert set(function.input) <= read
        assert set(function.output) <= written
        assert len(function.node) > 1


def test_a_function_s_values_do_not_tell_of_one_node() -> None:
    (function,) = [f for f in add_training_step(network()).functions if f.name == "GemmGrad"]
    assert list(function.input) == ["dY", "X1", "X", "C4"]
    assert [node.op_type for node in function.node] == ["Gemm", "Gemm", "ReduceSum"]
    assert [node.name for node in function.node] == ["GemmGrad.Gemm", "GemmGrad.Gemm_1", "GemmGrad.ReduceSum"]
