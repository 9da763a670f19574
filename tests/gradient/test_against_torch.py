"""Whole training steps in ONNX Runtime against torch autograd and torch.optim.SGD."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import pytest
import torch

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.gradient import SGD, initial_state
from support_cnn import Cnn, random_cnn, random_cnns
from support_ort import outputs_of
from support_torch import loss_and_gradients


def assert_close(name: str, found: Array, wanted: Array) -> None:
    """Within 1e-4 of the tensor's largest element; sums that cancel to nothing within float32's grain."""
    tolerance = 1e-4 * np.abs(wanted).max() + 1e-6
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance, err_msg=name)


def test_random_cnns(scale: Callable[[int, int], int]) -> None:
    for cnn in random_cnns(seed=11, count=scale(20, 200)):
        step = add_training_step(cnn.model)
        onnx.checker.check_model(step)
        results = outputs_of(step, _feeds(cnn, step))
        loss, gradients = loss_and_gradients(cnn.model, cnn.x, cnn.labels)
        assert float(results["loss"]) == pytest.approx(loss, rel=1e-4), cnn.name
        assert {f"{name}.updated" for name in gradients} <= set(results), cnn.name
        for name, gradient in gradients.items():
            # The momenta begin at zero, so that after one step they are the gradients.
            assert_close(f"{cnn.name} {name}", results[f"{name}.momentum.updated"], gradient)


def test_gradients_are_the_bits_of_the_momenta_after_one_step() -> None:
    cnn = random_cnn(11, 3)
    step, grads = add_training_step(cnn.model), add_training_step(cnn.model, outputs="grads")
    feeds = _feeds(cnn, step)
    updates, gradients = outputs_of(step, feeds), outputs_of(grads, feeds)
    assert updates["loss"] == gradients.pop("loss")
    assert gradients
    for name, gradient in gradients.items():
        np.testing.assert_array_equal(gradient, updates[f"{name.removesuffix('.grad')}.momentum.updated"])


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_three_steps_of_sgd(momentum: float) -> None:
    cnn, rate = random_cnn(11, 5), 0.05
    step = add_training_step(cnn.model, optimizer=SGD(momentum))
    feeds = _feeds(cnn, step, rate)
    leaves = {n: torch.tensor(a) for n, a in feeds.items() if f"{n}.updated" in _outputs(step)}
    parameters = {n: tensor for n, tensor in leaves.items() if not n.endswith(".momentum")}
    assert bool(set(leaves) - set(parameters)) == bool(momentum)
    optimizer = torch.optim.SGD([t.requires_grad_() for t in parameters.values()], lr=rate, momentum=momentum)
    for _ in range(3):
        model = _with_weights(cnn.model, {n: tensor.detach().numpy() for n, tensor in parameters.items()})
        _, gradients = loss_and_gradients(model, cnn.x, cnn.labels)
        for name, tensor in parameters.items():
            tensor.grad = torch.tensor(gradients[name])
        optimizer.step()
        results = outputs_of(step, feeds)
        feeds |= {n.removesuffix(".updated"): array for n, array in results.items()}
        for name, tensor in parameters.items():
            assert_close(name, feeds[name], tensor.detach().numpy())


def test_a_symbolic_batch_takes_any_batch() -> None:
    cnn = next(cnn for cnn in random_cnns(seed=12, count=50) if _batch(cnn.model) == "N")
    step = add_training_step(cnn.model)
    rng = np.random.default_rng(0)
    for n in (1, 2, 7):
        x = rng.standard_normal((n, *cnn.x.shape[1:])).astype(np.float32)
        labels = rng.integers(0, 2, n)
        results = outputs_of(step, {**_feeds(cnn, step), "x": x, "labels": labels})
        loss, gradients = loss_and_gradients(cnn.model, x, labels)
        assert float(results["loss"]) == pytest.approx(loss, rel=1e-4)
        for name, gradient in gradients.items():
            assert_close(name, results[f"{name}.momentum.updated"], gradient)


def _feeds(cnn: Cnn, step: onnx.ModelProto, rate: float = 0.1) -> dict[str, Array]:
    return {**initial_state(cnn.model, step), **cnn.feeds, "learning_rate": np.array(rate, np.float32)}


def _outputs(model: onnx.ModelProto) -> set[str]:
    return {value.name for value in model.graph.output}


def _batch(model: onnx.ModelProto) -> str:
    return str(model.graph.input[0].type.tensor_type.shape.dim[0].dim_param)


def _with_weights(model: onnx.ModelProto, weights: dict[str, Array]) -> onnx.ModelProto:
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for tensor in copy.graph.initializer:
        if tensor.name in weights:
            tensor.CopyFrom(onnx.numpy_helper.from_array(weights[tensor.name], tensor.name))
    return copy
