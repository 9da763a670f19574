"""Files that the GE loader rejects, and those that it takes although it then drops or misreads a part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from maxpoolgrad_onnx.converters.ge_ir import DataType, Edge, Format, GeModel, ListOf
from maxpoolgrad_onnx.errors import MaxPoolGradError
from support_ge import small_model

Change = Callable[[Any], None]


def node(message: Any, name: str) -> Any:
    return next(op for op in message.graph[0].op if op.name == name)


def set_inputs(name: str, *inputs: str) -> Change:
    def change(message: Any) -> None:
        node(message, name).input[:] = inputs

    return change


def set_desc(field: str, value: object) -> Change:
    return lambda message: setattr(node(message, "conv").input_desc[0], field, value)


def set_desc_attr(name: str, field: str, value: object) -> Change:
    return lambda message: setattr(node(message, "conv").input_desc[0].attr[name], field, value)


def set_val_type(attr: str, value: int) -> Change:
    return lambda message: setattr(node(message, "conv").attr[attr].list, "val_type", value)


def set_data(value: bytes) -> Change:
    return lambda message: setattr(node(message, "filters").attr["value"].t, "data", value)


def no_graph(message: Any) -> None:
    del message.graph[:]


def graph_output(text: str) -> Change:
    def change(message: Any) -> None:
        message.graph[0].output[:] = [text]

    return change


def twice(message: Any) -> None:
    message.graph[0].op.append(node(message, "conv"))


def same_graph(message: Any) -> None:
    message.graph.append(message.graph[0])


def rename_ports(*names: bytes) -> Change:
    def change(message: Any) -> None:
        node(message, "conv").attr["_input_name_key"].list.s[:] = names

    return change


def number_ports(*numbers: int) -> Change:
    def change(message: Any) -> None:
        node(message, "conv").attr["_input_name_value"].list.i[:] = numbers

    return change


def remove_attr(name: str, attr: str) -> Change:
    def change(message: Any) -> None:
        del node(message, name).attr[attr]

    return change


def call_itself(message: Any) -> None:
    node(message, "conv").subgraph_name.append("graph")


REFUSED: list[tuple[str, Change, str]] = [
    ("no graph", no_graph, "it has no graph"),
    ("unknown source", set_inputs("conv", "nobody:0"), "node 'conv': it takes from the node 'nobody'"),
    ("output out of range", set_inputs("conv", "x:1"), "it takes output 1 of 'x'; that node has 1"),
    ("more inputs than descriptions", set_inputs("conv", *["x:0"] * 4), "it has 4 inputs; it describes 3"),
    (
        "graph output of no node",
        graph_output("nobody:0"),
        "graph 'graph': its output 'nobody:0' is no tensor",
    ),
    ("graph output is no tensor", graph_output("conv:-1"), "its output 'conv:-1' is no tensor"),
    ("graph input of no node", lambda m: m.graph[0].input.append("y:0"), "its input 'y:0' is no tensor"),
    ("unknown val_type", set_val_type("strides", 99), "the val_type of its list is 99; it is 1 to 10"),
    ("no val_type", set_val_type("strides", 0), "attribute 'strides': the val_type of its list is 0"),
    ("another val_type", set_val_type("strides", 1), "has the val_type of str but holds int"),
    ("missing colon", set_inputs("conv", "x", "filters:0"), "node 'conv': 'x' is no edge"),
    ("no number after the colon", set_inputs("conv", "x:y"), "'x:y' is no edge"),
    ("another control number", set_inputs("conv", "x:-2"), "'x:-2' is no edge"),
    ("no node before the colon", set_inputs("conv", ":0"), "':0' is no edge"),
    ("control edge from nobody", set_inputs("conv", "x:0", "nobody:-1"), "it waits for the node 'nobody'"),
    ("unknown dtype", set_desc("dtype", 43), "node 'conv', port 'x': dtype is 43"),
    ("unknown layout", set_desc("layout", "NCWH"), "port 'x': its layout is 'NCWH'"),
    ("no layout", set_desc("layout", ""), "its layout is ''"),
    ("layout against its number", set_desc("layout", "NHWC"), "format_for_int is 0 where the layout is NHWC"),
    ("negative format", set_desc_attr("format_for_int", "i", -256), "format_for_int is -256"),
    ("unknown origin format", set_desc_attr("origin_format", "s", b"\xff"), "its layout is"),
    ("unknown origin type", set_desc_attr("origin_data_type", "s", b"float"), "origin_data_type is 'float'"),
    ("size below -1", lambda m: node(m, "conv").input_desc[0].shape.dim.append(-3), "one of its sizes is -3"),
    ("duplicate name", twice, "graph 'graph': two of its nodes are called 'conv'"),
    ("duplicate graph", same_graph, "two of its graphs are called 'graph'"),
    ("empty name", lambda m: setattr(node(m, "out"), "name", ""), "its name or type is empty"),
    ("empty type", lambda m: setattr(node(m, "out"), "type", ""), "its name or type is empty"),
    ("Const without weights", remove_attr("filters", "value"), "node 'filters': it has no weights"),
    ("Const with empty weights", set_data(b""), "it has no data; DT_FLOAT of shape '[4, 3, 3, 3]' takes 432"),
    ("Const with half its weights", set_data(bytes(216)), "its data are 216 bytes"),
    ("cycle", set_inputs("filters", "out:-1"), "waits for a cycle"),
    ("node after itself", set_inputs("conv", "conv:0"), "node 'conv' waits for a cycle"),
    ("names of ports twice", rename_ports(b"x", b"x", b"bias"), "two of its ports have the same name"),
    ("too few names of ports", rename_ports(b"x"), "it names 1 ports but numbers 3"),
    ("port number out of range", number_ports(0, 1, 3), "port 'bias' is number 3; it has 3"),
    (
        "Data index that is none",
        lambda m: setattr(node(m, "x").attr["index"], "s", b"0"),
        "its 'index' is '0'",
    ),
    ("unknown data type", lambda m: setattr(node(m, "conv").attr["t"], "dt", 43), "its data type is 43"),
    (
        "expression",
        lambda m: setattr(node(m, "conv").attr["e"], "expression", b"n+1"),
        "the expression 'n+1'",
    ),
    ("graph that calls itself", call_itself, "graph 'graph': it calls itself"),
    (
        "graph that is not there",
        lambda m: node(m, "conv").subgraph_name.append("f"),
        "it calls the graph 'f'",
    ),
]


@pytest.mark.parametrize(
    ("change", "words"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_refused(change: Change, words: str) -> None:
    message = small_model().to_wire()
    change(message)
    with pytest.raises(MaxPoolGradError) as error:
        GeModel.from_bytes(message.SerializeToString(), "step.air")
    assert str(error.value).startswith("step.air: ")
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.code in {"E10041", "E13009", "E16004"}


@pytest.mark.parametrize("data", [b"text, no protobuf", b"\x0a\xff\xff\xff\xff\x0f", b"\x3a\x05\x0a"])
def test_bytes_that_are_no_model(data: bytes) -> None:
    with pytest.raises(MaxPoolGradError, match="its bytes are no GE IR") as error:
        GeModel.from_bytes(data, "step.air")
    assert error.value.code == "E10041"


def test_what_gees_own_files_hold_is_read() -> None:
    """Untyped lists of port names, unnamed ports, no outputs, no index, nodes out of order, empty bytes."""
    message = small_model().to_wire()
    root = message.graph[0]
    root.op.sort(key=lambda op: op.name)
    del root.output[:]
    del node(message, "x").attr["index"]
    conv = node(message, "conv")
    for attr in ("_input_name_key", "_input_name_value"):
        conv.attr[attr].list.val_type = 0
    conv.attr["_opt_input"].list.s.append(b"bias")
    conv.attr["nothing"].SetInParent()
    for attr in ("_output_name_key", "_output_name_value"):
        del conv.attr[attr]
    found = GeModel.from_bytes(message.SerializeToString())
    nodes = {node.name: node for node in found.graph.nodes}
    assert list(nodes).index("conv") > list(nodes).index("x")
    assert found.graph.outputs == (Edge("conv"),)
    assert nodes["x"].attrs["index"] == 0
    assert list(nodes["conv"].input_descs) == ["x", "filter", "bias"]
    assert list(nodes["conv"].output_descs) == ["__output0"]
    assert nodes["conv"].attrs["_opt_input"] == ListOf("str", ["bias"])
    assert nodes["conv"].attrs["nothing"] == b""


def test_what_net_output_takes_is_what_the_graph_returns() -> None:
    """GE drops an output that is returned twice from the graph's list."""
    message = small_model().to_wire()
    out = node(message, "out")
    out.input.append("conv:0")
    out.input_desc.append(out.input_desc[0])
    out.attr["_input_name_key"].list.s.append(b"again")
    out.attr["_input_name_value"].list.i.append(1)
    found = GeModel.from_bytes(message.SerializeToString())
    assert found.graph.outputs == (Edge("conv"), Edge("conv"))


