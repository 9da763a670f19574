"""The demo's CNN as an ONNX model: three convolutions, two max pools, one linear layer.

x [N, 1, 8, 8]
conv1 3x3, 16 channels, Relu
conv2 3x3, 16 channels, Relu        [N, 16, 8, 8]
pool1 3x3, stride 2, ceil_mode      [N, 16, 4, 4]   windows overlap; the last ones reach past the edge
conv3 3x3, 32 channels, Relu        [N, 32, 4, 4]
pool2 2x2, stride 2                 [N, 32, 2, 2]
Flatten, linear                     [N, 10] logits
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from maxpoolgrad_onnx.opsets import IR_VERSION, NEWEST_OPSET

from .data import CLASSES

Parameters = Mapping[str, npt.NDArray[np.float32]]

INPUT, LOGITS = "x", "logits"
SIZE = 8
SHAPES: Mapping[str, tuple[int, ...]] = {
    "conv1.weight": (16, 1, 3, 3),
    "conv1.bias": (16,),
    "conv2.weight": (16, 16, 3, 3),
    "conv2.bias": (16,),
    "conv3.weight": (32, 16, 3, 3),
    "conv3.bias": (32,),
    "linear.weight": (32 * 2 * 2, CLASSES),
    "linear.bias": (CLASSES,),
}
POOLS: Mapping[str, Mapping[str, Any]] = {
    "pool1": {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1},
    "pool2": {"kernel_shape": [2, 2], "strides": [2, 2]},
}


def first_parameters(seed: int) -> Parameters:
    """Normal weights of variance 2 / fan-in (He et al., 2015), in the order of SHAPES; biases 0.

    By numpy.random.RandomState(seed), so that every machine starts from the same ones.
    """
    random = np.random.RandomState(seed)
    parameters = {}
    for name, shape in SHAPES.items():
        if name.endswith(".bias"):
            values = np.zeros(shape)
        else:
            fan_in = shape[0] if name == "linear.weight" else int(np.prod(shape[1:]))
            values = random.standard_normal(shape) * np.sqrt(2 / fan_in)
        parameters[name] = values.astype(np.float32)
    return parameters


def forward_model(batch: int, parameters: Parameters) -> onnx.ModelProto:
    """The network with its parameters inside, for `batch` images at a time: x -> logits."""
    weights = [numpy_helper.from_array(values, name) for name, values in parameters.items()]
    return _model(helper.make_graph(_nodes(), "digits", [_images(batch)], [_logits(batch)], weights))


def evaluation_model(batch: int) -> onnx.ModelProto:
    """The network with its parameters as inputs, by name, after x: one model for all stages of training."""
    parameters = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in SHAPES.items()
    ]
    graph = helper.make_graph(_nodes(), "digits_evaluation", [_images(batch), *parameters], [_logits(batch)])
    return _model(graph)


def _nodes() -> list[onnx.NodeProto]:
    def conv(name: str, x: str) -> list[onnx.NodeProto]:
        return [
            helper.make_node(
                "Conv",
                [x, f"{name}.weight", f"{name}.bias"],
                [f"{name}.y"],
                name=name,
                kernel_shape=[3, 3],
                pads=[1, 1, 1, 1],
            ),
            helper.make_node("Relu", [f"{name}.y"], [f"{name}.relu.y"], name=f"{name}.relu"),
        ]

    def pool(name: str, x: str) -> onnx.NodeProto:
        return helper.make_node("MaxPool", [x], [f"{name}.y"], name=name, **POOLS[name])

    return [
        *conv("conv1", INPUT),
        *conv("conv2", "conv1.relu.y"),
        pool("pool1", "conv2.relu.y"),
        *conv("conv3", "pool1.y"),
        pool("pool2", "conv3.relu.y"),
        helper.make_node("Flatten", ["pool2.y"], ["flatten.y"], name="flatten"),
        helper.make_node("Gemm", ["flatten.y", "linear.weight", "linear.bias"], [LOGITS], name="linear"),
    ]


def _images(batch: int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, [batch, 1, SIZE, SIZE])


def _logits(batch: int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(LOGITS, TensorProto.FLOAT, [batch, CLASSES])


def _model(graph: onnx.GraphProto) -> onnx.ModelProto:
    return helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", NEWEST_OPSET)],
        ir_version=IR_VERSION,
        producer_name="maxpoolgrad",
    )
