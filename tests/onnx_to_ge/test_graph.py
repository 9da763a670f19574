"""The graph as a whole: ends, names, layouts, constants, symbolic sizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.ge_ir import DataType, Edge, Format, GeModel, Node, Tensor
from maxpoolgrad_onnx.converters.onnx_to_ge.registry import RULES
from support_cnn import random_cnns
from support_convert import assert_runs_alike, onnx_model, there, types_of
from support_prototypes import assert_as_prototype, types

CNN = onnx_model(
    "c = Conv(x, w, b) r = Relu(c) p = MaxPool<kernel_shape=[2,2]>(r) f = Flatten(p) logits = MatMul(f, v)",
    "float[N,3,8,8] x",
    "float[N,5] logits",
    {
        "w": np.ones((4, 3, 3, 3), np.float32),
        "b": np.ones(4, np.float32),
        "v": np.ones((100, 5), np.float32),
        "unused": np.ones(3, np.float32),
    },
)


def nodes_of(model: GeModel) -> dict[str, Node]:
    return {node.name: node for node in model.graph.nodes}


def test_layouts_go_with_tensors_that_convolutions_and_pools_touch() -> None:
    nodes = there(CNN)
    formats = {
        (name, port): desc.format
        for name, node in nodes_of(nodes).items()
        for port, desc in [*node.input_descs.items(), *node.output_descs.items()]
    }
    nchw = {key for key, format in formats.items() if format is Format.NCHW}
    assert nchw == {
        ("x", "x"),
        ("x", "y"),
        ("w", "y"),
        *(("Conv_c", port) for port in ("x", "filter", "y")),
        ("Relu_r", "x"),
        ("Relu_r", "y"),
        ("MaxPool_p", "x"),
        ("MaxPool_p", "y"),
        ("Flatten_f", "x"),
    }
    assert all(format is Format.ND for key, format in formats.items() if key not in nchw)


def test_input_format_nd_leaves_inputs_without_a_layout() -> None:
    nodes = nodes_of(converters.onnx_to_ge(CNN, input_format="ND"))
    assert nodes["x"].output_desc().format is Format.ND
    assert nodes["Conv_c"].input_desc(0).format is Format.NCHW


def test_ends_keep_their_names_and_order() -> None:
    model = onnx_model("s = Sub(b, a) t = Sub(a, b)", "float[2] b, float[2] a", "float[2] t, float[2] s")
    nodes = nodes_of(there(model))
    assert [(name, nodes[name].attrs["index"]) for name in ("b", "a")] == [("b", 0), ("a", 1)]
    ends = [node for node in nodes.values() if node.type == "NetOutput"]
    assert [desc.name for desc in ends[0].input_descs.values()] == ["t", "s"]
    assert list(ends[0].inputs) == [Edge("Sub_t"), Edge("Sub_s")]
    assert_runs_alike(model)


def test_symbolic_sizes_are_minus_one_and_come_back_with_their_names() -> None:
    converted = there(CNN)
    assert nodes_of(converted)["x"].output_desc().shape == (-1, 3, 8, 8)
    back = converters.ge_to_onnx(converted)
    assert back.graph.input[0].type == CNN.graph.input[0].type
    assert_runs_alike(CNN)


def test_constants_are_written_once_and_only_where_used() -> None:
    model = onnx_model(
        "a = Add(x, w) y = Mul(a, w)", "float[3] x", "float[3] y", {"w": np.ones(3, np.float32)}
    )
    consts = [node for node in there(model).graph.nodes if node.type == "Const"]
    assert [node.name for node in consts] == ["w"]
    assert "unused" not in nodes_of(there(CNN))


def test_weights_are_not_copied() -> None:
    model = onnx_model("y = Add(x, w)", "float[3] x", "float[3] y", {"w": np.ones(3, np.float32)})
    value = nodes_of(converters.onnx_to_ge(model))["w"].attrs["value"]
    assert isinstance(value, Tensor)
    assert not value.data.flags.owndata


def test_names_are_unique_and_free_of_colons() -> None:
    model = onnx_model("y = Relu(x) z = Relu(y)", "float[3] x", "float[3] z")
    for node in model.graph.node:
        node.name = "x"
    model.graph.node[1].name = "a:1"
    names = list(nodes_of(there(model)))
    assert names == ["x", "x_1", "a_1", "Node_Output"]


@pytest.mark.parametrize(
    ("nodes", "outputs"),
    [
        ("y = Relu(x)", "float[3] x, float[3] y"),  # an output that is an input
        ("y = Relu(x)", "float[3] w, float[3] y"),  # one that is a constant
        ("y = Relu(x) z = Identity(y)", "float[3] y, float[3] z"),  # one read further
    ],
)
def test_unusual_outputs(nodes: str, outputs: str) -> None:
    assert_runs_alike(onnx_model(nodes, "float[3] x", outputs, {"w": np.ones(3, np.float32)}))


def test_initializers_that_are_inputs_too_are_constants() -> None:
    model = onnx_model("y = Add(x, w)", "float[3] x, float[3] w", "float[3] y", {"w": np.ones(3, np.float32)})
    assert [node.name for node in there(model).graph.nodes if node.type == "Data"] == ["x"]


def test_functions_without_a_rule_are_inlined() -> None:
    text = """<ir_version: 9, opset_import: ["": 18, "own": 1]>
    g (float[3] x) => (float[3] y) { y = own.twice(x) }
    <domain: "own", opset_import: ["": 18]> twice (a) => (b) { b = Add(a, a) }"""
    assert types_of(assert_runs_alike(onnx.parser.parse_model(text))) == ["Add"]


FILTER_GRADIENT = (
    "npu.Conv2DBackpropFilter<strides=[1,1], pads=[0,0,0,0], dilations=[1,1], group=1>(x, size, g)",
    "float16[2,3,6,8] x, float16[2,4,5,7] g",
    {"size": np.array([4, 3, 2, 2], np.int64)},
)


def test_the_filter_gradient_of_float16_is_float32_as_ge_s_is() -> None:
    node, inputs, size = FILTER_GRADIENT
    model = onnx_model(f"wide = {node} y = Cast<to=10>(wide)", inputs, "float16[4,3,2,2] y", size)
    converted = assert_runs_alike(model)
    wanted = ("Conv2DBackpropFilter", "Cast")
    gradient, cast = (node for node in converted.graph.nodes if node.type in wanted)
    assert gradient.output_desc().dtype is DataType.FLOAT
    assert cast.output_desc().dtype is DataType.FLOAT16


def test_a_filter_gradient_that_a_model_declares_as_float16_is_refused() -> None:
    node, inputs, size = FILTER_GRADIENT
    model = onnx_model(f"y = {node}", inputs, "float16[4,3,2,2] y", size)
    del model.functions[:]  # whose body says otherwise
    with pytest.raises(mpg.MaxPoolGradError, match="its result is DT_FLOAT16; it is DT_FLOAT whatever"):
        there(model)
    both = node.replace("Conv2DBackpropFilter", "ConvGradWithoutBias").replace("(x, size, g)", "(g, x, w)")
    ends = f"{inputs}, float16[4,3,2,2] w", "float16[2,3,6,8] y, float16[4,3,2,2] z"
    model = onnx_model(f"y, z = {both}", *ends)
    del model.functions[:]
    with pytest.raises(mpg.MaxPoolGradError, match="the filter's gradient is DT_FLOAT16; it is DT_FLOAT"):
        there(model)


def test_all_operators_of_random_training_steps_are_covered(scale: Callable[[int, int], int]) -> None:
    for cnn in random_cnns(23, scale(20, 200)):
        step = mpg.add_training_step(cnn.model, unfold=True)
        assert {(node.domain, node.op_type) for node in step.graph.node} <= set(RULES)
        for node in converters.onnx_to_ge(step).graph.nodes:
            if node.type in types():
                assert_as_prototype(node)


def test_every_description_has_an_origin_in_the_file(tmp_path: Path) -> None:
    from maxpoolgrad_onnx.converters.ge_ir.wire import ModelDef

    converters.onnx_to_ge(CNN).save(tmp_path / "cnn.air")
    message = ModelDef.FromString((tmp_path / "cnn.air").read_bytes())
    descs = [desc for op in message.graph[0].op for desc in (*op.input_desc, *op.output_desc)]
    assert descs
    for desc in descs:
        assert desc.attr["origin_format"].s == desc.layout.encode()
        assert list(desc.attr["origin_shape"].list.i) == list(desc.shape.dim)
        assert desc.attr["origin_shape"].list.val_type == 2
