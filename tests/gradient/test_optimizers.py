"""Optimizers against torch.optim over many steps; packing, clipping, loss scaling, the update step alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import pytest
import torch

from maxpoolgrad_onnx import MaxPoolGradError, add_training_step
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.gradient import SGD, Adam, AdamW, initial_state, make_update_step
from support_ort import outputs_of, plain_session
from support_step import forward_model, op_types

SHAPES = {"a": (6, 4), "b": (4,), "c": (4,), "d": (3, 4), "e": (4, 4), "f": (4,), "g": (4, 4)}
STEPS = 20


def network(dtype: Any = np.float32) -> onnx.ModelProto:
    """Three layers; every gradient is a sum of few terms."""
    rng = np.random.default_rng(0)
    weights = {name: rng.normal(0, 0.5, shape).astype(dtype) for name, shape in SHAPES.items()}
    nodes = """h = Gemm (x, a, b) i = Relu (h) j = Gemm (i, e, c) k = Add (j, h) l = Relu (k)
    m = Gemm (l, g, f) t = Gemm <transB = 1> (m, d)"""
    kind = {np.float32: "float", np.float64: "double", np.float16: "float16"}[dtype]
    return forward_model(nodes, weights, inputs=f"{kind}[8,6] x", outputs=f"{kind}[8,3] t")


def gradients(step: int, dtype: Any = np.float32) -> dict[str, Array]:
    """Any numbers, of magnitudes that differ by parameter and step."""
    rng = np.random.default_rng([7, step])
    return {
        name: (rng.standard_normal(shape) * 10.0 ** rng.uniform(-2, 1)).astype(dtype)
        for name, shape in SHAPES.items()
    }


def rate(step: int) -> float:
    return 0.02 / (1 + 0.1 * step)


class Updates:
    """An update step, run again and again on the state that it gives."""

    def __init__(self, model: onnx.ModelProto, **options: Any) -> None:
        scale = options.get("loss_scale")
        grads = add_training_step(model, outputs="grads", loss_scale=scale)
        self.step = make_update_step(grads, **options)
        onnx.checker.check_model(self.step)
        self.state = initial_state(model, self.step)
        self.session = plain_session(self.step)
        self.rate_type = self.session.get_inputs()[-1].type

    def run(self, given: Mapping[str, Array], learning_rate: float) -> dict[str, Array]:
        dtype = np.float64 if "double" in self.rate_type else np.float32
        feeds = {**self.state, **{f"{name}.grad": array for name, array in given.items()}}
        feeds["learning_rate"] = np.array(learning_rate, dtype)
        names = [value.name for value in self.session.get_outputs()]
        results = dict(zip(names, self.session.run(names, feeds), strict=True))
        self.state = {name: results[f"{name}.updated"] for name in self.state}
        return results


OPTIMIZERS: list[tuple[Any, Any, dict[str, Any]]] = [
    (SGD(0.0), torch.optim.SGD, {}),
    (SGD(0.9), torch.optim.SGD, {"momentum": 0.9}),
    (SGD(0.8, weight_decay=0.1), torch.optim.SGD, {"momentum": 0.8, "weight_decay": 0.1}),
    (SGD(0.0, weight_decay=0.1), torch.optim.SGD, {"weight_decay": 0.1}),
    (SGD(0.9, nesterov=True), torch.optim.SGD, {"momentum": 0.9, "nesterov": True}),
    (
        SGD(0.9, nesterov=True, weight_decay=0.05),
        torch.optim.SGD,
        {"momentum": 0.9, "nesterov": True, "weight_decay": 0.05},
    ),
    (Adam(), torch.optim.Adam, {}),
    (
        Adam((0.8, 0.99), 1e-3, 0.1),
        torch.optim.Adam,
        {"betas": (0.8, 0.99), "eps": 1e-3, "weight_decay": 0.1},
    ),
    (Adam((0.0, 0.5)), torch.optim.Adam, {"betas": (0.0, 0.5)}),
    (AdamW(), torch.optim.AdamW, {}),
    (AdamW(weight_decay=0.0), torch.optim.AdamW, {"weight_decay": 0.0}),
    (AdamW((0.7, 0.9), weight_decay=0.5), torch.optim.AdamW, {"betas": (0.7, 0.9), "weight_decay": 0.5}),
]


@pytest.mark.parametrize(("ours", "theirs", "options"), OPTIMIZERS, ids=[str(o[0]) for o in OPTIMIZERS])
@pytest.mark.parametrize("clip", [None, 0.5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_many_steps(ours: Any, theirs: Any, options: dict[str, Any], clip: float | None, dtype: Any) -> None:
    model = network(dtype)
    updates = Updates(model, optimizer=ours, clip_norm=clip)
    leaves = {
        tensor.name: torch.tensor(onnx.numpy_helper.to_array(tensor), requires_grad=True)
        for tensor in model.graph.initializer
    }
    optimizer = theirs(list(leaves.values()), lr=1.0, **options)
    for step in range(STEPS):
        given = gradients(step, dtype)
        for name, leaf in leaves.items():
            leaf.grad = torch.tensor(given[name])
        optimizer.param_groups[0]["lr"] = rate(step)
        norm = None
        if clip is not None:
            norm = torch.nn.utils.clip_grad_norm_(list(leaves.values()), clip)
        optimizer.step()
        results = updates.run(given, rate(step))
        if norm is not None:
            np.testing.assert_allclose(results["gradient_norm"], norm.numpy(), rtol=1e-5)
        for name, leaf in leaves.items():
            wanted = leaf.detach().numpy()
            error = np.abs(updates.state[name] - wanted).max() / np.abs(wanted).max()
            assert error <= (1e-5 if dtype == np.float32 else 1e-13), (name, step)


def test_the_step_counter_counts() -> None:
    updates = Updates(network(), optimizer="adam")
    for step in range(3):
        updates.run(gradients(step), 0.1)
    assert updates.state["step"] == 3
    assert updates.state["step"].dtype == np.int64


@pytest.mark.parametrize("beta", [0.5, 0.9, 0.99, 0.999, 0.9999])
def test_bias_corrections_do_not_cancel(beta: float) -> None:
    """At a first step, m' / (1 - b1) is g and v' / (1 - b2) is g^2: the step is the learning rate."""
    updates = Updates(network(), optimizer=Adam((beta, beta), eps=1e-12))
    before = dict(updates.state)
    updates.run({name: np.ones(shape, "f") for name, shape in SHAPES.items()}, 1.0)
    for name in SHAPES:
        np.testing.assert_allclose(before[name] - updates.state[name], 1, rtol=3e-6)


def test_the_whole_step_is_gradients_and_update() -> None:
    model, rng = network(), np.random.default_rng(3)
    feeds = {"x": rng.standard_normal((8, 6)).astype("f"), "labels": rng.integers(0, 3, 8)}
    for optimizer in ("sgd", "adamw"):
        whole = add_training_step(model, optimizer=optimizer, clip_norm=0.3)
        grads = add_training_step(model, outputs="grads")
        apart = make_update_step(grads, optimizer=optimizer, clip_norm=0.3)
        state = initial_state(model, whole)
        assert state.keys() == initial_state(model, apart).keys()
        for _ in range(3):
            common = {**feeds, **state, "learning_rate": np.array(0.1, "f")}
            results = outputs_of(whole, common)
            reduced = outputs_of(grads, common)
            assert reduced.pop("loss") == results.pop("loss")
            applied = outputs_of(apart, {**common, **reduced})
            assert applied.keys() == results.keys()
            for name, array in applied.items():
                np.testing.assert_array_equal(array, results[name], err_msg=name)
            state = {name: results[f"{name}.updated"] for name in state}


def test_small_parameters_of_like_shape_are_updated_together() -> None:
    """[n, 4]: a, d, e and g; [4]: b, c and f. Three Concat, four of the update and two Split for each."""
    update = Updates(network()).step
    assert op_types(update).count("Concat") == 6
    assert op_types(update).count("Split") == 4
    assert len(update.graph.node) == 18
    assert len(Updates(network(), optimizer=SGD(0)).step.graph.node) == 10
    large = forward_model(
        "y = MatMul (x, u) z = MatMul (y, v) t = MatMul (z, w)",
        {name: np.ones((300, 300), "f") for name in "uvw"},
        inputs="float[2,300] x",
        outputs="float[2,300] t",
    )
    assert op_types(make_update_step(add_training_step(large, outputs="grads"))).count("Concat") == 0


def test_an_update_of_float16_is_computed_in_float32() -> None:
    updates = Updates(network(np.float16), optimizer="adam")
    assert updates.state["a"].dtype == np.float16
    assert updates.state["a.exp_avg"].dtype == np.float32
    before = updates.state["a"]
    tiny = {name: np.full(shape, 6e-8, np.float16) for name, shape in SHAPES.items()}
    updates.run(tiny, 0.01)
    assert np.all(updates.state["a.exp_avg_sq"] > 0)  # its square is 0 in float16
    step = before.astype("f4") - updates.state["a"].astype("f4")
    np.testing.assert_allclose(step, 0.01 * 6e-8 / 7e-8, atol=1e-3)


@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
def test_scaled_gradients_are_unscaled(optimizer: str) -> None:
    plain, scaled = (
        Updates(network(), optimizer=optimizer, clip_norm=2.0, loss_scale=s) for s in (None, 1024.0)
    )
    for step in range(3):
        given = gradients(step)
        plain.run(given, 0.1)
        results = scaled.run({name: array * 1024 for name, array in given.items()}, 0.1)
        assert not results["update_skipped"]
        for name, array in plain.state.items():
            np.testing.assert_array_equal(scaled.state[name], array)  # a power of two costs no bit


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
@pytest.mark.parametrize("clip", [None, 1.0])
def test_an_overflow_changes_nothing_but_the_scale(value: float, optimizer: str, clip: float | None) -> None:
    updates = Updates(network(), optimizer=optimizer, loss_scale="dynamic", clip_norm=clip)
    assert updates.state["loss_scale"] == 65536
    updates.run(gradients(0), 0.1)
    before = dict(updates.state)
    given = gradients(1)
    given["e"][2, 1] = value
    results = updates.run(given, 0.1)
    assert results["update_skipped"]
    assert updates.state["loss_scale"] == 32768
    assert updates.state["loss_scale.good_steps"] == 0
    for name, array in before.items():
        if not name.startswith("loss_scale"):
            np.testing.assert_array_equal(updates.state[name], array, err_msg=name)
    assert not updates.run(gradients(2), 0.1)["update_skipped"]


def test_a_dynamic_scale_grows_and_keeps_its_bounds() -> None:
    updates = Updates(network(), loss_scale="dynamic")
    updates.state["loss_scale.good_steps"] = np.array(1998)
    for scale, good in ((65536, 1999), (131072, 0), (131072, 1)):
        updates.run(gradients(0), 0.0)
        assert (updates.state["loss_scale"], updates.state["loss_scale.good_steps"]) == (scale, good)
    updates.state |= {"loss_scale.good_steps": np.array(1999), "loss_scale": np.array(2.0**24, "f")}
    updates.run(gradients(0), 0.0)
    assert updates.state["loss_scale"] == 2**24
    updates.state["loss_scale"] = np.array(1, "f")
    updates.run({**gradients(0), "b": np.full(4, np.nan, "f")}, 0.0)
    assert updates.state["loss_scale"] == 1


@pytest.mark.parametrize("loss_scale", [1024.0, "dynamic"])
def test_a_scaled_step_trains_as_an_unscaled_one(loss_scale: Any) -> None:
    model, rng = network(), np.random.default_rng(3)
    feeds = {"x": rng.standard_normal((8, 6)).astype("f"), "labels": rng.integers(0, 3, 8)}
    states = {}
    for scale in (None, loss_scale):
        step = add_training_step(model, optimizer="adam", loss_scale=scale)
        state = initial_state(model, step)
        for _ in range(3):
            results = outputs_of(step, {**feeds, **state, "learning_rate": np.array(0.1, "f")})
            state = {name: results[f"{name}.updated"] for name in state}
        states[scale] = state
    for name, array in states[None].items():
        np.testing.assert_allclose(states[loss_scale][name], array, rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("optimizer", [SGD(), Adam()])
def test_parameters_of_two_types(optimizer: Any) -> None:
    """A head in float32 after a trunk in float16: one learning rate, each parameter in its type."""
    model = forward_model(
        "h = MatMul (x, v) i = Cast <to = 1> (h) t = MatMul (i, w)",
        {"v": np.ones((6, 4), np.float16), "w": np.ones((4, 3), "f")},
        inputs="float16[8,6] x",
        outputs="float[8,3] t",
    )
    step = add_training_step(model, optimizer=optimizer)
    state = initial_state(model, step)
    feeds = {"x": np.ones((8, 6), np.float16), "labels": np.arange(8) % 3}
    results = outputs_of(step, {**feeds, **state, "learning_rate": np.array(0.1, "f")})
    assert results["v.updated"].dtype == np.float16
    assert results["w.updated"].dtype == np.float32


REFUSED: dict[str, tuple[Any, str]] = {
    "momentum": (lambda: SGD(-1), "momentum is -1; it must be a number, 0 or more"),
    "nesterov": (lambda: SGD(0, nesterov=True), "nesterov is true and momentum is 0; .*: give one above 0"),
    "decay": (
        lambda: AdamW(weight_decay=float("nan")),
        "weight_decay is nan; it must be a number, 0 or more",
    ),
    "beta": (lambda: Adam((0.9, 1.0)), "a beta is 1.0; it must be a number, 0 or more and less than 1"),
    "betas": (lambda: Adam((0.9,)), r"betas is \(0.9,\); it must be two numbers"),  # type: ignore[arg-type]
    "eps": (lambda: Adam(eps=0), "eps is 0; it must be a number above 0"),
    "optimizer": (
        lambda: add_training_step(network(), optimizer="lion"),
        "allowed are 'sgd', 'adam', 'adamw'",
    ),
    "clip": (
        lambda: add_training_step(network(), clip_norm=0),
        "clip_norm is 0; it must be a number above 0",
    ),
    "scale": (
        lambda: add_training_step(network(), loss_scale="static"),
        "loss_scale is 'static'; it must be 'dynamic' or a number above 0",
    ),
    "scale 0": (lambda: add_training_step(network(), loss_scale=0), "loss_scale is 0; it must be"),
    "clipped gradients": (
        lambda: add_training_step(network(), outputs="grads", clip_norm=1),
        "clip_norm is 1 and outputs 'grads'; .* give it to the update step",
    ),
    "no gradients": (
        lambda: make_update_step(add_training_step(network())),
        "the model .* gives no gradients of parameters; give a training step .* outputs 'grads'",
    ),
    "another scale": (
        lambda: make_update_step(
            add_training_step(network(), outputs="grads", loss_scale="dynamic"), loss_scale=2.0
        ),
        "loss_scale is 2.0, but the step that gives the gradients has a dynamic one; give both the same",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, words = REFUSED[name]
    with pytest.raises(MaxPoolGradError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
