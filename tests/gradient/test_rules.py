"""Every gradient rule against central finite differences in float64."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.arrays import Array
from support_step import evaluate_in_float64, forward_model


def weights(*shapes: tuple[int, ...], seed: int = 0) -> dict[str, Array]:
    """Parameters a, b, c, ... of these shapes; no two elements are equal, none is 0."""
    rng = np.random.default_rng(seed)
    return {
        name: rng.standard_normal(shape).astype(np.float32)
        for name, shape in zip("abcdef", shapes, strict=False)
    }


def assert_gradients_are_differences(model: onnx.ModelProto) -> None:
    """Each parameter's gradient, along random directions, is the central difference of the loss.

    Operands are parameters here, so that the gradient of every input of the operator is seen.
    """
    start = {t.name: numpy_helper.to_array(t).astype(np.float64) for t in model.graph.initializer}
    step = add_training_step(model, outputs="grads")
    results = evaluate_in_float64(step, {**start, "labels": LABELS})
    assert float(results["loss"]) == pytest.approx(cross_entropy(model, start), rel=1e-12)
    rng, h = np.random.default_rng(1), 1e-6
    for name, array in start.items():
        assert results[f"{name}.grad"].shape == array.shape
        for _ in range(3):
            direction = rng.standard_normal(array.shape)
            high, low = (
                cross_entropy(model, {**start, name: array + sign * h * direction}) for sign in (1, -1)
            )
            slope = float((results[f"{name}.grad"] * direction).sum())
            assert slope == pytest.approx((high - low) / (2 * h), rel=1e-6, abs=1e-8), name


def cross_entropy(model: onnx.ModelProto, values: dict[str, Array]) -> float:
    logits = evaluate_in_float64(model, values)["logits"]
    log_p = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return float(-log_p[np.arange(len(LABELS)), LABELS].mean())


LABELS = np.array([1, 3])

# Operator under test -> nodes that end in logits [2, 4], and the parameters' shapes.
CASES: dict[str, tuple[str, list[tuple[int, ...]]]] = {
    "Relu": ("logits = Relu (a)", [(2, 4)]),
    "Flatten": ("logits = Flatten (a)", [(2, 1, 2, 2)]),
    "Flatten of axis 0 and back": (
        "y = Flatten <axis = 0> (a) s = Constant <value_ints = [2, 4]> () logits = Reshape (y, s)",
        [(2, 2, 2)],
    ),
    "Reshape": ("s = Constant <value_ints = [2, -1]> () logits = Reshape (a, s)", [(4, 2)]),
    "Add of equal shapes": ("logits = Add (a, b)", [(2, 4), (2, 4)]),
    "Add of a row": ("logits = Add (a, b)", [(2, 4), (4,)]),
    "Add of a row in front": ("logits = Add (a, b)", [(4,), (2, 4)]),
    "Add of a column": ("logits = Add (a, b)", [(2, 4), (2, 1)]),
    "Add of a row and a column": ("logits = Add (a, b)", [(1, 4), (2, 1)]),
    "Add of one element": ("logits = Add (a, b)", [(2, 4), (1,)]),
    "Add to a channel": (
        "y = Add (a, b) logits = Flatten (y)",
        [(2, 2, 1, 2), (2, 1, 1)],
    ),
    "Add of a value to itself": ("logits = Add (a, a)", [(2, 4)]),
    "MatMul": ("logits = MatMul (a, b)", [(2, 3), (3, 4)]),
    "MatMul of stacks": ("y = MatMul (a, b) logits = Flatten (y)", [(2, 2, 3), (2, 3, 2)]),
    "MatMul of a stack and a matrix": ("y = MatMul (a, b) logits = Flatten (y)", [(2, 2, 3), (3, 2)]),
    "MatMul of stacks that are broadcast": (
        "y = MatMul (a, b) logits = Flatten (y)",
        [(2, 1, 1, 3), (2, 3, 2)],
    ),
    "Conv": (
        "y = Conv <strides = [2, 1], pads = [1, 0, 0, 2]> (a, b, c) logits = Flatten (y)",
        [(2, 2, 4, 2), (1, 2, 2, 3), (1,)],
    ),
    "Conv without bias, rows left over": (
        "y = Conv <strides = [3, 3]> (a, b) logits = Flatten (y)",
        [(2, 3, 7, 6), (1, 3, 2, 2)],
    ),
    "Conv auto_pad SAME_UPPER": (
        "y = Conv <auto_pad = 'SAME_UPPER', strides = [2, 2]> (a, b, c) logits = Flatten (y)",
        [(2, 2, 4, 3), (1, 2, 3, 2), (1,)],
    ),
    "Conv auto_pad SAME_LOWER": (
        "y = Conv <auto_pad = 'SAME_LOWER', strides = [2, 2]> (a, b, c) logits = Flatten (y)",
        [(2, 2, 4, 3), (1, 2, 3, 2), (1,)],
    ),
    "Conv auto_pad VALID": (
        "y = Conv <auto_pad = 'VALID'> (a, b) logits = Flatten (y)",
        [(2, 2, 3, 3), (1, 2, 2, 2)],
    ),
    "Conv dilated": (
        "y = Conv <dilations = [2, 1], pads = [1, 0, 1, 0]> (a, b) logits = Flatten (y)",
        [(2, 11, 4, 3), (1, 11, 3, 2)],
    ),
    "Conv of a parameter as filter and input": (
        "y = Conv (a, b) z = Conv (y, b) logits = Flatten (z)",
        [(2, 1, 4, 4), (1, 1, 2, 2)],
    ),
} | {
    f"Gemm transA {ta} transB {tb}": (
        f"logits = Gemm <transA = {ta}, transB = {tb}, alpha = 0.5, beta = 2.0> (a, b, c)",
        [(3, 2) if ta else (2, 3), (4, 3) if tb else (3, 4), shape],
    )
    for ta, tb, shape in ((0, 0, (4,)), (0, 1, (2, 4)), (1, 0, (2, 1)), (1, 1, (1, 4)))
}


@pytest.mark.parametrize(("nodes", "shapes"), CASES.values(), ids=CASES.keys())
def test_rule(nodes: str, shapes: list[tuple[int, ...]]) -> None:
    model = forward_model(nodes.replace("'", '"'), weights(*shapes), inputs="")
    assert_gradients_are_differences(model)


def test_gemm_without_c() -> None:
    model = forward_model("logits = Gemm (a, b)", weights((2, 3), (3, 4)), inputs="")
    assert_gradients_are_differences(model)


# ONNX form of MaxPool -> its attributes, the input's height and width, the output's.
POOLS: dict[str, tuple[str, tuple[int, int], tuple[int, int]]] = {
    "plain": ("kernel_shape = [2, 2], strides = [2, 2]", (6, 5), (3, 2)),
    "no strides, overlapping": ("kernel_shape = [3, 2]", (5, 4), (3, 3)),
    "rows left over": ("kernel_shape = [2, 2], strides = [3, 3]", (7, 9), (2, 3)),
    "asymmetric pads": (
        "kernel_shape = [3, 4], strides = [2, 1], pads = [2, 0, 1, 3]",
        (5, 4),
        (3, 4),
    ),
    "ceil": ("kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1", (6, 8), (3, 4)),
    "ceil, a window dropped": (
        "kernel_shape = [2, 1], strides = [2, 3], pads = [1, 0, 1, 0], ceil_mode = 1",
        (3, 5),
        (2, 2),
    ),
    "SAME_UPPER": ("kernel_shape = [2, 3], strides = [1, 2], auto_pad = 'SAME_UPPER'", (4, 6), (4, 3)),
    "SAME_LOWER": ("kernel_shape = [2, 3], strides = [1, 2], auto_pad = 'SAME_LOWER'", (4, 6), (4, 3)),
    "SAME_LOWER, even": ("kernel_shape = [3, 3], auto_pad = 'SAME_LOWER'", (4, 5), (4, 5)),
    "SAME_UPPER and ceil": (
        "kernel_shape = [2, 2], strides = [2, 2], auto_pad = 'SAME_UPPER', ceil_mode = 1",
        (5, 5),
        (3, 3),
    ),
    "VALID": ("kernel_shape = [2, 3], strides = [2, 2], auto_pad = 'VALID'", (7, 6), (3, 2)),
    "VALID and ceil, the same": (
        "kernel_shape = [2, 2], strides = [2, 2], auto_pad = 'VALID', ceil_mode = 1",
        (6, 4),
        (3, 2),
    ),
}


@pytest.mark.parametrize(("attributes", "size", "pooled"), POOLS.values(), ids=POOLS.keys())
def test_max_pool(attributes: str, size: tuple[int, int], pooled: tuple[int, int]) -> None:
    nodes = f"y = MaxPool <{attributes}> (a) f = Flatten (y) logits = MatMul (f, b)".replace("'", '"')
    parameters = weights((2, 2, *size), (2 * pooled[0] * pooled[1], 4))
    assert_gradients_are_differences(forward_model(nodes, parameters, inputs=""))
