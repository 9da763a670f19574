"""Dropout in training form: masks made from a seed in the step itself."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx import MaxPoolGradError, add_training_step, inference_session
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.gradient import initial_state
from support_convert import assert_runs_alike
from support_ort import outputs_of
from support_step import forward_model, named_nodes, op_types

ROWS, COLUMNS = 64, 50
TRAINS = {"t": np.array(True)}


def model(
    ratio: float = 0.3, *, batch: str = str(ROWS), attributes: str = "", count: int = 1
) -> onnx.ModelProto:
    """x, an array of ones for most tests, through dropout `count` times to two logits."""
    names = ["x", *(f"d{number}" for number in range(count))]
    drops = " ".join(f"{b} = Dropout {attributes} ({a}, r, t)" for a, b in pairwise(names))
    weights = {
        "w": np.random.default_rng(0).standard_normal((COLUMNS, 2)).astype(np.float32),
        "r": np.array(ratio, np.float32),
        **TRAINS,
    }
    return named_nodes(
        forward_model(
            f"{drops} logits = MatMul ({names[-1]}, w)",
            weights,
            inputs=f"float[{batch},{COLUMNS}] x",
            outputs=f"float[{batch},2] logits",
        )
    )


def kept(forward: onnx.ModelProto, seed: int, rows: int = ROWS) -> Array:
    """What became of ones in the last dropout, by the product that the step has in its place."""
    (values,) = kept_by(forward, [seed], rows)
    return values


def kept_by(forward: onnx.ModelProto, seeds: Iterable[int], rows: int = ROWS) -> list[Array]:
    """The same for several seeds, in one session."""
    step = add_training_step(forward, outputs="grads")
    last = next(node for node in step.graph.node if node.op_type == "MatMul").input[0]
    step.graph.output.append(onnx.helper.make_tensor_value_info(last, onnx.TensorProto.FLOAT, None))
    feeds = {**initial_state(forward, step), "x": np.ones((rows, COLUMNS), np.float32)}
    feeds["labels"] = np.zeros(rows, np.int64)
    session = inference_session(step)
    return [session.run([last], {**feeds, "dropout_seed": np.array(n, np.int32)})[0] for n in seeds]


def test_elements_are_dropped_or_scaled() -> None:
    values = kept(model(), 0)
    scale = np.float32(1 / 0.7)
    assert set(np.unique(values)) == {np.float32(0), scale}
    assert (values == 0).mean() == pytest.approx(0.3, abs=0.04)


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.5, 0.9])
def test_as_many_as_the_ratio_says(ratio: float) -> None:
    """Over steps, for every row and every column."""
    dropped = np.mean([values == 0 for values in kept_by(model(ratio), range(40))], axis=0)
    assert dropped.mean() == pytest.approx(ratio, abs=0.01)
    for axis, size in ((0, ROWS), (1, COLUMNS)):
        deviation = np.sqrt(ratio * (1 - ratio) / (40 * size))
        assert np.abs(dropped.mean(axis=axis) - ratio).max() <= 5 * deviation + 1e-9


def test_steps_rows_columns_and_nodes_differ() -> None:
    first, second = (values == 0 for values in kept_by(model(0.5), (0, 1)))
    for other in (second, np.roll(first, 1, axis=0), np.roll(first, 1, axis=1)):
        assert (first == other).mean() == pytest.approx(0.5, abs=0.05)
    twice = kept(model(0.5, count=2), 0)
    assert (twice == 0).mean() == pytest.approx(0.75, abs=0.05)
    seeded = kept(model(0.5, attributes="<seed = 7>"), 0) == 0
    assert (first == seeded).mean() == pytest.approx(0.5, abs=0.05)


def test_the_bits_of_one_mask() -> None:
    """What the formula of the module gives, in Python's integers; these never change."""
    prime = 23159
    columns = np.random.RandomState([0, 0]).randint(1, prime, COLUMNS).tolist()
    seed = 100_000
    a = pow(seed % prime + 1, 3, prime)
    b = pow(a + seed // prime, 3, prime)
    wanted = [
        [pow(v * (a + 1) % prime + n * (b + 1) % prime, 3, prime) >= 0.5 * prime for v in columns]
        for n in range(ROWS)
    ]
    np.testing.assert_array_equal(kept(model(0.5), seed) != 0, wanted)


def test_an_open_batch_has_the_same_mask() -> None:
    np.testing.assert_array_equal(kept(model(batch="N"), 3, 40), kept(model(), 3)[:40])


def test_gradients_pass_where_elements_are_kept() -> None:
    weights = {
        "a": np.random.default_rng(1).standard_normal((4, 6)).astype(np.float32),
        "r": np.array(0.5, np.float32),
        **TRAINS,
    }
    forward = forward_model("logits = Dropout (a, r, t)", weights, inputs="", outputs="float[4,6] logits")
    step = add_training_step(forward, outputs="grads")
    labels, seed = np.array([0, 1, 2, 3]), np.array(5, np.int32)
    feeds = {"a": weights["a"], "labels": labels, "dropout_seed": seed}
    gradient = outputs_of(step, feeds)["a.grad"]
    mask = np.where(gradient != 0, 2.0, 0.0)
    assert 0 < (mask == 0).mean() < 1
    p = np.exp(weights["a"] * mask)
    p /= p.sum(axis=1, keepdims=True)
    wanted = (p - np.eye(6)[labels]) / 4 * mask
    np.testing.assert_allclose(gradient, wanted, rtol=1e-4, atol=1e-6)


def test_the_seed_is_a_state_of_the_step() -> None:
    forward = model()
    step = add_training_step(forward)
    state = initial_state(forward, step)
    assert state["dropout_seed"] == 0
    x = np.ones((ROWS, COLUMNS), np.float32)
    feeds = {**state, "x": x, "labels": np.zeros(ROWS, np.int64)}
    feeds["learning_rate"] = np.array(0.1, np.float32)
    first, again = outputs_of(step, feeds), outputs_of(step, feeds)
    for name, array in first.items():
        np.testing.assert_array_equal(array, again[name])
    assert first["dropout_seed.updated"] == 1
    assert_runs_alike(step, feeds)


def test_dropout_that_does_not_train_costs_nothing_backwards() -> None:
    weights = {"w": np.ones((3, 2), np.float32), "v": np.ones((2, 2), np.float32)}
    nodes = "y = MatMul (x, w) {} logits = MatMul ({}, v)"
    steps = [
        add_training_step(forward_model(text, weights, inputs="float[4,3] x", outputs="float[4,2] logits"))
        for text in (nodes.format("d = Dropout (y)", "d"), nodes.format("", "y"))
    ]
    assert len(op_types(steps[0])) == len(op_types(steps[1])) + 1
    assert "dropout_seed" not in {value.name for value in steps[0].graph.input}


def test_refusals() -> None:
    weights = {"w": np.ones((3, 2), np.float32), "r": np.array(0.5, np.float32), **TRAINS}

    def refused(nodes: str, pattern: str, inputs: str = "float[4,3] x", **changed: Array) -> None:
        forward = forward_model(nodes, weights | changed, inputs=inputs, outputs="float[4,2] logits")
        for name in [value.name for value in forward.graph.input if value.name in weights]:
            kept = [t for t in forward.graph.initializer if t.name != name]
            del forward.graph.initializer[:]
            forward.graph.initializer.extend(kept)
        with pytest.raises(MaxPoolGradError, match=pattern):
            add_training_step(named_nodes(forward))

    plain = "d = Dropout (x, r, t) logits = MatMul (d, w)"
    refused(plain, r"Dropout node 'd': its training_mode 't' is computed; make it", "float[4,3] x, bool t")
    refused(plain, r"Dropout node 'd': its ratio 'r' is computed; make it", "float[4,3] x, float r")
    refused(plain, r"Dropout node 'd': its ratio is 1; it must be", r=np.array(1, np.float32))
    refused(plain, r"Dropout node 'd': the shape of 'x' is \[4,K\]; a mask is made for.*fix", "float[4,K] x")
    refused(
        "d, m = Dropout (x, r, t) f = Cast <to = 1> (m) g = Mul (f, d) logits = MatMul (g, w)",
        r"Dropout node 'd': its second output, the mask \('m'\), is in use; remove what reads it",
    )