def test_names_of_ports_are_put_in_their_order() -> None:
    """GE writes them in alphabetical order."""
    message = small_model().to_wire()
    conv = node(message, "conv")
    conv.attr["_input_name_key"].list.s[:] = [b"bias", b"filter", b"x"]
    conv.attr["_input_name_value"].list.i[:] = [2, 1, 0]
    found = GeModel.from_bytes(message.SerializeToString())
    assert list(found.graph.nodes[3].input_descs) == ["x", "filter", "bias"]


def test_a_format_that_ge_has_no_label_for() -> None:
    message = small_model().to_wire()
    desc = node(message, "conv").input_desc[0]
    desc.layout = "RESERVED"
    desc.attr["format_for_int"].i = Format.FRACTAL_ZZ.value
    found = GeModel.from_bytes(message.SerializeToString())
    assert found.graph.nodes[3].input_desc(0).format is Format.FRACTAL_ZZ


def test_a_sub_format_is_kept() -> None:
    message = small_model().to_wire()
    desc = node(message, "conv").input_desc[0]
    desc.layout = "FRACTAL_Z:16"
    desc.attr["format_for_int"].i = 4 | 16 << 8
    found = GeModel.from_bytes(message.SerializeToString())
    conv = found.graph.nodes[3]
    assert (conv.input_desc(0).format, conv.input_desc(0).dtype) == (Format.FRACTAL_Z, DataType.FLOAT)
    assert GeModel.from_bytes(found.to_bytes()) == found
    again = found.to_wire().graph[0].op[3].input_desc[0]
    assert again.attr["format_for_int"].i == 4 | 16 << 8
