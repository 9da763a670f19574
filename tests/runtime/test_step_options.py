"""Losses and optimizers through GE IR: steps from the .om give the bits of the step's own in ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.gradient import (
    SGD,
    Adam,
    AdamW,
    SoftmaxCrossEntropy,
    initial_state,
    make_update_step,
)
from support_cnn import random_cnn
from support_ort import outputs_of

OPTIONS: dict[str, dict[str, Any]] = {
    "nesterov": {"optimizer": SGD(0.9, nesterov=True, weight_decay=0.01)},
    "plain": {"optimizer": SGD(0.0)},
    "adam": {"optimizer": Adam(weight_decay=0.01)},
    "adamw, clipped": {"optimizer": AdamW(), "clip_norm": 0.1},
    "dynamic scale": {"loss_scale": "dynamic", "clip_norm": 0.1},
    "static scale, adam": {"loss_scale": 1024.0, "optimizer": "adam"},
    "weights, smoothing, ignored": {"loss": SoftmaxCrossEntropy([1.0, 2.0] * 10, 0.1, 0)},
    "mse": {"loss": "mse"},
    "bce": {"loss": "bce_with_logits", "optimizer": "adamw"},
    "input": {"wrt": "input"},
    "saliency": {"wrt": "input", "loss": "class_score"},
}


def feeds_of(cnn: Any, step: onnx.ModelProto) -> dict[str, Array]:
    names = {value.name for value in step.graph.input}
    (logits,) = mpg.inference_session(cnn.model).run(None, {"x": cnn.x})
    targets = np.random.default_rng(1).random(logits.shape, np.float32)
    feeds = {**cnn.feeds, "targets": targets, "learning_rate": np.array(0.05, "f")}
    return {
        **{name: array for name, array in feeds.items() if name in names},
        **initial_state(cnn.model, step),
    }


@pytest.mark.parametrize("name", OPTIONS)
def test_two_steps_from_the_om(name: str, tmp_path: Path, scale: Callable[[int, int], int]) -> None:
    for index in range(scale(2, 40)):
        cnn = random_cnn(51, index)
        options = dict(OPTIONS[name])
        loss = options.get("loss")
        if isinstance(loss, SoftmaxCrossEntropy):
            classes = cnn.model.graph.output[0].type.tensor_type.shape.dim[1].dim_value
            options["loss"] = SoftmaxCrossEntropy((loss.class_weights or [])[:classes], 0.1, 0)
        step = mpg.add_training_step(cnn.model, **options)
        om = converters.compile(step, tmp_path / f"step{index}", soc_version="Ascend910B1").om
        session = converters.InferSession(0, om)
        feeds = feeds_of(cnn, step)
        assert {info.name for info in session.get_inputs()} == set(feeds)
        for _ in range(2):
            wanted = outputs_of(step, feeds)
            found = dict(zip((i.name for i in session.get_outputs()), session.infer(feeds), strict=True))
            assert list(found) == list(wanted)
            for output, array in wanted.items():
                assert found[output].dtype == array.dtype, output
                np.testing.assert_array_equal(found[output], array, err_msg=f"{cnn.name} {output}")
            feeds |= {n.removesuffix(".updated"): a for n, a in wanted.items() if n.endswith(".updated")}


@pytest.mark.parametrize("loss_scale", [None, "dynamic"])
def test_gradients_and_their_update_from_two_oms(tmp_path: Path, loss_scale: str | None) -> None:
    cnn = random_cnn(51, 3)
    grads = mpg.add_training_step(cnn.model, outputs="grads", loss_scale=loss_scale)
    update = make_update_step(grads, optimizer="adamw", clip_norm=0.5, loss_scale=loss_scale)
    whole = mpg.add_training_step(cnn.model, optimizer="adamw", clip_norm=0.5, loss_scale=loss_scale)
    sessions = []
    for name, model in (("grads", grads), ("update", update)):
        om = converters.compile(model, tmp_path / name, soc_version="Ascend910B1").om
        sessions.append(converters.InferSession(0, om))
    feeds = feeds_of(cnn, whole)
    wanted = outputs_of(whole, feeds)
    values = dict(feeds)
    for session in sessions:
        given = {info.name: values[info.name] for info in session.get_inputs()}
        results = zip((info.name for info in session.get_outputs()), session.infer(given), strict=True)
        values |= dict(results)
    for output, array in wanted.items():
        np.testing.assert_array_equal(values[output], array, err_msg=output)
