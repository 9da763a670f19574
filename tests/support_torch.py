"""PyTorch as the oracle of training steps: a forward ONNX model of the supported operators, run by torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch.nn import functional

from maxpoolgrad_onnx.arrays import Array
from support_cnn import pooled_size

Tensor = torch.Tensor


def loss_and_gradients(
    model: onnx.ModelProto, x: Array, labels: Array, dtype: torch.dtype = torch.float32
) -> tuple[float, dict[str, Array]]:
    """Softmax cross-entropy of the model's first output, and the gradients of its float initializers."""
    values: dict[str, Tensor] = {"x": torch.tensor(x, dtype=dtype)}
    leaves: dict[str, Tensor] = {}
    for initializer in model.graph.initializer:
        tensor = torch.tensor(numpy_helper.to_array(initializer))
        if tensor.is_floating_point():
            tensor = leaves[initializer.name] = tensor.to(dtype).requires_grad_()
        values[initializer.name] = tensor
    for node in model.graph.node:
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        inputs = [values[name] if name else None for name in node.input]
        values[node.output[0]] = _OPERATORS[node.op_type](attributes, *inputs)
    loss = functional.cross_entropy(values[model.graph.output[0].name], torch.tensor(labels))
    loss.backward()
    gradients = {name: leaf.grad.numpy() for name, leaf in leaves.items() if leaf.grad is not None}
    return float(loss.detach()), gradients


def _conv(attributes: Mapping[str, Any], x: Tensor, w: Tensor, b: Tensor | None = None) -> Tensor:
    strides = attributes.get("strides", [1, 1])
    dilations = attributes.get("dilations", [1, 1])
    window = [d * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:], strict=True)]
    padded = _pad(x, _pads(attributes, x, window, strides), 0.0)
    return functional.conv2d(padded, w, b, strides, 0, dilations, attributes.get("group", 1))


def _max_pool(attributes: Mapping[str, Any], x: Tensor) -> Tensor:
    kernel = attributes["kernel_shape"]
    strides = attributes.get("strides", [1, 1])
    top, left, bottom, right = _pads(attributes, x, kernel, strides)
    ceil = bool(attributes.get("ceil_mode", 0)) and not _auto_pad(attributes).startswith("SAME")
    sizes = [
        pooled_size(size, k, s, begin, end, ceil)
        for size, k, s, begin, end in zip(
            x.shape[2:], kernel, strides, (top, left), (bottom, right), strict=True
        )
    ]
    # The windows that exist decide how much padding is wanted at the end, so that torch makes exactly those.
    ends = [
        (o - 1) * s + k - size - begin
        for o, s, k, size, begin in zip(sizes, strides, kernel, x.shape[2:], (top, left), strict=True)
    ]
    return functional.max_pool2d(_pad(x, (top, left, ends[0], ends[1]), -torch.inf), kernel, strides)


def _pads(
    attributes: Mapping[str, Any], x: Tensor, window: list[int], strides: list[int]
) -> tuple[int, int, int, int]:
    auto_pad = _auto_pad(attributes)
    if not auto_pad.startswith("SAME"):
        top, left, bottom, right = attributes.get("pads", [0, 0, 0, 0])
        return top, left, bottom, right
    begins, ends = [], []
    for size, kernel, stride in zip(x.shape[2:], window, strides, strict=True):
        total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
        begins.append(total // 2 if auto_pad == "SAME_UPPER" else (total + 1) // 2)
        ends.append(total - begins[-1])
    return begins[0], begins[1], ends[0], ends[1]


def _auto_pad(attributes: Mapping[str, Any]) -> str:
    return str(attributes.get("auto_pad", b"NOTSET").decode())


def _pad(x: Tensor, pads: tuple[int, int, int, int], value: float) -> Tensor:
    """Pads are [top, left, bottom, right]; a negative one crops."""
    top, left, bottom, right = pads
    return functional.pad(x, (left, right, top, bottom), value=value)


def _gemm(attributes: Mapping[str, Any], a: Tensor, b: Tensor, c: Tensor | None = None) -> Tensor:
    a = a.T if attributes.get("transA", 0) else a
    b = b.T if attributes.get("transB", 0) else b
    product = attributes.get("alpha", 1.0) * (a @ b)
    return product if c is None else product + attributes.get("beta", 1.0) * c


def _reshape(_: Mapping[str, Any], x: Tensor, shape: Tensor) -> Tensor:
    return x.reshape([x.shape[i] if dim == 0 else int(dim) for i, dim in enumerate(shape)])


_OPERATORS: Mapping[str, Callable[..., Tensor]] = {
    "Add": lambda _, a, b: a + b,
    "Conv": _conv,
    "Flatten": lambda attributes, x: x.flatten(attributes.get("axis", 1)),
    "Gemm": _gemm,
    "MatMul": lambda _, a, b: a @ b,
    "MaxPool": _max_pool,
    "Relu": lambda _, x: functional.relu(x),
    "Reshape": _reshape,
}
