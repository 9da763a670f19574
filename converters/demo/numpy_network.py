"""The demo's network once more, in NumPy and float64, its gradients by hand: what step.om is compared with.

It shares nothing with the package: no ONNX, no ONNX Runtime, no MaxPoolV3Grad. The tests hold it against
central finite differences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

Array = npt.NDArray[Any]


def loss(parameters: Mapping[str, Array], x: Array, labels: Array) -> float:
    """Mean softmax cross-entropy of the network on images x [N, 1, 8, 8] with labels [N]."""
    forward = _Forward(_float64(parameters), x.astype(np.float64))
    return _cross_entropy(forward.logits, labels)[0]


def loss_and_gradients(
    parameters: Mapping[str, Array], x: Array, labels: Array
) -> tuple[float, dict[str, Array]]:
    """The loss, and its gradient with respect to each parameter, in float64."""
    f = _Forward(_float64(parameters), x.astype(np.float64))
    p = f.parameters
    value, d_logits = _cross_entropy(f.logits, labels)
    g = {"linear.weight": f.flat.T @ d_logits, "linear.bias": d_logits.sum(0)}
    d_m3 = (d_logits @ p["linear.weight"].T).reshape(f.where3.shape)
    d_y3 = _max_pool_gradient(f.y3.shape, f.where3, d_m3) * (f.y3 > 0)
    d_m2, g["conv3.weight"], g["conv3.bias"] = _conv_gradients(f.m2, p["conv3.weight"], d_y3)
    d_y2 = _max_pool_gradient(f.y2.shape, f.where2, d_m2) * (f.y2 > 0)
    d_a1, g["conv2.weight"], g["conv2.bias"] = _conv_gradients(f.a1, p["conv2.weight"], d_y2)
    _, g["conv1.weight"], g["conv1.bias"] = _conv_gradients(f.x, p["conv1.weight"], d_a1 * (f.y1 > 0))
    return value, {name: g[name] for name in p}


class _Forward:
    """The forward pass: y before Relu, a after it, m after a pool, where each maximum of a pool was."""

    def __init__(self, p: dict[str, Array], x: Array) -> None:
        self.parameters, self.x = p, x
        self.y1 = _conv(x, p["conv1.weight"], p["conv1.bias"])
        self.a1 = np.maximum(self.y1, 0)
        self.y2 = _conv(self.a1, p["conv2.weight"], p["conv2.bias"])
        self.m2, self.where2 = _max_pool(np.maximum(self.y2, 0), 3, 2)
        self.y3 = _conv(self.m2, p["conv3.weight"], p["conv3.bias"])
        m3, self.where3 = _max_pool(np.maximum(self.y3, 0), 2, 2)
        self.flat = m3.reshape(len(x), -1)
        self.logits = self.flat @ p["linear.weight"] + p["linear.bias"]


def _float64(arrays: Mapping[str, Array]) -> dict[str, Array]:
    return {name: array.astype(np.float64) for name, array in arrays.items()}


def _windows(x: Array) -> Array:
    """The 3x3 surroundings of every pixel, zeros outside: [N, C, H, W, 3, 3]."""
    return sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), axis=(2, 3))


def _conv(x: Array, weight: Array, bias: Array) -> Array:
    return (
        np.tensordot(_windows(x), weight, ((1, 4, 5), (1, 2, 3))).transpose(0, 3, 1, 2)
        + bias[:, np.newaxis, np.newaxis]
    )


def _conv_gradients(x: Array, weight: Array, d_y: Array) -> tuple[Array, Array, Array]:
    """With respect to x, weight and bias. That of x is a convolution with the kernels turned round."""
    d_weight = np.tensordot(d_y, _windows(x), ((0, 2, 3), (0, 2, 3)))
    turned = weight[:, :, ::-1, ::-1].transpose(1, 0, 2, 3)
    return _conv(d_y, turned, np.zeros(len(turned))), d_weight, d_y.sum((0, 2, 3))


def _max_pool(x: Array, size: int, stride: int) -> tuple[Array, Array]:
    """Maxima of the windows, the last of which may reach past the edge, and where in flat x each is first."""
    missing = -(x.shape[2] - size) % stride
    padded = np.pad(x, ((0, 0), (0, 0), (0, missing), (0, missing)), constant_values=-np.inf)
    windows = sliding_window_view(padded, (size, size), axis=(2, 3))[:, :, ::stride, ::stride]
    flat = windows.reshape(*windows.shape[:4], size * size)
    first = flat.argmax(-1)
    rows = np.arange(first.shape[2])[:, np.newaxis] * stride + first // size
    columns = np.arange(first.shape[3]) * stride + first % size
    planes = np.arange(x.shape[0] * x.shape[1]).reshape(*x.shape[:2], 1, 1)
    return flat.max(-1), (planes * x.shape[2] + rows) * x.shape[3] + columns


def _max_pool_gradient(shape: tuple[int, ...], where: Array, d_y: Array) -> Array:
    d_x = np.zeros(int(np.prod(shape)))
    np.add.at(d_x, where.ravel(), d_y.ravel())
    return d_x.reshape(shape)


def _cross_entropy(logits: Array, labels: Array) -> tuple[float, Array]:
    """The mean loss, and its gradient with respect to the logits."""
    shifted = logits - logits.max(1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    rows = np.arange(len(labels))
    d_logits = np.exp(log_p)
    d_logits[rows, labels] -= 1
    return float(-log_p[rows, labels].mean()), d_logits / len(labels)
