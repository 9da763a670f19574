"""Relu's gradient: what the plugin makes of it in atc is what the converter makes of it."""

from __future__ import annotations

import pytest
from onnx import NodeProto, TensorProto, helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from support_cann import Driver
from support_onnx_parser import request_for


def node_of(*inputs: str) -> NodeProto:
    return helper.make_node("ReluGrad", inputs, ["y"], name="grad", domain="npu")


def test_one_node_stays_one_node(plugin: Driver) -> None:
    answer = plugin.ask(**request_for(node_of("g", "f")))
    assert (answer["om_optype"], answer["framework"], answer["status"]) == ("ReluGrad", 5, 0)
    assert answer["attrs"] == {}
    assert "graphs" not in answer


@pytest.mark.parametrize("inputs", [[], ["g"], ["g", ""], ["", "f"]], ids=str)
def test_a_missing_input_is_refused_in_the_converter_s_words(plugin: Driver, inputs: list[str]) -> None:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in "gfy"]
    graph = helper.make_graph([node_of(*inputs)], "g", values[:2], values[2:])
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("npu", 1)]
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.onnx_to_ge(helper.make_model(graph, opset_imports=opsets, ir_version=9))
    answer = plugin.ask(**request_for(node_of(*inputs)))
    assert answer["status"] != 0
    assert answer["said"] == f"EU1001 {caught.value}"


def test_a_third_input_is_refused(plugin: Driver) -> None:
    answer = plugin.ask(**request_for(node_of("g", "f", "more")))
    assert answer["said"] == "EU1001 ReluGrad node 'grad': it has 3 inputs; ReluGrad takes 2"
