"""Small random networks: what ONNX Runtime fuses in a model, it fuses in what comes back from GE IR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx.arrays import Array
from support_convert import assert_runs_alike, feeds_for, onnx_model


@dataclass
class Network:
    """A network in the making: the text of its nodes, its weights, and the tensor at its end."""

    rng: np.random.Generator
    axes: int
    channels: int
    size: int
    nodes: list[str] = field(default_factory=list)
    weights: dict[str, Array] = field(default_factory=dict)
    end: str = "x"

    def weight(self, *shape: int) -> str:
        name = f"w{len(self.weights)}"
        self.weights[name] = (self.rng.standard_normal(shape) / 2).astype(np.float32)
        return name

    def add(self, call: str) -> None:
        name = f"t{len(self.nodes)}"
        self.nodes.append(f"{name} = {call}")
        self.end = name

    def convolution(self) -> None:
        features = int(self.rng.choice([self.channels, 8, 16]))
        group = self.channels if features == self.channels and self.rng.random() < 0.3 else 1
        kernel = int(self.rng.choice([1, 3]))
        inputs = [self.end, self.weight(features, self.channels // group, *[kernel] * self.axes)]
        if self.rng.random() < 0.6:
            inputs.append(self.weight(features))
        pads = [kernel // 2] * (2 * self.axes)
        self.add(f"Conv<pads={pads}, group={group}>({', '.join(inputs)})")
        self.channels = features

    def normalisation(self) -> None:
        names = [self.weight(self.channels) for _ in range(4)]
        self.weights[names[3]] = np.abs(self.weights[names[3]]) + np.float32(0.5)
        self.add(f"BatchNormalization({self.end}, {', '.join(names)})")

    def activation(self) -> None:
        low, high = "-0.5", "0.75"
        calls = ["Relu({})", "LeakyRelu<alpha=0.2>({})", "Sigmoid({})", "Tanh({})", "HardSwish({})"]
        calls += ["HardSigmoid({})", "Clip({}, low, high)"]
        self.weights |= {"low": np.array(low, np.float32), "high": np.array(high, np.float32)}
        self.add(str(self.rng.choice(calls)).format(self.end))

    def residual(self) -> None:
        before, channels = self.end, self.channels
        weights = self.weight(channels, channels, *[1] * self.axes)
        self.add(f"Conv({self.end}, {weights})")
        self.normalisation()
        self.add(f"Add({self.end}, {before})")
        self.add(f"Relu({self.end})")

    def pool(self) -> None:
        if self.size < 4:
            return
        op = self.rng.choice(["MaxPool", "AveragePool"])
        self.add(f"{op}<kernel_shape={[2] * self.axes}, strides={[2] * self.axes}>({self.end})")
        self.size //= 2

    def head(self) -> None:
        if self.rng.random() < 0.5:
            self.add(f"{self.rng.choice(['GlobalAveragePool', 'GlobalMaxPool'])}({self.end})")
            self.size = 1
        self.add(f"Flatten({self.end})")
        columns = self.channels * self.size**self.axes
        if self.rng.random() < 0.5:
            self.add(f"Gemm<transB=1>({self.end}, {self.weight(5, columns)}, {self.weight(5)})")
        else:
            self.add(f"MatMul({self.end}, {self.weight(columns, 5)})")
            self.add(f"Add({self.end}, {self.weight(5)})")
        self.add(f"{self.rng.choice(['Softmax', 'LogSoftmax', 'Relu'])}({self.end})")


def random_network(seed: int) -> onnx.ModelProto:
    """Four to eight layers over images or lines, then a classifier."""
    rng = np.random.default_rng([31, seed])
    axes = int(rng.integers(1, 3))
    network = Network(rng, axes, int(rng.choice([3, 8])), 12)
    inputs = f"float[N,{network.channels}{',12' * axes}] x"
    layers = [network.convolution, network.normalisation, network.activation, network.residual, network.pool]
    for _ in range(rng.integers(4, 9)):
        layers[rng.choice(len(layers), p=[0.3, 0.2, 0.25, 0.15, 0.1])]()
    network.head()
    model = onnx_model("\n".join(network.nodes), inputs, f"float[N,5] {network.end}", network.weights)
    return model


@pytest.mark.parametrize("part", range(4))
def test_random_networks(part: int, scale: Callable[[int, int], int]) -> None:
    for seed in range(part, scale(40, 4000), 4):
        model = random_network(seed)
        try:
            assert_runs_alike(model, feeds_for(model, seed))
        except Exception as error:
            nodes = [node.op_type for node in model.graph.node]
            raise AssertionError(f"{seed}: {' '.join(nodes)}") from error
