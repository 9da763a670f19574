"""Float16 parameters with master weights in float32, against torch.optim on the masters."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
import torch

from maxpoolgrad_onnx import MaxPoolGradError, add_training_step
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.gradient import SGD, AdamW, initial_state, make_update_step, with_parameters
from support_convert import assert_runs_alike
from support_ort import outputs_of
from support_step import forward_model

RATE = 1e-4
HALVES = ["u", "v", "w", "bias"]


def network() -> onnx.ModelProto:
    """Parameters of float16, three of which are packed, and one of float32."""
    rng = np.random.default_rng(0)
    weights = {name: rng.standard_normal((4, 4)).astype(np.float16) for name in ("u", "v", "w")}
    return forward_model(
        "a = MatMul (x, u) b = Tanh (a) c = MatMul (b, v) d = Tanh (c) e = MatMul (d, w) f = Add (e, bias) "
        "g = Cast <to = 1> (f) logits = Add (g, wide)",
        {**weights, "bias": np.zeros(4, np.float16), "wide": np.zeros(4, np.float32)},
        inputs="float16[8,4] x",
        outputs="float[8,4] logits",
    )


def batch(seed: int) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    return {"x": rng.standard_normal((8, 4)).astype(np.float16), "labels": rng.integers(0, 4, 8)}


def after(state: dict[str, Array], results: dict[str, Array]) -> dict[str, Array]:
    return {name: results[f"{name}.updated"] for name in state}


@pytest.mark.parametrize("optimizer", [SGD(weight_decay=0.01), AdamW()], ids=["sgd", "adamw"])
def test_masters_are_what_torch_optim_makes_of_them(optimizer: SGD | AdamW) -> None:
    forward = network()
    grads = add_training_step(forward, outputs="grads")
    step = make_update_step(grads, optimizer=optimizer, master_weights=True)
    state = initial_state(forward, step)
    assert {name for name in state if name.endswith(".master")} == {f"{name}.master" for name in HALVES}
    masters = {name: torch.tensor(state[name].astype(np.float32)) for name in HALVES}
    classes: dict[type, Any] = {SGD: torch.optim.SGD, AdamW: torch.optim.AdamW}
    own = {"momentum": 0.9, "weight_decay": 0.01} if isinstance(optimizer, SGD) else {}
    oracle = classes[type(optimizer)](masters.values(), lr=RATE, **own)
    for number in range(20):
        gradients = outputs_of(grads, {**batch(number), **state})
        for name, master in masters.items():
            master.grad = torch.tensor(gradients[f"{name}.grad"]).float()
        oracle.step()
        feeds = {**gradients, **state, "learning_rate": np.array(RATE, np.float32)}
        state = after(state, outputs_of(step, feeds))
        for name, master in masters.items():
            np.testing.assert_allclose(state[f"{name}.master"], master.numpy(), rtol=1e-6, atol=1e-7)
            assert np.array_equal(state[name], state[f"{name}.master"].astype(np.float16)), name
    onnx.checker.check_model(with_parameters(forward, state))


def test_the_whole_step_does_the_same() -> None:
    """To the rounding of gradients to float16, which ONNX Runtime leaves out where nobody sees it."""
    forward = network()
    whole = add_training_step(forward, master_weights=True)
    grads = add_training_step(forward, outputs="grads")
    update = make_update_step(grads, master_weights=True)
    state = initial_state(forward, whole)
    feeds = {**batch(0), **state, "learning_rate": np.array(0.5, np.float32)}
    assert_runs_alike(whole, feeds)
    found = outputs_of(whole, feeds)
    wanted = outputs_of(update, {**feeds, **outputs_of(grads, feeds)})
    for name in HALVES:
        master = found[f"{name}.master.updated"]
        np.testing.assert_allclose(master, wanted[f"{name}.master.updated"], rtol=0, atol=2e-4)
        assert np.abs(master - state[name]).max() > 0.01
        assert np.array_equal(found[f"{name}.updated"], master.astype(np.float16))


def test_small_steps_add_up() -> None:
    forward = network()
    moved = {}
    for master_weights in (False, True):
        step = add_training_step(forward, optimizer=SGD(momentum=0.0), master_weights=master_weights)
        state = first = initial_state(forward, step)
        for _ in range(60):
            feeds = {**batch(0), **state, "learning_rate": np.array(1e-3, np.float32)}
            state = after(state, outputs_of(step, feeds))
        moved[master_weights] = np.count_nonzero(state["w"] != first["w"])
    assert moved[True] > 12 > moved[False]


def test_an_overflow_leaves_masters_as_they_are() -> None:
    forward = network()
    step = add_training_step(forward, loss_scale="dynamic", master_weights=True)
    state = initial_state(forward, step)
    feeds = {**batch(0), **state, "learning_rate": np.array(1, np.float32)}
    feeds["x"] = np.full((8, 4), np.inf, np.float16)
    results = outputs_of(step, feeds)
    assert results["update_skipped"]
    for name in ("u", "bias"):
        assert np.array_equal(results[f"{name}.master.updated"], state[f"{name}.master"])
        assert np.array_equal(results[f"{name}.updated"], state[name])


def test_gradients_alone_have_no_masters() -> None:
    with pytest.raises(MaxPoolGradError, match="master_weights is given and outputs 'grads', which updates"):
        add_training_step(network(), outputs="grads", master_weights=True)
