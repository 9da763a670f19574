"""Batch normalisation's gradients: the plugin makes of them in atc what the converter makes of them."""

from __future__ import annotations

from typing import Any

import pytest
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.batch_norm_gradients import BATCH_NORM_GRAD, BATCH_NORM_INFERENCE_GRAD
from support_cann import Driver
from support_expansion import converted, nameless, names_in
from support_onnx_parser import request_for

PORTS = {
    BATCH_NORM_GRAD: ["y_backprop", "x", "scale"],
    BATCH_NORM_INFERENCE_GRAD: ["y_backprop", "x", "scale", "mean", "variance"],
}
BOTH = pytest.mark.parametrize("op_type", PORTS)


def node_of(op_type: str, inputs: list[str] | None = None, **attributes: Any) -> NodeProto:
    names = PORTS[op_type] if inputs is None else inputs
    return helper.make_node(op_type, names, ["dx", "ds", "db"], name="grad", domain="npu", **attributes)


def model_of(node: NodeProto) -> ModelProto:
    def value(name: str) -> Any:
        image = name in ("y_backprop", "x", "dx")
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, list("nchw") if image else ["c"])

    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("npu", 1)]
    inputs = [value(name) for name in node.input if name]
    graph = helper.make_graph([node], "g", inputs, [value(name) for name in node.output])
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


@BOTH
@pytest.mark.parametrize("attributes", [{}, {"epsilon": 0.0}, {"epsilon": 0.125}, {"epsilon": 1e-3}], ids=str)
def test_the_expanded_graph_is_the_converter_s(
    plugin: Driver, op_type: str, attributes: dict[str, float]
) -> None:
    node = node_of(op_type, **attributes)
    answer = plugin.ask(**request_for(node))
    assert answer["status"] == 0, answer["said"]
    wanted = converted(model_of(node), "BatchNormGrad")
    assert nameless(answer["graphs"][0]) == wanted
    assert wanted["attrs"]["is_training"] == (op_type == BATCH_NORM_GRAD)
    taken = {port: source["output"] for port, source in wanted["inputs"].items()}
    reserve = (3, 4) if op_type == BATCH_NORM_GRAD else (0, 0)
    assert (taken["reserve_space_1"], taken["reserve_space_2"]) == reserve


@BOTH
def test_the_parser_finds_the_way_from_the_node_to_its_graph(plugin: Driver, op_type: str) -> None:
    answer = plugin.ask(**request_for(node_of(op_type)))
    assert answer["om_optype"] == "PartitionedCall"
    assert answer["attrs"]["original_type"] == f"npu::1::{op_type}"
    count = len(PORTS[op_type])
    assert answer["ports"] == [[f"args{i}" for i in range(count)], ["output0", "output1", "output2"]]
    own = {"grad_statistics"} if op_type == BATCH_NORM_GRAD else set()
    assert set(names_in(answer["graphs"][0])) == {"grad", *(f"grad_{port}" for port in PORTS[op_type]), *own}


@BOTH
@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_missing_input_is_refused_in_the_converter_s_words(
    plugin: Driver, op_type: str, count: int
) -> None:
    assert_same_refusal(
        plugin, node_of(op_type, ["", *PORTS[op_type][1:]] if count == 0 else PORTS[op_type][:count])
    )


@BOTH
def test_one_input_more_is_refused_in_the_converter_s_words(plugin: Driver, op_type: str) -> None:
    assert_same_refusal(plugin, node_of(op_type, [*PORTS[op_type], "more"]))


@BOTH
@pytest.mark.parametrize("epsilon", [1, "0.1", [0.1]], ids=str)
def test_an_epsilon_that_is_no_float_is_refused_in_the_converter_s_words(
    plugin: Driver, op_type: str, epsilon: Any
) -> None:
    assert_same_refusal(plugin, node_of(op_type, epsilon=epsilon))


@BOTH
def test_a_reference_to_a_function_s_attribute_is_refused(plugin: Driver, op_type: str) -> None:
    node = node_of(op_type)
    node.attribute.append(AttributeProto(name="epsilon", type=AttributeProto.FLOAT, ref_attr_name="outer"))
    said = plugin.ask(**request_for(node))["said"]
    assert said == f"EU1001 {op_type} node 'grad': the attribute epsilon is a reference; it must be FLOAT"


def assert_same_refusal(plugin: Driver, node: NodeProto) -> None:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.onnx_to_ge(model_of(node))
    answer = plugin.ask(**request_for(node))
    assert answer["status"] != 0
    assert answer["said"] == f"EU1001 {caught.value}"
