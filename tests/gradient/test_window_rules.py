"""Gradients of convolutions, pools and batch normalisation: every form, on random shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper

from maxpoolgrad_onnx import add_training_step, inference_session
from maxpoolgrad_onnx.arrays import Array
from support_cnn import pooled_size
from support_convert import assert_runs_alike
from support_gradient_rules import LABELS, RuleCase, check, model_of
from support_ort import outputs_of
from support_step import evaluate_in_float64, forward_model, op_types
from support_torch import loss_gradients_and_values

X = (2, 6, 7, 8)
STATISTICS = {"m": np.linspace(-1, 1, 6), "v": np.linspace(0.5, 2, 6)}
CHANNELS = {"s": (6,), "b": (6,)}


def window(op_type: str, inputs: str = "x", **attributes: Any) -> str:
    """One node of that type in text."""
    written = ", ".join(
        f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}"
        for name, value in attributes.items()
    )
    return f"y = {op_type} <{written}> ({inputs})"


CONVOLUTIONS = {
    "groups": (window("Conv", "x, w, b", group=2, pads=[1, 1, 1, 1]), X, (4, 3, 3, 3)),
    "depthwise": (window("Conv", "x, w, b", group=6, strides=[2, 2], pads=[1, 1, 1, 1]), X, (6, 1, 3, 3)),
    "depthwise, two filters a channel": (window("Conv", "x, w, b", group=6), X, (12, 1, 3, 2)),
    "dilated": (window("Conv", "x, w, b", dilations=[2, 3], pads=[2, 0, 1, 3]), X, (4, 6, 3, 2)),
    "rows left over": (window("Conv", "x, w, b", strides=[3, 3]), X, (4, 6, 2, 2)),
    "SAME_UPPER, dilated": (
        window("Conv", "x, w, b", auto_pad="SAME_UPPER", dilations=[2, 1], strides=[1, 2]),
        X,
        (4, 6, 2, 3),
    ),
    "SAME_LOWER": (window("Conv", "x, w, b", auto_pad="SAME_LOWER", strides=[2, 3]), X, (4, 6, 2, 4)),
    "VALID": (window("Conv", "x, w, b", auto_pad="VALID"), X, (4, 6, 2, 2)),
    "line": (window("Conv", "x, w, b", strides=[2], pads=[2, 1]), (2, 6, 9), (4, 6, 3)),
    "line, SAME_UPPER": (window("Conv", "x, w, b", auto_pad="SAME_UPPER", strides=[2]), (2, 6, 9), (4, 6, 4)),
    "line, SAME with a margin": (
        window("Conv", "x, w, b", auto_pad="SAME_LOWER", strides=[3]),
        (2, 6, 9),
        (4, 6, 2),
    ),
    "line, groups": (window("Conv", "x, w, b", group=3, dilations=[2]), (2, 6, 9), (6, 2, 3)),
}

TRANSPOSED = {
    "plain": (window("ConvTranspose", "x, w, b", strides=[2, 2]), X, (6, 4, 2, 2), 4),
    "pads": (window("ConvTranspose", "x, w, b", strides=[2, 3], pads=[1, 0, 0, 2]), X, (6, 4, 3, 4), 4),
    "output padding": (
        window("ConvTranspose", "x, w, b", strides=[2, 3], pads=[1, 1, 1, 1], output_padding=[1, 2]),
        X,
        (6, 4, 3, 3),
        4,
    ),
    "groups": (window("ConvTranspose", "x, w, b", group=3, pads=[0, 1, 1, 0]), X, (6, 2, 3, 3), 6),
    "dilated": (window("ConvTranspose", "x, w, b", dilations=[2, 1]), X, (6, 4, 3, 2), 4),
    "SAME_UPPER": (
        window("ConvTranspose", "x, w, b", auto_pad="SAME_UPPER", strides=[2, 2]),
        X,
        (6, 4, 3, 3),
        4,
    ),
    "SAME_LOWER": (
        window("ConvTranspose", "x, w, b", auto_pad="SAME_LOWER", strides=[2, 1]),
        X,
        (6, 4, 3, 2),
        4,
    ),
    "output shape": (
        window("ConvTranspose", "x, w, b", output_shape=[13, 16], strides=[2, 2]),
        X,
        (6, 4, 3, 3),
        4,
    ),
    "line": (
        window("ConvTranspose", "x, w, b", strides=[3], pads=[1, 0], output_padding=[1]),
        (2, 6, 5),
        (6, 4, 4),
        4,
    ),
}

AVERAGES = {
    "plain": (window("AveragePool", kernel_shape=[2, 3], strides=[2, 3]), X),
    "overlapping, rows left over": (window("AveragePool", kernel_shape=[3, 2], strides=[2, 3]), X),
    "pads": (window("AveragePool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 0, 2, 1]), X),
    "pads counted": (
        window("AveragePool", kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1),
        X,
    ),
    "ceil": (window("AveragePool", kernel_shape=[2, 3], strides=[2, 2], ceil_mode=1), X),
    "ceil and pads": (
        window("AveragePool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], ceil_mode=1),
        X,
    ),
    "SAME_UPPER": (window("AveragePool", kernel_shape=[2, 3], strides=[2, 2], auto_pad="SAME_UPPER"), X),
    "SAME_LOWER": (window("AveragePool", kernel_shape=[2, 2], auto_pad="SAME_LOWER"), X),
    "VALID": (window("AveragePool", kernel_shape=[2, 2], auto_pad="VALID"), X),
    "line": (window("AveragePool", kernel_shape=[3], strides=[2], pads=[1, 1]), (2, 6, 9)),
}


@pytest.mark.parametrize(("nodes", "x", "w"), CONVOLUTIONS.values(), ids=CONVOLUTIONS.keys())
def test_conv(nodes: str, x: tuple[int, ...], w: tuple[int, ...]) -> None:
    check(RuleCase(nodes, {"x": x, "w": w, "b": (w[0],)}))


@pytest.mark.parametrize(("nodes", "x", "w", "filters"), TRANSPOSED.values(), ids=TRANSPOSED.keys())
def test_conv_transpose(nodes: str, x: tuple[int, ...], w: tuple[int, ...], filters: int) -> None:
    check(RuleCase(nodes, {"x": x, "w": w, "b": (filters,)}))


@pytest.mark.parametrize(("nodes", "x"), AVERAGES.values(), ids=AVERAGES.keys())
def test_average_pool(nodes: str, x: tuple[int, ...]) -> None:
    check(RuleCase(nodes, {"x": x}))


def test_random_convolutions(scale: Callable[[int, int], int]) -> None:
    rng = np.random.default_rng(21)
    for number in range(scale(12, 300)):
        axes, group = int(rng.integers(1, 3)), int(rng.choice([1, 1, 2, 3]))
        kernel, strides, dilations = ([int(v) for v in rng.integers(1, 4, axes)] for _ in range(3))
        window_size = [d * (k - 1) + 1 for d, k in zip(dilations, kernel, strict=True)]
        pads = [int(v) for v in rng.integers(0, [*window_size, *window_size])]
        sizes = [
            max(extent - begin - end, 1) + int(rng.integers(0, 6))
            for extent, begin, end in zip(window_size, pads[:axes], pads[axes:], strict=True)
        ]
        form = {"strides": strides, "dilations": dilations, "group": group, "pads": pads}
        channels, filters = group * int(rng.integers(1, 4)), group * int(rng.integers(1, 4))
        w = (filters, channels // group, *kernel)
        nodes, x = window("Conv", "x, w", **form), (2, channels, *sizes)
        check(RuleCase(nodes, {"x": x, "w": w}, in_ge=number < 3))


def test_random_transposed_convolutions(scale: Callable[[int, int], int]) -> None:
    rng = np.random.default_rng(22)
    for number in range(scale(12, 300)):
        axes, group = int(rng.integers(1, 3)), int(rng.choice([1, 1, 2, 3]))
        kernel, strides, dilations = ([int(v) for v in rng.integers(1, 4, axes)] for _ in range(3))
        sizes = [int(v) for v in rng.integers(2, 6, axes)]
        more = [int(rng.integers(0, stride)) for stride in strides]
        reach = [
            (n - 1) * s + d * (k - 1) for n, s, d, k in zip(sizes, strides, dilations, kernel, strict=True)
        ]
        pads = [int(rng.integers(0, min(length // 2, 3) + 1)) for length in (*reach, *reach)]
        form = {"strides": strides, "dilations": dilations, "group": group, "pads": pads}
        channels, filters = group * int(rng.integers(1, 4)), int(rng.integers(1, 4))
        nodes = window("ConvTranspose", "x, w", **form, output_padding=more)
        parameters = {"x": (2, channels, *sizes), "w": (channels, filters, *kernel)}
        check(RuleCase(nodes, parameters, in_ge=number < 3))


def random_pool(rng: np.random.Generator, *, ceil: bool) -> tuple[dict[str, Any], tuple[int, ...]]:
    """Attributes of a pool, and an input's shape."""
    axes = int(rng.integers(1, 3))
    kernel, strides = ([int(v) for v in rng.integers(1, 5, axes)] for _ in range(2))
    pads = [int(v) for v in rng.integers(0, [*kernel, *kernel])]
    sizes = [
        max(k - begin - end, 1) + int(rng.integers(0, 8))
        for k, begin, end in zip(kernel, pads[:axes], pads[axes:], strict=True)
    ]
    form: dict[str, Any] = {"kernel_shape": kernel, "strides": strides}
    padding = rng.choice(["pads", "pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"])
    if padding == "pads":
        form |= {"pads": pads, "ceil_mode": int(ceil and rng.random() < 0.5)}
    else:
        form["auto_pad"] = str(padding)
        sizes = [max(size, k) for size, k in zip(sizes, kernel, strict=True)]
    return form, (2, 3, *sizes)


