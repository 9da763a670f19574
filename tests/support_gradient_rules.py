"""One operator's gradients, everywhere: double against torch, float32 in ONNX Runtime, GE IR and back.

The operator's operands are parameters, so that the gradient of every input is seen; its result `y` goes
through a constant random matrix to three logits, so that every element of `y` has a gradient of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.arrays import Array
from support_convert import assert_runs_alike
from support_ort import outputs_of
from support_step import evaluate_in_float64, forward_model
from support_torch import loss_gradients_and_values, run

LABELS = np.array([1])
_TYPES = {np.float32: ("float", torch.float32), np.float64: ("double", torch.float64)}


@dataclass(frozen=True)
class RuleCase:
    """Nodes that end in `y`; arrays or shapes of the parameters; constants; what the case is not made for."""

    nodes: str
    parameters: Mapping[str, Array | Sequence[int]]
    constants: Mapping[str, Array] = field(default_factory=dict)
    opset: int = 18
    in_double: bool = True
    in_ge: bool = True


def model_of(case: RuleCase, kind: type = np.float32, seed: int = 0) -> onnx.ModelProto:
    """The forward model, its weights of one type: nothing is 0, no two elements are equal."""
    rng = np.random.default_rng(seed)
    weights = {
        name: np.asarray(given if isinstance(given, np.ndarray) else rng.standard_normal(tuple(given)), kind)
        for name, given in case.parameters.items()
    }
    for name, array in case.constants.items():
        weights[name] = array.astype(kind) if array.dtype.kind == "f" else array
    word, torch_type = _TYPES[kind]
    bare = forward_model(case.nodes, weights, inputs="", outputs=f"{word} y", opset=case.opset)
    size = _size_of_y(bare, torch_type)
    head = rng.standard_normal((size, 3)) / np.sqrt(size)
    return forward_model(
        f"{case.nodes} flat = Reshape (y, flat_shape) logits = MatMul (flat, head)",
        {**weights, "flat_shape": np.array([1, size]), "head": head.astype(kind)},
        inputs="",
        outputs=f"{word}[1,3] logits",
        opset=case.opset,
    )


def _size_of_y(model: onnx.ModelProto, torch_type: torch.dtype) -> int:
    values = {}
    for tensor in model.graph.initializer:
        array = torch.tensor(numpy_helper.to_array(tensor))
        values[tensor.name] = array.to(torch_type) if array.is_floating_point() else array
    run(model, values, torch_type)
    return values["y"].numel()


def step_of(case: RuleCase, model: onnx.ModelProto) -> onnx.ModelProto:
    """The step that gives the gradients of the case's parameters."""
    floats = [name for name, array in case.constants.items() if array.dtype.kind == "f" and array.ndim]
    return add_training_step(model, outputs="grads", frozen=["head", *floats])


def check(case: RuleCase) -> onnx.ModelProto:
    """Hold a case to torch, in double to 1e-10 and in float32 to 1e-4; returns the step in float32."""
    if case.in_double:
        model = model_of(case, np.float64)
        step = step_of(case, model)
        results = evaluate_in_float64(step, _feeds(model, step))
        _assert_gradients(case, model, results, torch.float64, 1e-10)
    model = model_of(case)
    step = step_of(case, model)
    feeds = _feeds(model, step)
    _assert_gradients(case, model, outputs_of(step, feeds), torch.float32, 1e-4)
    assert_nothing_is_dead(step)
    if case.in_ge:
        assert_runs_alike(step, feeds)
    return step


def assert_nothing_is_dead(step: onnx.ModelProto) -> None:
    """Every node and every constant is of use."""
    read = {name for node in step.graph.node for name in node.input}
    read |= {value.name for value in step.graph.output}
    assert all(read & set(node.output) for node in step.graph.node), step
    assert {tensor.name for tensor in step.graph.initializer} <= read


def _feeds(model: onnx.ModelProto, step: onnx.ModelProto) -> dict[str, Array]:
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    given: dict[str, Any] = {**weights, "labels": LABELS}
    return {value.name: given[value.name] for value in step.graph.input}


def _assert_gradients(
    case: RuleCase,
    model: onnx.ModelProto,
    results: Mapping[str, Array],
    torch_type: torch.dtype,
    tolerance: float,
) -> None:
    """Each gradient is torch's within `tolerance` of its largest element; so is the loss."""
    loss, gradients, _ = loss_gradients_and_values(model, {}, LABELS, torch_type)
    assert abs(float(results["loss"]) - loss) <= tolerance * max(abs(loss), 1e-3), (
        case,
        results["loss"],
        loss,
    )
    for name in case.parameters:
        wanted, found = gradients[name], results[f"{name}.grad"]
        assert found.shape == wanted.shape, name
        largest = max(np.abs(wanted).max(), 1e-2)
        np.testing.assert_allclose(
            found, wanted, rtol=0, atol=tolerance * largest, err_msg=f"{name} of {case.nodes}"
        )
