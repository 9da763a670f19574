"""The bodies of batch normalisation's gradients, and how the step uses them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.batch_norm_gradients import BATCH_NORM_GRAD, BATCH_NORM_INFERENCE_GRAD
from support_convert import onnx_model
from support_gradient_rules import assert_nothing_is_dead
from support_ort import outputs_of
from support_step import forward_model, only, op_types

EPSILON = 0.125  # exact in float32
SHAPES = [(4, 3, 5, 6), (4, 3, 7), (6, 3), (2, 3, 2, 3, 4)]
TYPES = {"float": (np.float32, 1e-5), "double": (np.float64, 1e-12)}
VECTORS = ("scale", "mean", "variance")


def body(op_type: str, word: str, shape: Sequence[int], opset: int) -> onnx.ModelProto:
    """A model of one node, its operands inputs."""
    size = ",".join(map(str, shape))
    vectors = VECTORS[:1] if op_type == BATCH_NORM_GRAD else VECTORS
    model = onnx_model(
        f"dx, ds, db = npu.{op_type} <epsilon = {EPSILON}> (dy, x, {', '.join(vectors)})",
        ", ".join([f"{word}[{size}] dy, {word}[{size}] x", *(f"{word}[3] {name}" for name in vectors)]),
        f"{word}[{size}] dx, {word}[3] ds, {word}[3] db",
        opset=opset,
    )
    onnx.checker.check_model(model, full_check=True)
    return model


def operands(shape: Sequence[int], mean: float) -> dict[str, Array]:
    rng = np.random.default_rng(0)
    images = {"dy": rng.standard_normal(shape), "x": mean + rng.standard_normal(shape)}
    return images | {name: rng.uniform(0.5, 1.5, 3) for name in VECTORS}


def expected(given: dict[str, Array], *, training: bool) -> list[Array]:
    """The formulas, written out."""
    x, dy = given["x"], given["dy"]
    axes = (0, *range(2, x.ndim))
    scale, mean, var = (given[name].reshape(1, 3, *[1] * (x.ndim - 2)) for name in VECTORS)
    if training:
        mean, var = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    slope = 1 / np.sqrt(var + EPSILON)
    normal = (x - mean) * slope
    ds, db = (value.sum(axes, keepdims=True) for value in (dy * normal, dy))
    through = (normal * ds + db) * 3 / x.size if training else 0
    return [scale * slope * (dy - through), ds.ravel(), db.ravel()]


@pytest.mark.parametrize("op_type", [BATCH_NORM_GRAD, BATCH_NORM_INFERENCE_GRAD])
@pytest.mark.parametrize("opset", [13, 14, 15, 18])
@pytest.mark.parametrize("word", TYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_body_in_onnxruntime(op_type: str, opset: int, word: str, shape: tuple[int, ...]) -> None:
    kind, tolerance = TYPES[word]
    model = body(op_type, word, shape, opset)
    given = operands(shape, mean=2.0)
    taken = {value.name: given[value.name].astype(kind) for value in model.graph.input}
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    found = session.run(None, taken)
    wanted = expected(given, training=op_type == BATCH_NORM_GRAD)
    for a, b in zip(found, wanted, strict=True):
        assert a.dtype == kind
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * np.abs(b).max())
    for a, b in zip(session.run(None, taken), found, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_mean_that_is_large_beside_the_deviation_loses_nothing() -> None:
    given = {name: array.astype(np.float32) for name, array in operands((4, 3, 5, 6), mean=1000.0).items()}
    model = body(BATCH_NORM_GRAD, "float", (4, 3, 5, 6), 18)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    found = session.run(None, {name: given[name] for name in ("dy", "x", "scale")})
    wide = {name: array.astype(np.float64) for name, array in given.items()}
    for a, b in zip(found, expected(wide, training=True), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-4 * np.abs(b).max())


TRAINING = "y, n, o = BatchNormalization <training_mode = 1, epsilon = 0.125> (c, s, b, m, v)"
GIVEN = "y = BatchNormalization <epsilon = 0.125> (c, s, b, m, v)"
MODEL = "c = Conv (x, k) {} p = GlobalAveragePool (y) f = Flatten (p) logits = MatMul (f, head)"


def step_of(normalisation: str, frozen: Sequence[str] = (), word: str = "float") -> onnx.ModelProto:
    kind = np.float16 if word == "float16" else np.float32
    weights = {"k": np.ones((3, 3, 1, 1)), "head": np.ones((3, 4)), **dict.fromkeys("sbmv", np.ones(3))}
    model = forward_model(
        MODEL.format(normalisation),
        {name: array.astype(kind) for name, array in weights.items()},
        inputs=f"{word}[2,3,6,6] x",
        outputs=f"{word}[2,4] logits",
    )
    step = add_training_step(model, outputs="grads", frozen=frozen, unfold=True)
    assert_nothing_is_dead(step)
    return step


@pytest.mark.parametrize(
    ("normalisation", "op_type"), [(TRAINING, BATCH_NORM_GRAD), (GIVEN, BATCH_NORM_INFERENCE_GRAD)]
)
def test_one_node_gives_all_three(normalisation: str, op_type: str) -> None:
    step = step_of(normalisation)
    node = only(step, op_type)
    assert node.input[1:3] == ["c", "s"]
    assert node.output[1:] == ["s.grad", "b.grad"]
    (epsilon,) = node.attribute
    assert (epsilon.name, epsilon.f) == ("epsilon", EPSILON)
    assert op_type in [function.name for function in step.functions]
    assert op_types(step).count("BatchNormalization") == 1


@pytest.mark.parametrize("frozen", [["s"], ["b"], ["s", "b"]], ids=str)
def test_what_is_frozen_costs_no_node(frozen: list[str]) -> None:
    """The sums that give the gradients of scale and bias are needed for that of x."""
    whole, part = step_of(TRAINING), step_of(TRAINING, frozen)
    assert op_types(part) == op_types(whole)
    assert {v.name for v in whole.graph.output} - {v.name for v in part.graph.output} == {
        f"{name}.grad" for name in frozen
    }
    onnxruntime.InferenceSession(part.SerializeToString(), providers=["CPUExecutionProvider"])


@pytest.mark.parametrize("frozen", [["s"], ["b"], ["s", "b"], ["k"], ["k", "s"]], ids=str)
@pytest.mark.parametrize("normalisation", [TRAINING, GIVEN], ids=["training", "given"])
def test_what_is_needed_alone_is_the_same(normalisation: str, frozen: list[str]) -> None:
    """Of given statistics one node would compute what nobody asks for."""
    whole, part = step_of(normalisation), step_of(normalisation, frozen)
    assert BATCH_NORM_INFERENCE_GRAD not in op_types(part)
    rng = np.random.default_rng(0)
    weights = {"k": (3, 3, 1, 1), "head": (3, 4), **dict.fromkeys("sbmv", (3,))}
    feeds = {name: rng.uniform(0.5, 1.5, shape).astype(np.float32) for name, shape in weights.items()}
    feeds |= {name: np.ones_like(feeds[name]) for name in frozen}
    feeds |= {"x": rng.standard_normal((2, 3, 6, 6)).astype(np.float32), "labels": np.array([1, 3])}
    results = [outputs_of(step, {v.name: feeds[v.name] for v in step.graph.input}) for step in (whole, part)]
    for name, found in results[1].items():
        wanted = results[0][name]
        np.testing.assert_allclose(
            found, wanted, rtol=0, atol=1e-5 * max(np.abs(wanted).max(), 1), err_msg=name
        )


def test_float16_is_computed_in_float32() -> None:
    step = step_of(TRAINING, word="float16")
    node = only(step, BATCH_NORM_GRAD)
    casts = {n.output[0]: n for n in step.graph.node if n.op_type == "Cast"}
    assert all(casts[name].attribute[0].i == TensorProto.FLOAT for name in node.input)
    assert BATCH_NORM_INFERENCE_GRAD not in op_types(step_of(GIVEN, word="float16"))
