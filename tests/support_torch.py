"""PyTorch as the oracle of training steps: a forward ONNX model run by torch."""

from __future__ import annotations

from collections.abc import Mapping

import onnx
import torch
from onnx import numpy_helper

from maxpoolgrad_onnx.arrays import Array
from support_torch_operators import OPERATORS

Tensor = torch.Tensor


def loss_and_gradients(
    model: onnx.ModelProto, x: Array, labels: Array, dtype: torch.dtype = torch.float32
) -> tuple[float, dict[str, Array]]:
    """Softmax cross-entropy of the model's first output, and the gradients of its float initializers."""
    loss, gradients, _ = loss_gradients_and_values(model, {"x": x}, labels, dtype)
    return loss, gradients


def loss_gradients_and_values(
    model: onnx.ModelProto, feeds: Mapping[str, Array], labels: Array, dtype: torch.dtype
) -> tuple[float, dict[str, Array], dict[str, Array]]:
    """Also every value of the forward run, by its name."""
    values: dict[str, Tensor] = {}
    leaves: dict[str, Tensor] = {}
    for name, array in feeds.items():
        tensor = torch.tensor(array)
        values[name] = tensor.to(dtype) if tensor.is_floating_point() else tensor
    for initializer in model.graph.initializer:
        tensor = torch.tensor(numpy_helper.to_array(initializer))
        if tensor.is_floating_point():
            tensor = leaves[initializer.name] = tensor.to(dtype).requires_grad_()
        values[initializer.name] = tensor
    run(model, values, dtype)
    logits = values[model.graph.output[0].name]
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor(labels))
    loss.backward()
    gradients = {name: leaf.grad.numpy() for name, leaf in leaves.items() if leaf.grad is not None}
    return float(loss.detach()), gradients, {name: value.detach().numpy() for name, value in values.items()}


def run(model: onnx.ModelProto, values: dict[str, Tensor], dtype: torch.dtype) -> None:
    """Every node of a forward model, its outputs added to `values`; constants of floats are of `dtype`."""
    for node in model.graph.node:
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        if node.op_type == "Constant":
            values[node.output[0]] = _constant(attributes, dtype)
            continue
        inputs = [values[name] if name else None for name in node.input]
        more = {"outputs": len(node.output)} if node.op_type == "Split" else {}
        results = OPERATORS[node.op_type](attributes, *inputs, **more)
        results = [results] if isinstance(results, torch.Tensor) else results
        values |= zip(node.output, results, strict=False)


def _constant(attributes: Mapping[str, object], dtype: torch.dtype) -> Tensor:
    ((name, value),) = attributes.items()
    if isinstance(value, onnx.TensorProto):
        tensor = torch.tensor(numpy_helper.to_array(value))
    else:
        tensor = torch.tensor(value, dtype=torch.int64 if name.startswith("value_int") else dtype)
    return tensor.to(dtype) if tensor.is_floating_point() else tensor
