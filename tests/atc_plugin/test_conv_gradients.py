"""Conv's gradients: what the plugin makes of them in atc is what the converter makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.conv_gradients import (
    CONV_FILTER_GRAD,
    CONV_GRAD,
    CONV_GRAD_WITHOUT_BIAS,
    CONV_INPUT_GRAD,
)
from support_cann import Driver
from support_expansion import converted, nameless, names_in
from support_onnx_parser import request_for

PORTS = {
    CONV_INPUT_GRAD: ["input_size", "filter", "out_backprop"],
    CONV_FILTER_GRAD: ["x", "filter_size", "out_backprop"],
    CONV_GRAD: ["dY", "X", "W"],
    CONV_GRAD_WITHOUT_BIAS: ["dY", "X", "W"],
}
# By operator: what gives each output in GE.
RESULTS = {
    CONV_INPUT_GRAD: ["Conv2DBackpropInput"],
    CONV_FILTER_GRAD: ["Conv2DBackpropFilter"],
    CONV_GRAD: ["Conv2DBackpropInput", "Conv2DBackpropFilter", "ReduceSum"],
    CONV_GRAD_WITHOUT_BIAS: ["Conv2DBackpropInput", "Conv2DBackpropFilter"],
}
EACH = pytest.mark.parametrize("op_type", PORTS)
ONE = pytest.mark.parametrize("op_type", [CONV_INPUT_GRAD, CONV_FILTER_GRAD])
GEOMETRY = {"strides": [2, 3], "pads": [1, 2, 3, 4], "dilations": [2, 1], "group": 3}
NCHW = 0


def node_of(op_type: str, inputs: list[str] | None = None, **attributes: Any) -> NodeProto:
    names = PORTS[op_type] if inputs is None else inputs
    outputs = [f"y{number}" for number in range(len(RESULTS[op_type]))]
    node = helper.make_node(op_type, names, outputs, name="grad", domain="npu")
    node.attribute.extend(helper.make_attribute(key, value) for key, value in attributes.items())
    return node


def model_of(node: NodeProto) -> ModelProto:
    """The node alone; sizes are inputs, so that nothing about them is known."""

    def value(name: str) -> Any:
        size = name.endswith("_size")
        shape = [4] if size else ["m"] if name == "y2" else [f"{name}{axis}" for axis in range(4)]
        return helper.make_tensor_value_info(name, TensorProto.INT64 if size else TensorProto.FLOAT, shape)

    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("npu", 1)]
    inputs = [value(name) for name in node.input if name]
    graph = helper.make_graph([node], "g", inputs, [value(name) for name in node.output])
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def same(plugin: Driver, node: NodeProto) -> dict[str, Any]:
    answer = plugin.ask(**request_for(node))
    assert answer["status"] == 0, answer["said"]
    model = model_of(node)
    assert list(map(nameless, answer["graphs"])) == [converted(model, t) for t in RESULTS[node.op_type]]
    return answer


@EACH
def test_the_expanded_graph_is_the_converter_s(plugin: Driver, op_type: str) -> None:
    answer = same(plugin, node_of(op_type, **GEOMETRY))
    assert answer["graphs"][0]["attrs"] == {
        "strides": [1, 1, 2, 3],
        "pads": [1, 3, 2, 4],  # top, bottom, left, right
        "dilations": [1, 1, 2, 1],
        "groups": 3,
        "data_format": "NCHW",
    }
    assert set(answer["graphs"][0]["layouts"].values()) == {NCHW}
    assert [graph["output"] for graph in answer["graphs"]] == [0] * len(RESULTS[op_type])


@EACH
def test_attributes_that_are_not_written_have_onnx_s_defaults(plugin: Driver, op_type: str) -> None:
    same(plugin, node_of(op_type))


@EACH
def test_random_geometries(plugin: Driver, op_type: str, scale: Callable[[int, int], int]) -> None:
    rng = np.random.default_rng(11)
    for _ in range(scale(20, 300)):
        attributes = {
            "strides": [int(v) for v in rng.integers(1, 9, 2)],
            "pads": [int(v) for v in rng.integers(0, 9, 4)],
            "dilations": [int(v) for v in rng.integers(1, 9, 2)],
            "group": int(rng.integers(1, 9)),
        }
        written = {name: value for name, value in attributes.items() if rng.random() < 0.8}
        same(plugin, node_of(op_type, **written))


@EACH
def test_the_parser_finds_the_way_from_the_node_to_its_graph(plugin: Driver, op_type: str) -> None:
    answer = plugin.ask(**request_for(node_of(op_type, **GEOMETRY)))
    assert answer["om_optype"] == "PartitionedCall"
    assert answer["attrs"]["original_type"] == f"npu::1::{op_type}"
    outputs = [f"output{number}" for number in range(len(RESULTS[op_type]))]
    assert answer["ports"] == [["args0", "args1", "args2"], outputs]


@ONE
def test_names_are_the_node_s_own(plugin: Driver, op_type: str) -> None:
    answer = plugin.ask(**request_for(node_of(op_type)))
    names = names_in(answer["graphs"][0])
    assert len(set(names)) == len(names) == 5
    assert names[0] == "grad"


def test_the_names_of_several_operators(plugin: Driver) -> None:
    graphs = plugin.ask(**request_for(node_of(CONV_GRAD)))["graphs"]
    sources = ["grad_dY", "grad_X", "grad_W"]
    assert [graph["name"] for graph in graphs] == ["grad_input", "grad_filter", "grad_bias"]
    inner = ["grad_input_size", "grad_filter_size", "grad_axes"]
    of_all = {name for graph in graphs for name in names_in(graph)}
    assert of_all == {*sources, *inner, *(graph["name"] for graph in graphs)}


REFUSED: dict[str, dict[str, Any]] = {
    "pads of two": {"pads": [1, 1]},
    "strides of four": {"strides": [1, 1, 2, 2]},
    "dilations of one": {"dilations": [2]},
    "strides an int": {"strides": 2},
    "pads floats": {"pads": [1.0, 1.0, 1.0, 1.0]},
    "group a list": {"group": [1]},
    "group a string": {"group": "1"},
}


@EACH
@pytest.mark.parametrize("what", REFUSED)
def test_refusals_are_the_converter_s_word_for_word(plugin: Driver, op_type: str, what: str) -> None:
    assert_same_refusal(plugin, node_of(op_type, **REFUSED[what]))


@EACH
@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_missing_input_is_refused(plugin: Driver, op_type: str, count: int) -> None:
    node = node_of(op_type, ["", *PORTS[op_type][1:]] if count == 0 else PORTS[op_type][:count])
    assert_same_refusal(plugin, node)


@EACH
def test_a_reference_to_a_function_s_attribute_is_refused(plugin: Driver, op_type: str) -> None:
    node = node_of(op_type)
    node.attribute.append(AttributeProto(name="pads", type=AttributeProto.INTS, ref_attr_name="outer"))
    said = plugin.ask(**request_for(node))["said"]
    assert said == f"EU1001 {op_type} node 'grad': the attribute pads is a reference; it must be INTS"


@EACH
def test_a_fourth_input_is_refused(plugin: Driver, op_type: str) -> None:
    said = plugin.ask(**request_for(node_of(op_type, [*PORTS[op_type], "more"])))["said"]
    assert said == f"EU1001 {op_type} node 'grad': it has 4 inputs; {op_type} takes 3"


def assert_same_refusal(plugin: Driver, node: NodeProto) -> None:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.onnx_to_ge(model_of(node))
    answer = plugin.ask(**request_for(node))
    assert answer["status"] != 0
    assert answer["said"] == f"EU1001 {caught.value}"
