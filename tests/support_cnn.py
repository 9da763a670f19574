"""Random forward CNNs in ONNX, shared by the tests of gradients, converters and runs.

Models have 2-D convolutions (strides, leftover rows, asymmetric pads), max pools in the forms of ONNX
(asymmetric pads, ceil_mode with a dropped window, auto_pad), values used more than once, and a head of
Flatten or Reshape with Gemm or MatMul + Add. The output is called `logits`, the input `x`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from maxpoolgrad_onnx.arrays import Array


@dataclass(frozen=True)
class Cnn:
    """A forward model with a batch to train on."""

    name: str
    model: onnx.ModelProto
    x: Array
    labels: Array

    @property
    def feeds(self) -> dict[str, Array]:
        return {"x": self.x, "labels": self.labels}


def random_cnns(seed: int, count: int) -> Iterator[Cnn]:
    """Model i depends on (seed, i) alone, so that a failing one can be made again."""
    for index in range(count):
        yield random_cnn(seed, index)


def random_cnn(seed: int, index: int) -> Cnn:
    rng = np.random.default_rng([seed, index])
    build = _Build(rng)
    n, c = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    h, w = (int(v) for v in rng.integers(6, 15, 2))
    classes = int(rng.integers(2, 8))
    build.shape = (n, c, h, w)
    for _ in range(int(rng.integers(1, 4))):
        build.block()
    build.head(classes)
    symbolic = rng.random() < 0.3
    model = build.model(batch="N" if symbolic else n, input_shape=(c, h, w), classes=classes)
    x = rng.standard_normal((n, c, h, w)).astype(np.float32)
    return Cnn(f"seed{seed}-{index}", model, x, rng.integers(0, classes, n))


@dataclass
class _Build:
    """A model under construction: the current value and its shape."""

    rng: np.random.Generator
    value: str = "x"
    shape: tuple[int, ...] = ()
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)

    def block(self) -> None:
        """Convolution, perhaps a residual sum around a second one, activation, and mostly a pool."""
        self.conv()
        if self.rng.random() < 0.5:
            self.residual()
        if self.rng.random() < 0.8:
            self.node("Relu", [self.value], self.shape)
        if self.rng.random() < 0.8:
            self.pool()

    def conv(self, *, keep_shape: bool = False) -> None:
        rng, (n, c, h, w) = self.rng, self.shape
        kernel = [int(k) for k in (rng.choice([1, 3], 2) if keep_shape else rng.integers(1, 5, 2))]
        strides = [1, 1] if keep_shape else [int(s) for s in rng.integers(1, 4, 2)]
        filters = c if keep_shape else int(rng.integers(1, 13))
        attributes: dict[str, Any] = {"strides": strides}
        if keep_shape:
            attributes["pads"] = [k // 2 for k in kernel] * 2
            size = [h, w]
        elif rng.random() < 0.2:
            attributes["auto_pad"] = str(rng.choice(["SAME_UPPER", "SAME_LOWER"]))
            size = [-(-i // s) for i, s in zip((h, w), strides, strict=True)]
        else:
            kernel = [min(k, i) for k, i in zip(kernel, (h, w), strict=True)]
            pads = [int(p) for p in rng.integers(0, [*kernel, *kernel])]
            attributes["pads"] = pads
            size = [(i + pads[a] + pads[a + 2] - kernel[a]) // strides[a] + 1 for a, i in enumerate((h, w))]
        scale = np.sqrt(2 / (c * kernel[0] * kernel[1]))
        inputs = [self.value, self.weight("w", (filters, c, *kernel), scale)]
        if rng.random() < 0.7:
            inputs.append(self.weight("b", (filters,), 0.1))
        shape = (n, filters, *size)
        self.node("Conv", inputs, shape, **attributes)
        if len(inputs) == 2 and rng.random() < 0.5:
            self.node("Add", [self.value, self.weight("b", (filters, 1, 1), 0.1)], shape)

    def residual(self) -> None:
        before = self.value
        self.conv(keep_shape=True)
        self.node("Add", [self.value, before], self.shape)

    def pool(self) -> None:
        rng, (n, c, h, w) = self.rng, self.shape
        kernel = [min(int(k), i) for k, i in zip(rng.integers(1, 4, 2), (h, w), strict=True)]
        strides = [int(s) for s in rng.integers(1, 4, 2)]
        attributes: dict[str, Any] = {"kernel_shape": kernel, "strides": strides}
        form = rng.choice(["pads", "pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"])
        if form.startswith("SAME"):
            attributes["auto_pad"] = str(form)
            size = [-(-i // s) for i, s in zip((h, w), strides, strict=True)]
        else:
            valid = form == "VALID"
            pads = [0] * 4 if valid else [int(p) for p in rng.integers(0, [*kernel, *kernel])]
            ceil = bool(rng.random() < 0.5) and not valid
            attributes |= {"auto_pad": "VALID"} if valid else {"pads": pads}
            attributes["ceil_mode"] = int(ceil)
            size = [
                pooled_size(i, kernel[a], strides[a], pads[a], pads[a + 2], ceil)
                for a, i in enumerate((h, w))
            ]
        self.node("MaxPool", [self.value], (n, c, *size), **attributes)

    def head(self, classes: int) -> None:
        rng = self.rng
        n, features = self.shape[0], int(np.prod(self.shape[1:]))
        if rng.random() < 0.5:
            self.node("Flatten", [self.value], (n, features))
        else:
            target = numpy_helper.from_array(np.array([0, -1]), f"target{len(self.nodes)}")
            self.weights.append(target)
            self.node("Reshape", [self.value, target.name], (n, features))
        if rng.random() < 0.4:
            self.linear(int(rng.integers(2, 9)))
            self.node("Relu", [self.value], self.shape)
        self.linear(classes)

    def linear(self, width: int) -> None:
        rng, (n, features) = self.rng, self.shape
        scale, shape = np.sqrt(1 / features), (n, width)
        if rng.random() < 0.5:
            trans = int(rng.integers(2))
            weight = self.weight("w", (width, features) if trans else (features, width), scale)
            bias_shape = [(width,), (1, width), (1,)][int(rng.integers(3))]
            inputs = [self.value, weight, self.weight("b", bias_shape, 0.1)]
            self.node("Gemm", inputs, shape, transB=trans, alpha=float(rng.choice([1.0, 0.5])))
        else:
            self.node("MatMul", [self.value, self.weight("w", (features, width), scale)], shape)
            self.node("Add", [self.weight("b", (width,), 0.1), self.value], shape)

    def weight(self, kind: str, shape: tuple[int, ...], scale: float) -> str:
        array = (self.rng.standard_normal(shape) * scale).astype(np.float32)
        name = f"{kind}{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def node(self, op_type: str, inputs: list[str], shape: tuple[int, ...], **attributes: Any) -> None:
        name = f"{op_type.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, inputs, [f"{name}_y"], name=name, **attributes))
        self.value, self.shape = f"{name}_y", shape

    def model(self, *, batch: int | str, input_shape: tuple[int, ...], classes: int) -> onnx.ModelProto:
        self.nodes[-1].output[0] = "logits"
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, *input_shape])
        y = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [batch, classes])
        graph = helper.make_graph(self.nodes, "cnn", [x], [y], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def pooled_size(size: int, kernel: int, stride: int, begin: int, end: int, ceil: bool) -> int:
    """ONNX's output size of a pool: in ceil mode without a window that begins past the input."""
    room = size + begin + end - kernel
    if not ceil:
        return room // stride + 1
    output = -(-room // stride) + 1
    return output - 1 if (output - 1) * stride >= size + begin else output
