"""The plugin for atc's ONNX parser: what it makes of npu::MaxPoolV3Grad is what the converter makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import NodeProto, TensorProto, helper, numpy_helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.contract import ATTRIBUTES, DEFAULTS, INPUT_NAMES
from maxpoolgrad_onnx.converters.ge_ir import ListOf
from support import random_case
from support_cann import Driver
from support_onnx_parser import attribute_text, request_for

POOL: dict[str, Any] = {"ksize": [1, 1, 2, 3], "strides": [1, 1, 2, 1]}


def node_of(name: str = "pool", op_type: str = "MaxPoolV3Grad", **attributes: Any) -> NodeProto:
    node = helper.make_node(op_type, INPUT_NAMES, ["out_grad"], name=name, domain="npu")
    node.attribute.extend(helper.make_attribute(key, value) for key, value in attributes.items())
    return node


def convert(node: NodeProto, shapes: list[tuple[int, ...] | None] | None = None) -> dict[str, Any]:
    """The attributes of the GE node that the converter makes, as plain values."""
    names = [name for name in node.input if name]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in zip(names, shapes or [None] * len(names), strict=True)
    ]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in node.output if name]
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("npu", 1)]
    graph = helper.make_graph([node], "g", inputs, outputs)
    model = converters.onnx_to_ge(helper.make_model(graph, opset_imports=opsets, ir_version=9))
    (ge_node,) = (node for node in model.graph.nodes if node.type == "MaxPoolV3Grad")
    names_written = {name for name, *_ in ATTRIBUTES}
    return {
        name: list(value.values) if isinstance(value, ListOf) else value
        for name, value in ge_node.attrs.items()
        if name in names_written
    }


def test_the_plugin_is_registered_under_the_nine_keys_and_no_other(plugin: Driver) -> None:
    assert plugin.greeting == [
        "npu::1::BatchNormGrad",
        "npu::1::BatchNormInferenceGrad",
        "npu::1::Conv2DBackpropFilter",
        "npu::1::Conv2DBackpropInput",
        "npu::1::ConvGrad",
        "npu::1::ConvGradWithoutBias",
        "npu::1::MaxPoolV3Grad",
        "npu::1::NPUMaxPoolV3Grad",
        "npu::1::ReluGrad",
    ]


@pytest.mark.parametrize("op_type", ["MaxPoolV3Grad", "NPUMaxPoolV3Grad"])
def test_both_spellings_become_the_same_operator_of_ge(plugin: Driver, op_type: str) -> None:
    answer = plugin.ask(**request_for(node_of(op_type=op_type, **POOL)))
    assert (answer["om_optype"], answer["framework"], answer["status"]) == ("MaxPoolV3Grad", 5, 0)
    assert "graphs" not in answer  # one node stays one node


def test_attributes_that_are_not_written_get_the_contract_s_defaults(plugin: Driver) -> None:
    answer = plugin.ask(**request_for(node_of(**POOL)))
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in DEFAULTS.items()}
    assert answer["attrs"] == {**POOL, **plain}
    assert {type(answer["attrs"][name]) for name in ("global_pooling", "ceil_mode")} == {bool}


def test_every_attribute_arrives_as_the_converter_writes_it(
    plugin: Driver, scale: Callable[[int, int], int]
) -> None:
    for index in range(scale(60, 1000)):
        case = random_case(3, index)
        values = {
            name: int(value) if isinstance(value, bool) else value for name, value in case.attributes.items()
        }
        node = node_of(**values)
        answer = plugin.ask(**request_for(node))
        assert answer["status"] == 0, answer["said"]
        assert answer["attrs"] == convert(node, [array.shape for array in case.inputs]), case.name


def test_fields_with_proto3_s_defaults_are_missing_from_the_parser_s_text(plugin: Driver) -> None:
    node = node_of(**POOL, ceil_mode=0, global_pooling=0)
    assert '"i"' not in attribute_text(node)
    assert plugin.ask(**request_for(node))["attrs"]["ceil_mode"] is False


def tensor(*values: float) -> TensorProto:
    return numpy_helper.from_array(np.array(values, np.float32))


def without_inputs(node: NodeProto, names: list[str]) -> NodeProto:
    del node.input[:]
    node.input.extend(names)
    return node


def with_outputs(node: NodeProto, names: list[str]) -> NodeProto:
    del node.output[:]
    node.output.extend(names)
    return node


def referring(node: NodeProto) -> NodeProto:
    node.attribute.append(onnx.AttributeProto(name="pads", type=7, ref_attr_name="outer_pads"))
    return node


REFUSED: dict[str, NodeProto] = {
    "two inputs": without_inputs(node_of(**POOL), ["a", "b"]),
    "four inputs": without_inputs(node_of(**POOL), ["a", "b", "c", "d"]),
    "an empty name": without_inputs(node_of(**POOL), ["a", "", "c"]),
    "two outputs": with_outputs(node_of(**POOL), ["out", "indices"]),
    "no attribute at all": node_of(),
    "no ksize": node_of(strides=[1, 1, 2, 1]),
    "no strides": node_of(ksize=[1, 1, 2, 3]),
    "unknown attribute": node_of(**POOL, dilations=[1, 1]),
    "unknown attribute of a strange type": node_of(**POOL, weights=tensor(1.0)),
    "a reference": referring(node_of(**POOL)),
    "ksize an int": node_of(**{**POOL, "ksize": 2}),
    "ksize a float": node_of(**{**POOL, "ksize": 2.5}),
    "ksize a whole float": node_of(**{**POOL, "ksize": 3.0}),
    "ksize floats": node_of(**{**POOL, "ksize": [1.0, 1.0, 2.5, 3.0]}),
    "ksize a string": node_of(**{**POOL, "ksize": "2x2"}),
    "ksize a tensor": node_of(**{**POOL, "ksize": tensor(1.0, 2.0)}),
    "padding_mode an int": node_of(**POOL, padding_mode=1),
    "padding_mode strings": node_of(**POOL, padding_mode=["SAME", "VALID"]),
    "ceil_mode a string": node_of(**POOL, ceil_mode="true"),
    "ceil_mode a float": node_of(**POOL, ceil_mode=0.5),
    "ceil_mode 2": node_of(**POOL, ceil_mode=2),
    "global_pooling": node_of(**POOL, global_pooling=1),
    "ceil_mode with SAME": node_of(**POOL, padding_mode="SAME", ceil_mode=1),
    "padding_mode unknown": node_of(**POOL, padding_mode="SAME_UPPER"),
    "padding_mode empty": node_of(**POOL, padding_mode=""),
    "padding_mode in another alphabet": node_of(**POOL, padding_mode="СОВПАДАЕТ"),
    "data_format unknown": node_of(**POOL, data_format="NC1HWC0"),
    "ksize of two": node_of(ksize=[2, 3], strides=[1, 1, 2, 1]),
    "ksize on C": node_of(ksize=[1, 2, 2, 3], strides=[1, 1, 2, 1]),
    "ksize in the order of NHWC": node_of(ksize=[1, 2, 3, 1], strides=[1, 1, 2, 1]),
    "ksize too large": node_of(ksize=[1, 1, 256, 3], strides=[1, 1, 2, 1]),
    "ksize too large for 32 bits": node_of(ksize=[1, 1, 2**62 + 1, 3], strides=[1, 1, 2, 1]),
    "stride 0": node_of(ksize=[1, 1, 2, 3], strides=[1, 1, 0, 1]),
    "stride 64": node_of(ksize=[1, 1, 2, 3], strides=[1, 1, 2, 64]),
    "a negative pad": node_of(**POOL, pads=[0, -(2**63), 0, 0]),
    "two pads": node_of(**POOL, pads=[1, 1]),
    "an unnamed node": node_of(name="", strides=[1, 1, 2, 1]),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refusals_are_the_converter_s_word_for_word(plugin: Driver, what: str) -> None:
    node = REFUSED[what]
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        convert(node)
    answer = plugin.ask(**request_for(node))
    assert (answer["status"], answer["reports"]) == (0xFFFFFFFF, 1)
    assert answer["said"] == f"EU1001 {caught.value}"
    assert answer["attrs"] == {}


def test_a_node_without_inputs_or_outputs_has_no_such_field(plugin: Driver) -> None:
    request = request_for(without_inputs(node_of(**POOL), []))
    assert request["input"] is None
    assert "the number of inputs is 0; it must be 3" in plugin.ask(**request)["said"]
    request = request_for(with_outputs(node_of(**POOL), []))
    assert "the number of outputs is 0; it must be 1" in plugin.ask(**request)["said"]


def test_an_empty_list_is_told_from_a_missing_one(plugin: Driver) -> None:
    node = node_of(**POOL)
    node.attribute.append(onnx.AttributeProto(name="pads", type=onnx.AttributeProto.INTS))
    assert '"ints": []' not in attribute_text(node)
    assert "pads is []; it must have 4 values" in plugin.ask(**request_for(node))["said"]


def test_the_last_of_two_attributes_of_one_name_counts(plugin: Driver) -> None:
    node = node_of(**POOL, ceil_mode=1)
    node.attribute.append(helper.make_attribute("ceil_mode", 0))
    assert plugin.ask(**request_for(node))["attrs"]["ceil_mode"] is False


def test_names_that_would_steer_a_terminal_are_escaped(plugin: Driver) -> None:
    answer = plugin.ask(**request_for(node_of(name="a\x1b[2J\nb", strides=[1, 1, 2, 1])))
    assert "a\\x1b[2J\\x0ab" in answer["said"]


TEXTS = {
    "empty": "",
    "no JSON": "ksize=[1,1,2,2]",
    "cut short": attribute_text(node_of(**POOL))[:-9],
    "something behind": attribute_text(node_of(**POOL)) + "]",
    "a list": "[]",
    "another key": '{"attributes": []}',
    "no list": '{"attribute": {"name": "ksize"}}',
    "deep": '{"attribute": ' + "[" * 5000 + "]" * 5000 + "}",
    "a broken escape": '{"attribute": [{"name": "\\x"}]}',
    "half a surrogate": '{"attribute": [{"name": "\\ud83d"}]}',
    "an open string": '{"attribute": [{"name": "ksize}]}',
}


@pytest.mark.parametrize("what", TEXTS)
def test_a_text_of_another_form_is_refused_in_one_sentence(plugin: Driver, what: str) -> None:
    request = request_for(node_of(**POOL)) | {"attribute": TEXTS[what]}
    answer = plugin.ask(**request)
    assert answer["status"] != 0
    assert answer["said"] == (
        "EU1001 MaxPoolV3Grad node 'pool': its attributes come in a form that this plugin does not know; "
        "build the plugin for this release of CANN"
    )


def test_a_damaged_text_never_ends_the_process(plugin: Driver, scale: Callable[[int, int], int]) -> None:
    text = attribute_text(node_of(**POOL, padding_mode="SAME", pads=[1, 2, 3, 4]))
    rng = np.random.default_rng(5)
    for _ in range(scale(300, 20000)):
        characters = list(text)
        for place in rng.integers(0, len(text), rng.integers(1, 4)):
            characters[place] = str(rng.choice(list('{}[]",:\\0129u x')))
        answer = plugin.ask(**(request_for(node_of()) | {"attribute": "".join(characters)}))
        assert answer["status"] == 0 or answer["said"].startswith("EU1001 MaxPoolV3Grad node 'pool': ")


def test_strings_come_back_through_both_escapes(plugin: Driver) -> None:
    value = "quote ' and \" back\\slash\ttab é 漢 \\101"
    answer = plugin.ask(**request_for(node_of(**POOL, padding_mode=value)))
    shown = value.replace("\t", "\\x09")
    assert f"padding_mode is '{shown}'; allowed are" in answer["said"]


def test_the_texts_are_those_of_the_parser() -> None:
    node = node_of(ksize=[1, 1, 2, 2], ceil_mode=0, padding_mode="é", pads=[0, 2**62, 0, 0])
    assert json.loads(attribute_text(node)) == {
        "attribute": [
            {"ints": [1, 1, 2, 2], "name": "ksize", "type": 7},
            {"name": "ceil_mode", "type": 2},
            {"name": "padding_mode", "s": "\\303\\251", "type": 3},
            {"ints": [0, 2**62, 0, 0], "name": "pads", "type": 7},
        ]
    }
