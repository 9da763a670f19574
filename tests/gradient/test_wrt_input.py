"""Gradients by the input: saliency maps and adversarial examples."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
import torch

from maxpoolgrad_onnx import MaxPoolGradError, add_training_step
from support_cnn import random_cnn
from support_ort import outputs_of
from support_step import forward_model
from support_torch import loss_and_gradients


def test_the_gradient_of_the_image() -> None:
    for index in range(5):
        cnn = random_cnn(31, index)
        step = add_training_step(cnn.model, wrt="input")
        onnx.checker.check_model(step)
        assert [value.name for value in step.graph.input] == ["x", "labels"]
        assert [value.name for value in step.graph.output] == ["loss", "x.grad"]
        results = outputs_of(step, cnn.feeds)
        model = onnx.ModelProto()
        model.CopyFrom(cnn.model)
        zero = onnx.numpy_helper.from_array(np.zeros(cnn.x.shape[1:], "f"), "shift")
        model.graph.initializer.append(zero)
        for node in model.graph.node:
            node.input[:] = ["shifted" if name == "x" else name for name in node.input]
        model.graph.node.insert(0, onnx.helper.make_node("Add", ["x", "shift"], ["shifted"]))
        loss, gradients = loss_and_gradients(model, cnn.x, cnn.labels)
        assert float(results["loss"]) == pytest.approx(loss, rel=1e-4)
        wanted = gradients["shift"]
        tolerance = 1e-4 * np.abs(wanted).max() + 1e-6
        np.testing.assert_allclose(results["x.grad"].sum(0), wanted, rtol=0, atol=tolerance)


def test_a_saliency_map_is_each_examples_own() -> None:
    cnn = random_cnn(31, 2)
    step = add_training_step(cnn.model, wrt="input", loss="class_score")
    whole = outputs_of(step, cnn.feeds)["x.grad"]
    for example in range(len(cnn.x)):
        first = np.roll(cnn.x, -example, 0), np.roll(cnn.labels, -example, 0)
        turned = outputs_of(step, {"x": first[0], "labels": first[1]})["x.grad"]
        np.testing.assert_allclose(turned[0], whole[example], rtol=1e-5, atol=1e-6)


def test_an_adversarial_step_raises_the_loss() -> None:
    cnn = random_cnn(31, 3)
    step = add_training_step(cnn.model, wrt="input")
    before = outputs_of(step, cnn.feeds)
    fooled = cnn.x + np.float32(0.01) * np.sign(before["x.grad"])
    assert outputs_of(step, {**cnn.feeds, "x": fooled})["loss"] > before["loss"]


def test_two_inputs_and_one_that_is_no_number() -> None:
    model = forward_model(
        "g = Gather (w, i) s = Add (x, z) t = Mul (s, g) y = MatMul (t, v)",
        {"w": np.ones((9, 3), "f"), "v": np.arange(12, dtype="f").reshape(3, 4)},
        inputs="float[2,3] x, float[2,3] z, int64[2] i",
        outputs="float[2,4] y",
    )
    step = add_training_step(model, wrt="input", loss="mse")
    assert [value.name for value in step.graph.output] == ["loss", "x.grad", "z.grad"]
    feeds = {
        "x": np.ones((2, 3), "f"),
        "z": np.zeros((2, 3), "f"),
        "i": np.array([1, 2]),
        "targets": np.zeros((2, 4), "f"),
    }
    results = outputs_of(step, feeds)
    x = torch.tensor(feeds["x"], requires_grad=True)
    (x @ torch.arange(12, dtype=torch.float32).reshape(3, 4)).square().mean().backward()
    assert x.grad is not None
    for name in ("x.grad", "z.grad"):
        np.testing.assert_allclose(results[name], x.grad.numpy(), rtol=1e-6)


def test_refused() -> None:
    cnn = random_cnn(31, 0)
    with pytest.raises(MaxPoolGradError, match="wrt is 'x'; allowed are 'parameters', 'input'"):
        add_training_step(cnn.model, wrt="x")
    with pytest.raises(MaxPoolGradError, match="outputs is 'update' and wrt 'input'; only parameters are"):
        add_training_step(cnn.model, wrt="input", outputs="update")
    model = forward_model(
        "g = Gather (w, i) y = MatMul (g, v)",
        {"w": np.ones((9, 3), "f"), "v": np.ones((3, 4), "f")},
        inputs="int64[2] i",
        outputs="float[2,4] y",
    )
    with pytest.raises(MaxPoolGradError, match="depends on no floating-point input that a gradient reaches"):
        add_training_step(model, wrt="input")