def drops_a_window(form: dict[str, Any], x: tuple[int, ...]) -> bool:
    """Whether a window of ceil_mode would begin past the input."""
    if not form.get("ceil_mode"):
        return False
    begins, ends = form["pads"][: len(x) - 2], form["pads"][len(x) - 2 :]
    axes = list(zip(x[2:], form["kernel_shape"], form["strides"], begins, ends, strict=True))
    plain = [-(-(size + begin + end - kernel) // stride) + 1 for size, kernel, stride, begin, end in axes]
    return plain != [pooled_size(*axis, True) for axis in axes]


def test_random_average_pools(scale: Callable[[int, int], int]) -> None:
    rng = np.random.default_rng(23)
    for number in range(scale(20, 500)):
        form, x = random_pool(rng, ceil=True)
        if rng.random() < 0.4 and not drops_a_window(form, x):  # which is refused
            form["count_include_pad"] = 1
        check(RuleCase(window("AveragePool", **form), {"x": x}, in_ge=number < 3))


POOLS_BY_SIZE = {
    # PyTorch's and newer ONNX Runtimes' sizes in ceil_mode: no window that begins past the input.
    "a window dropped": (
        window("MaxPool", kernel_shape=[2, 1], strides=[2, 3], pads=[1, 0, 1, 0], ceil_mode=1),
        (3, 5),
    ),
    "a line, a window dropped": (
        window("MaxPool", kernel_shape=[2], strides=[2], pads=[1, 1], ceil_mode=1),
        (3,),
    ),
    "a line, SAME with a margin": (
        window("MaxPool", kernel_shape=[2], strides=[3], auto_pad="SAME_LOWER"),
        (9,),
    ),
    "larger than the input, with pads": (window("MaxPool", kernel_shape=[5, 5], pads=[2, 2, 2, 2]), (3, 2)),
    "SPP": (window("MaxPool", kernel_shape=[13, 13], pads=[6, 6, 6, 6]), (5, 7)),
}


@pytest.mark.parametrize(("nodes", "size"), POOLS_BY_SIZE.values(), ids=POOLS_BY_SIZE.keys())
def test_max_pool(nodes: str, size: tuple[int, ...]) -> None:
    step = check(RuleCase(nodes, {"x": (2, 3, *size)}, in_double=False))
    assert op_types(step).count("MaxPoolV3Grad") == 1


@pytest.mark.parametrize("ceil_mode", [0, 1])
def test_max_pool_whose_window_is_larger_than_the_padded_input(ceil_mode: int) -> None:
    """ONNX has one window there, where the formula has none: it is cut to the input."""
    pool = window("MaxPool", kernel_shape=[6, 6], strides=[4, 4], pads=[0, 1, 0, 0], ceil_mode=ceil_mode)
    model = forward_model(
        f"{pool} logits = Flatten (y)",
        {"x": np.random.default_rng(0).standard_normal((2, 3, 4, 4)).astype(np.float32)},
        inputs="",
        outputs="float[2,3] logits",
    )
    step = add_training_step(model, outputs="grads")
    x = numpy_helper.to_array(model.graph.initializer[0])
    maxima = x.max(axis=(2, 3))
    p = np.exp(maxima) / np.exp(maxima).sum(axis=1, keepdims=True)
    labels = np.array([0, 2])
    wanted = (x == maxima[:, :, None, None]) * ((p - np.eye(3)[labels]) / 2)[:, :, None, None]
    given = {"x": x, "labels": labels}
    np.testing.assert_allclose(outputs_of(step, given)["x.grad"], wanted, rtol=1e-4, atol=1e-6)
    assert_runs_alike(step, given)


def test_random_max_pools(scale: Callable[[int, int], int]) -> None:
    rng = np.random.default_rng(24)
    for number in range(scale(30, 600)):
        form, x = random_pool(rng, ceil=True)
        check(RuleCase(window("MaxPool", **form), {"x": x}, in_double=False, in_ge=number < 6))


@pytest.mark.parametrize("x", [X, (2, 6, 9), (2, 6, 2, 3, 4)], ids=["image", "line", "volume"])
@pytest.mark.parametrize("op_type", ["GlobalAveragePool", "GlobalMaxPool"])
def test_global_pools(op_type: str, x: tuple[int, ...]) -> None:
    step = check(RuleCase(f"y = {op_type} (x)", {"x": x}, in_double=op_type != "GlobalMaxPool"))
    if op_type == "GlobalMaxPool":
        assert ("MaxPoolV3Grad" in op_types(step)) == (len(x) < 5)


def test_global_max_pool_in_double() -> None:
    case = RuleCase("y = GlobalMaxPool (x)", {"x": X})
    model = model_of(case, np.float64)
    step = add_training_step(model, outputs="grads", frozen=["head"])
    assert "MaxPoolV3Grad" not in op_types(step)


@pytest.mark.parametrize("x", [X, (2, 6, 9), (4, 6)], ids=["image", "line", "row"])
def test_batch_normalization_of_given_statistics(x: tuple[int, ...]) -> None:
    case = RuleCase(
        "y = BatchNormalization <epsilon = 0.01> (x, s, b, m, v)", {"x": x, **CHANNELS}, STATISTICS
    )
    step = check(case)
    assert not {value.name for value in step.graph.input} & set(STATISTICS)


TRAINING = "y, n, w = BatchNormalization <epsilon = 0.01, momentum = 0.8, training_mode = 1> (x, s, b, m, v)"


def trained(x: tuple[int, ...]) -> onnx.ModelProto:
    return model_of(RuleCase(TRAINING, {"x": x, **CHANNELS}, STATISTICS))


def feeds(model: onnx.ModelProto, step: onnx.ModelProto) -> dict[str, Array]:
    given: dict[str, Array] = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    given["labels"] = LABELS
    return {value.name: given[value.name] for value in step.graph.input}


@pytest.mark.parametrize("x", [X, (2, 6, 9), (4, 6)], ids=["image", "line", "row"])
@pytest.mark.parametrize("opset", [14, 18])
def test_batch_normalization_of_the_batch(x: tuple[int, ...], opset: int) -> None:
    """Its running statistics are state: inputs, and outputs under `.updated`."""
    for kind, torch_type, tolerance in (
        (np.float64, torch.float64, 1e-10),
        (np.float32, torch.float32, 1e-4),
    ):
        case = RuleCase(TRAINING, {"x": x, **CHANNELS}, STATISTICS, opset=opset)
        model = model_of(case, kind)
        step = add_training_step(model, outputs="grads", frozen=["head"])
        given = feeds(model, step)
        run = outputs_of if kind is np.float32 else evaluate_in_float64
        results = run(step, given)
        _, gradients, values = loss_gradients_and_values(model, {}, LABELS, torch_type)
        for name in case.parameters:
            atol = tolerance * np.abs(gradients[name]).max()
            np.testing.assert_allclose(results[f"{name}.grad"], gradients[name], rtol=0, atol=atol)
        for name, result in (("m", "n"), ("v", "w")):
            np.testing.assert_allclose(results[f"{name}.updated"], values[result], rtol=tolerance)
    assert_runs_alike(step, given)


def test_batch_normalization_that_trains_behind_a_constant_input() -> None:
    """Nothing needs the gradient of x."""
    case = RuleCase(TRAINING, CHANNELS, {**STATISTICS, "x": np.random.default_rng(0).standard_normal(X)})
    model = model_of(case)
    step = add_training_step(model, outputs="grads", frozen=["head", "x"])
    results = outputs_of(step, feeds(model, step))
    _, gradients, _ = loss_gradients_and_values(model, {}, LABELS, torch.float32)
    for name in CHANNELS:
        np.testing.assert_allclose(results[f"{name}.grad"], gradients[name], rtol=1e-4, atol=1e-5)
    assert {name for name in results if name.endswith(".grad")} == {"s.grad", "b.grad"}


def test_two_runs_of_a_step_give_the_same() -> None:
    """ONNX Runtime may overwrite what BatchNormalization in training form reads."""
    model = trained(X)
    step = add_training_step(model, outputs="grads", frozen=["head", "[mv]"])
    with_library = inference_session(step)
    given = feeds(model, step)
    first, second = with_library.run(None, given), with_library.run(None, given)
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)


def test_frozen_running_statistics_stay() -> None:
    step = add_training_step(trained(X), outputs="grads", frozen=["head", "[mv]"])
    assert not {"m.updated", "v.updated"} & {value.name for value in step.graph.output}
