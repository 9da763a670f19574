"""Losses against PyTorch: the loss and the output's gradient, which the gradient of an added constant is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from torch.nn import functional

from maxpoolgrad_onnx import MaxPoolGradError, add_training_step
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.gradient import (
    BinaryCrossEntropy,
    ClassScore,
    MeanSquaredError,
    OwnLoss,
    SoftmaxCrossEntropy,
)
from support_ort import outputs_of
from support_step import forward_model

RNG = np.random.default_rng(0)
KINDS = {"float": "f4", "double": "f8", "float16": "f2"}
WEIGHTS = [0.5, 2.0, 1.0, 0.0, 3.0]


def shifted(shape: tuple[int | str, ...], dtype: str = "float") -> onnx.ModelProto:
    """y = x + w: the gradient of w is that of y."""
    dims = ",".join(map(str, shape))
    numbers = [3 if dim == "N" else int(dim) for dim in shape]
    w = RNG.standard_normal(numbers).astype(KINDS[dtype])
    model = forward_model(
        "y = Add (x, w)", {"w": w}, inputs=f"{dtype}[{dims}] x", outputs=f"{dtype}[{dims}] y"
    )
    if "N" in shape:  # an added constant fixes the batch
        w = w[:1]
        model = forward_model(
            "a = Mul (x, v) y = Add (a, w)",
            {"v": np.ones(1, w.dtype), "w": w},
            inputs=f"{dtype}[{dims}] x",
            outputs=f"{dtype}[{dims}] y",
        )
    return model


def check(
    model: onnx.ModelProto, loss: Any, feeds: dict[str, Array], oracle: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    step = add_training_step(model, loss=loss, outputs="grads")
    onnx.checker.check_model(step)
    weights = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    found = outputs_of(step, {**feeds, **weights})
    leaf = torch.tensor(weights["w"], requires_grad=True)
    wanted = oracle(torch.tensor(feeds["x"]) + leaf)
    wanted.backward()
    assert leaf.grad is not None
    near = {"rtol": 1e-12, "atol": 1e-13} if leaf.dtype == torch.float64 else {"rtol": 1e-5, "atol": 1e-6}
    np.testing.assert_allclose(found["loss"], wanted.detach().numpy(), **near)
    np.testing.assert_allclose(found["w.grad"], leaf.grad.numpy(), **near)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"label_smoothing": 0.1},
    {"label_smoothing": 1.0},
    {"class_weights": WEIGHTS},
    {"ignore_index": 2},
    {"ignore_index": -100},
    {"class_weights": WEIGHTS, "label_smoothing": 0.2},
    {"class_weights": WEIGHTS, "ignore_index": 1},
    {"ignore_index": 4, "label_smoothing": 0.3},
    {"class_weights": WEIGHTS, "ignore_index": 255, "label_smoothing": 0.3},
]


@pytest.mark.parametrize("options", OPTIONS, ids=[" ".join(options) for options in OPTIONS])
@pytest.mark.parametrize(
    ("shape", "dtype"),
    [
        ((6, 5), "float"),
        (("N", 5), "float"),
        ((2, 5, 3), "double"),
        ((2, 5, 3, 4), "float"),
        (("N", 5, 2, 2), "float"),
    ],
)
def test_softmax_cross_entropy(shape: tuple[int | str, ...], dtype: str, options: dict[str, Any]) -> None:
    numbers = [3 if dim == "N" else int(dim) for dim in shape]
    labels = RNG.integers(0, 5, (numbers[0], *numbers[2:]))
    ignored = options.get("ignore_index", 0)
    labels.flat[:2] = [ignored if not 0 <= ignored < 5 else 4, 4]
    feeds = {"x": RNG.standard_normal(numbers).astype(KINDS[dtype]) * 3, "labels": labels}
    weights = options.get("class_weights")

    def oracle(y: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(
            y,
            torch.tensor(labels),
            weight=None if weights is None else torch.tensor(weights, dtype=y.dtype),
            ignore_index=options.get("ignore_index", -100),
            label_smoothing=options.get("label_smoothing", 0.0),
        )

    check(shifted(shape, dtype), SoftmaxCrossEntropy(**options), feeds, oracle)


def test_where_every_label_is_ignored_the_loss_is_no_number() -> None:
    step = add_training_step(shifted((2, 5)), loss=SoftmaxCrossEntropy(ignore_index=1))
    feeds = {"x": np.zeros((2, 5), "f"), "labels": np.array([1, 1]), "learning_rate": np.array(0, "f")}
    weights = {name: np.zeros((2, 5), "f") for name in ("w", "w.momentum")}
    assert np.isnan(outputs_of(step, {**feeds, **weights})["loss"])


@pytest.mark.parametrize("shape", [(4,), (2, 3), ("N", 3, 2)])
@pytest.mark.parametrize("dtype", ["float", "double"])
def test_mean_squared_error(shape: tuple[int | str, ...], dtype: str) -> None:
    feeds = _regression(shape, dtype)
    check(
        shifted(shape, dtype),
        "mse",
        feeds,
        lambda y: functional.mse_loss(y, torch.tensor(feeds["targets"])),
    )


@pytest.mark.parametrize("shape", [(4,), (2, 3), ("N", 3, 2)])
@pytest.mark.parametrize("dtype", ["float", "double"])
def test_binary_cross_entropy(shape: tuple[int | str, ...], dtype: str) -> None:
    feeds = _regression(shape, dtype)
    feeds["targets"] = RNG.random(feeds["targets"].shape, KINDS[dtype])
    feeds["x"].flat[:3] = [100.0, -100.0, 0.0]
    check(
        shifted(shape, dtype),
        "bce_with_logits",
        feeds,
        lambda y: functional.binary_cross_entropy_with_logits(y, torch.tensor(feeds["targets"])),
    )


def _regression(shape: tuple[int | str, ...], dtype: str) -> dict[str, Array]:
    numbers = [3 if dim == "N" else int(dim) for dim in shape]
    return {name: RNG.standard_normal(numbers).astype(KINDS[dtype]) for name in ("x", "targets")}


@pytest.mark.parametrize("dtype", ["float", "double"])
def test_class_score(dtype: str) -> None:
    labels = RNG.integers(0, 5, (2, 3))
    feeds = {"x": RNG.standard_normal((2, 5, 3)).astype(KINDS[dtype]), "labels": labels}
    index = torch.tensor(labels)[:, None]
    check(shifted((2, 5, 3), dtype), ClassScore(), feeds, lambda y: y.gather(1, index).sum())


@pytest.mark.parametrize("shape", ["", "1", "1,1"])
def test_own_loss(shape: str) -> None:
    nodes = {
        "": "y = Mul (x, w) f = Gemm (y, labels) loss = Squeeze (f)",
        "1": "y = Mul (x, w) f = Gemm (y, labels) s = Constant <value_ints = [1]> () loss = Reshape (f, s)",
        "1,1": "y = Mul (x, w) loss = Gemm (y, labels)",
    }[shape]
    model = forward_model(
        nodes,
        {"w": np.arange(3, dtype="f4")[None]},
        inputs="float[1,3] x, float[3,1] labels",
        outputs=f"float[{shape}] loss" if shape else "float loss",
    )
    step = add_training_step(model, loss=OwnLoss(), outputs="grads")
    assert [value.name for value in step.graph.input] == ["x", "labels", "w"]
    feeds = {"x": np.full((1, 3), 2, "f"), "labels": np.array([[1], [2], [4]], "f")}
    found = outputs_of(step, {**feeds, "w": np.arange(3, dtype="f4")[None]})
    assert found["loss"].shape == ()
    assert found["loss"] == 2 * (2 + 8)
    np.testing.assert_array_equal(found["w.grad"], [[2, 4, 8]])


@pytest.mark.parametrize("loss", ["softmax_cross_entropy", "mse", "bce_with_logits"])
def test_float16_is_computed_in_float32(loss: str) -> None:
    """As many pixels as make a sum, and a count, that float16 does not hold."""
    shape, kind = (8, 2, 128, 128), np.float16
    w = RNG.standard_normal(shape).astype(kind)
    model = forward_model(
        "y = Add (x, w)", {"w": w}, inputs="float16[8,2,128,128] x", outputs="float16[8,2,128,128] y"
    )
    step = add_training_step(model, loss=loss, outputs="grads", loss_scale=2.0**16)
    targets = {
        "targets": RNG.random(shape).astype(kind),
        "labels": RNG.integers(0, 2, (8, 128, 128)),
    }
    found = outputs_of(step, {"x": np.zeros(shape, kind), "w": w, **targets})
    assert found["loss"].dtype == np.float32
    leaf = torch.tensor(w.astype("f4"), requires_grad=True)
    functions: dict[str, Callable[[], torch.Tensor]] = {
        "softmax_cross_entropy": lambda: functional.cross_entropy(leaf, torch.tensor(targets["labels"])),
        "mse": lambda: functional.mse_loss(leaf, torch.tensor(targets["targets"].astype("f4"))),
        "bce_with_logits": lambda: functional.binary_cross_entropy_with_logits(
            leaf, torch.tensor(targets["targets"].astype("f4"))
        ),
    }
    wanted = functions[loss]()
    wanted.backward()
    assert leaf.grad is not None
    assert found["loss"] == pytest.approx(float(wanted.detach()), rel=1e-4)
    np.testing.assert_allclose(found["w.grad"].astype("f4") / 2**16, leaf.grad, rtol=2e-3, atol=1e-9)


REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "unknown": (
        "hinge",
        {},
        "loss is 'hinge'; allowed are 'softmax_cross_entropy', 'mse', 'bce_with_logits'",
    ),
    "int for mse": (
        "mse",
        {"dtype": "int64"},
        "output 'y' is INT64 .*; the loss needs float16, float32 or double",
    ),
    "empty for bce": ("bce_with_logits", {"shape": "0,5"}, "and no size 0"),
    "weights": (
        SoftmaxCrossEntropy(class_weights=[1, 2]),
        {},
        "there are 2 class weights, and output 'y' has 5 classes; give one for each",
    ),
    "not a scalar": (
        "output",
        {},
        "with loss 'output' it is the loss, one .*: end the model with a ReduceMean",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    loss, form, words = REFUSED[name]
    dtype, shape = form.get("dtype", "float"), form.get("shape", "2,5")
    nodes = "z = MatMul (x, w) y = Cast <to = 7> (z)" if dtype == "int64" else "y = MatMul (x, w)"
    model = forward_model(
        nodes,
        {"w": np.ones((3, 5), "f")},
        inputs=f"float[{shape[0]},3] x",
        outputs=f"{dtype}[{shape}] y",
    )
    with pytest.raises(MaxPoolGradError, match=words) as caught:
        add_training_step(model, loss=loss)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"label_smoothing": -0.1}, "label_smoothing is -0.1; it must be a number, 0 to 1"),
        ({"label_smoothing": 1.1}, "label_smoothing is 1.1; it must be a number, 0 to 1"),
        ({"class_weights": [1, float("nan")]}, "a class weight is nan; it must be a number, 0 or more"),
        ({"class_weights": [1, "2"]}, "a class weight is '2'; it must be a number, 0 or more"),
        ({"ignore_index": 1.5}, "ignore_index is 1.5; it must be an int"),
    ],
)
def test_options_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(MaxPoolGradError, match=words):
        SoftmaxCrossEntropy(**options)


def test_names_are_defaults() -> None:
    model = shifted((6, 5))
    assert add_training_step(model, loss="mse") == add_training_step(model, loss=MeanSquaredError())
    assert add_training_step(model, loss="bce_with_logits") == add_training_step(
        model, loss=BinaryCrossEntropy()
    )
    assert add_training_step(model) == add_training_step(model, loss=SoftmaxCrossEntropy())
