"""Models broken at random: converted, or refused in one line; never another error."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from support_cnn import random_cnn
from support_convert import onnx_model, refusal_of

SMALL = [
    onnx_model(
        "c = Conv(x, w, b) r = Relu(c) p = MaxPool<kernel_shape=[2,2]>(r) f = Flatten(p)"
        "t = Transpose<perm=[1,0]>(f) s = ReduceSum(t, axes) y = Gemm<alpha=0.5>(s, s, e)",
        "float[2,3,6,6] x",
        "float[a,b] y",
        {
            "w": np.ones((2, 3, 3, 3), np.float32),
            "b": np.ones(2, np.float32),
            "e": np.ones(2, np.float32),
            "axes": np.array([0]),
        },
    ),
    onnx_model(
        "h = OneHot(i, depth, values) q = Unsqueeze(h, axes) u = Concat<axis=0>(q, q) m = Max(u, q, h)"
        "k = Cast<to=6>(m) n = Div(m, m) g = Gather(n, i) less = Less(i, i) y = Where(less, i, i)",
        "int64[4] i",
        "int64[a] y",
        {"depth": np.array(5), "values": np.ones(2, np.float32), "axes": np.array([0])},
    ),
    onnx_model(
        "c = Conv(x, w) n, p, q = BatchNormalization<training_mode=1>(c, s, s, s, s) t = ConvTranspose(n, w)"
        'a = AveragePool<kernel_shape=[2]>(t) m = MaxPool<kernel_shape=[2], auto_pad="SAME_UPPER">(a)'
        "k = Clip(m, b, b) o = Pow(k, b) g = GlobalMaxPool(o) y = MatMul(g, p)",
        "float[2,3,6] x",
        "float[a,b] y",
        {
            "w": np.ones((3, 3, 1), np.float32),
            "s": np.ones(3, np.float32),
            "b": np.array(1.5, np.float32),
        },
    ),
    onnx_model(
        "r = LeakyRelu<alpha=0.5>(x) s = Softmax<axis=0>(r) h = HardSigmoid(s) l = LogSoftmax<axis=-1>(h)"
        "n = BatchNormalization(l, m, m, m, m) c = Clip<min=0.0>(n) y = ReduceMax<axes=[0]>(c)",
        "float[2,3] x",
        "float[a,b] y",
        {"m": np.ones(3, np.float32)},
        opset=10,
    ),
    onnx_model(
        "y = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, g)",
        "float[1,2,4,4] x, float[1,2,2,2] p, float[1,2,2,2] g",
        "float[1,2,4,4] y",
    ),
]
ATTRIBUTES: dict[str, list[Any]] = {
    "axis": [3, -99, 1.5],
    "axes": [[7], 2.5, 1],
    "perm": [[0, 0], [1]],
    "pads": [[1], [-1, 0, 0, 0], "x"],
    "strides": [[0, 1], 2, [1, 1, 1]],
    "ksize": [[2, 2], "2"],
    "kernel_shape": [[-1, 2], [2]],
    "dilations": [[0, 0], [2]],
    "group": [0, "x"],
    "to": [99, 0, 8],
    "alpha": [float("nan"), 1],
    "auto_pad": ["FULL", "SAME_LOWER", 3],
    "value": [numpy_helper.from_array(np.array(["a"], object)), numpy_helper.from_array(np.zeros((2, 2)))],
    "noop_with_empty_axes": [1, "x"],
    "output_padding": [[-1], [9], "x"],
    "output_shape": [[1], [-4], [1, 2, 3]],
    "training_mode": [1, 2, 0.5],
    "momentum": [2.0, 1],
    "count_include_pad": [1, "x"],
    "ceil_mode": [1, [1]],
    "min": [float("nan"), 3],
}
ARRAYS = [
    np.zeros(0, np.float32),
    np.array(["x"], object),
    np.zeros((1, 1, 1), np.int64),
    np.array(5),
    np.array([-1, -1]),
    np.array([1e9], np.float32),
]


def remove_input(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    if node.input:
        del node.input[rng.integers(len(node.input))]


def rewire_input(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    names = ["", "nobody", *(name for other in graph.node for name in other.output)]
    if node.input:
        node.input[rng.integers(len(node.input))] = names[rng.integers(len(names))]


def add_input(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    node.input.append(graph.input[0].name)


def change_outputs(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    if node.output and rng.random() < 0.5:
        del node.output[0]
    else:
        node.output.append(str(rng.choice(["extra", "y"])))


def change_type(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    types = [other.op_type for model in SMALL for other in model.graph.node]
    node.op_type = types[rng.integers(len(types))]


def set_attribute(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    name = list(ATTRIBUTES)[rng.integers(len(ATTRIBUTES))]
    kept = [attribute for attribute in node.attribute if attribute.name != name]
    del node.attribute[:]
    node.attribute.extend(kept)
    values = ATTRIBUTES[name]
    node.attribute.append(helper.make_attribute(name, values[rng.integers(len(values))]))


def refer_attribute(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    for attribute in node.attribute:
        attribute.CopyFrom(AttributeProto(name=attribute.name, ref_attr_name="outer", type=attribute.type))


def remove_attribute(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    if node.attribute:
        del node.attribute[rng.integers(len(node.attribute))]


def change_constant(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    if graph.initializer:
        tensor = graph.initializer[rng.integers(len(graph.initializer))]
        tensor.CopyFrom(numpy_helper.from_array(ARRAYS[rng.integers(len(ARRAYS))], tensor.name))


def damage_constant(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    if graph.initializer:
        tensor = graph.initializer[rng.integers(len(graph.initializer))]
        kind = rng.integers(3)
        if kind == 0:
            tensor.raw_data = b"abc"
        elif kind == 1:
            tensor.dims.append(3)
        else:
            tensor.data_type = 99


def change_input_type(rng: np.random.Generator, graph: onnx.GraphProto, node: onnx.NodeProto) -> None:
    value = graph.input[rng.integers(len(graph.input))]
    kind = rng.integers(3)
    if kind == 0:
        value.type.Clear()
    elif kind == 1:
        types = [TensorProto.INT64, TensorProto.STRING, TensorProto.BOOL, TensorProto.DOUBLE, 99]
        value.type.tensor_type.elem_type = types[rng.integers(len(types))]
    else:
        shape = [None if size < 0 else int(size) for size in rng.integers(-2, 5, rng.integers(6))]
        value.CopyFrom(helper.make_tensor_value_info(value.name, TensorProto.FLOAT, shape))


CHANGES: list[Callable[[np.random.Generator, onnx.GraphProto, onnx.NodeProto], None]] = [
    remove_input,
    rewire_input,
    add_input,
    change_outputs,
    change_type,
    set_attribute,
    set_attribute,
    refer_attribute,
    remove_attribute,
    change_constant,
    damage_constant,
    change_input_type,
]


def _there_and_back(model: onnx.ModelProto) -> None:
    converters.ge_to_onnx(converters.onnx_to_ge(model))


def test_broken_models_are_converted_or_refused_in_one_line(scale: Callable[[int, int], int]) -> None:
    sources = [*SMALL, mpg.add_training_step(random_cnn(7, 0).model)]
    refused = 0
    for index in range(scale(1500, 30000)):
        rng = np.random.default_rng([11, index])
        model = onnx.ModelProto()
        model.CopyFrom(sources[index % len(sources)])
        for _ in range(rng.integers(1, 4)):
            node = model.graph.node[rng.integers(len(model.graph.node))]
            CHANGES[rng.integers(len(CHANGES))](rng, model.graph, node)
        sentence = refusal_of(partial(_there_and_back, model), f"model {index}")
        refused += sentence is not None
    assert refused > scale(500, 10000)
