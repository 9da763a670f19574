"""The bytes of an .air, put together here by protobuf's rules from field numbers written out by hand."""

from __future__ import annotations

import numpy as np

from maxpoolgrad_onnx.converters.ge_ir import (
    DataType,
    Edge,
    Format,
    GeModel,
    Graph,
    ListOf,
    NamedAttrs,
    Node,
    Tensor,
    TensorDesc,
)
from support_protobuf import block, number, varint


def attr(field: int, name: str, value: bytes) -> bytes:
    """An entry of a map<string, AttrDef>."""
    return block(field, block(1, name) + block(2, value))


def ints(*values: int) -> bytes:
    """An AttrDef that is a list of int: list 1, i 3 (packed), val_type 20."""
    packed = block(3, b"".join(map(varint, values))) if values else b""
    return block(1, packed + number(20, 2))


def texts(*values: str) -> bytes:
    return block(1, b"".join(block(2, value) for value in values) + number(20, 1))


def text(value: str) -> bytes:
    return block(2, value)


def integer(value: int) -> bytes:
    return number(3, value)


def desc(wire: int, label: str, shape: tuple[int, ...], layout: str, format: int, name: str = "") -> bytes:
    packed = block(1, b"".join(map(varint, shape))) if shape else b""
    return (
        (block(1, name) if name else b"")
        + number(2, wire)
        + block(3, packed)
        + block(4, layout)
        + attr(5, "format_for_int", integer(format))
        + attr(5, "origin_data_type", text(label))
        + attr(5, "origin_format", text(layout))
        + attr(5, "origin_format_for_int", integer(format))
        + attr(5, "origin_shape", ints(*shape))
        + attr(5, "origin_shape_initialized", number(5, 1))
    )


# Which fields hold messages, and of which kind; all others are numbers, texts or packed lists.
FIELDS = {
    "model": {7: "graph", 11: "entry"},
    "graph": {6: "op", 11: "entry"},
    "op": {10: "entry", 33: "desc", 34: "desc"},
    "desc": {3: "shape", 5: "entry"},
    "shape": {},
    "tensor": {1: "desc"},
    "entry": {2: "attr"},
    "attr": {1: "list", 10: "named", 11: "desc", 12: "tensor", 13: "graph", 14: "rows", 16: "rows"},
    "list": {8: "desc", 9: "tensor", 10: "graph", 11: "named"},
    "named": {2: "entry"},
    "rows": {1: "row"},
    "row": {},
}


def tree(data: bytes, kind: str) -> list[tuple[int, int, object]]:
    """The fields of a message, sorted: protobuf may write the entries of a map in any order."""
    found: list[tuple[int, int, object]] = []
    position = 0

    def take_varint() -> int:
        nonlocal position
        value = shift = 0
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while position < len(data):
        key = take_varint()
        field, wire = key >> 3, key & 7
        if wire == 0:
            found.append((field, wire, take_varint()))
            continue
        size = take_varint() if wire == 2 else 4
        content = data[position : position + size]
        position += size
        inner = FIELDS[kind].get(field)
        found.append((field, wire, tree(content, inner) if inner else content))
    return sorted(found, key=repr)


def test_every_field_has_its_number() -> None:
    image = TensorDesc(DataType.FLOAT, (-1, 3), Format.NCHW, name="image")
    scalar = TensorDesc(DataType.BF16, ())
    ones = Tensor(TensorDesc(DataType.INT8, (2,)), np.array([1, -1], np.int8))
    attrs = {
        "a": "text",
        "b": True,
        "c": -1,
        "d": 0.5,
        "e": b"\x00",
        "f": DataType.FLOAT16,
        "g": NamedAttrs("n", {"x": 1}),
        "h": scalar,
        "i": ListOf("ints", [(1, 2), ()]),
        "j": ListOf("floats", [(1.0,)]),
        "k": ListOf("float", [1.0, -2.0]),
        "l": ListOf("bool", [True, False]),
        "m": ListOf("bytes", [b"z"]),
        "n": ListOf("desc", [scalar]),
        "o": ListOf("tensor", [ones]),
        "p": ListOf("graph", [Graph("q")]),
        "q": ListOf("named", [NamedAttrs("r")]),
        "r": ListOf("dtype", [DataType.UNDEFINED]),
        "s": ListOf("str"),
        "t": Graph("u"),
    }
    nodes = [
        Node("one", "Data", [], {"x": image}, {"y": image}, {"index": 0}),
        Node("two", "Const", [], {}, {"y": ones.desc}, {"value": ones}),
        Node(
            "op",
            "Op",
            [Edge("one"), None],
            {"x": image, "z": scalar},
            {"y": scalar},
            attrs,
            ["two"],
            ["called"],
        ),
    ]
    called = Graph("called", attrs={"why": "a test"})
    model = GeModel("m", Graph("root", nodes, [Edge("op")]), {"soc": "none"}, [called], 2, "c")

    image_bytes = desc(1, "DT_FLOAT", (-1, 3), "NCHW", 0, "image")
    scalar_bytes = desc(27, "DT_BFLOAT16", (), "ND", 2)
    ones_desc = desc(3, "DT_INT8", (2,), "ND", 2)
    ones_bytes = block(1, ones_desc) + block(2, b"\x01\xff")
    one_float, minus_two = b"\x00\x00\x80\x3f", b"\x00\x00\x00\xc0"
    op_attrs = {
        "_input_name_key": texts("x", "z"),
        "_input_name_value": ints(0, 1),
        "_output_name_key": texts("y"),
        "_output_name_value": ints(0),
        "a": text("text"),
        "b": number(5, 1),
        "c": integer(-1),
        "d": varint(4 << 3 | 5) + b"\x00\x00\x00\x3f",
        "e": block(7, b"\x00"),
        "f": number(15, 1),
        "g": block(10, block(1, "n") + attr(2, "x", integer(1))),
        "h": block(11, scalar_bytes),
        "i": block(14, block(1, block(1, b"\x01\x02")) + block(1, b"")),
        "j": block(16, block(1, block(1, one_float))),
        "k": block(1, block(4, one_float + minus_two) + number(20, 3)),
        "l": block(1, block(5, b"\x01\x00") + number(20, 4)),
        "m": block(1, block(7, b"z") + number(20, 5)),
        "n": block(1, block(8, scalar_bytes) + number(20, 6)),
        "o": block(1, block(9, ones_bytes) + number(20, 7)),
        "p": block(1, block(10, block(1, "q")) + number(20, 8)),
        "q": block(1, block(11, block(1, "r")) + number(20, 9)),
        "r": block(1, block(12, varint(28)) + number(20, 10)),
        "s": block(1, number(20, 1)),
        "t": block(13, block(1, "u")),
    }
    one = (
        block(1, "one")
        + block(2, "Data")
        + block(5, "")
        + attr(10, "_input_name_key", texts("x"))
        + attr(10, "_input_name_value", ints(0))
        + attr(10, "_output_name_key", texts("y"))
        + attr(10, "_output_name_value", ints(0))
        + attr(10, "index", integer(0))
        + block(33, image_bytes)
        + block(34, image_bytes)
    )
    two = (
        block(1, "two")
        + block(2, "Const")
        + attr(10, "_output_name_key", texts("y"))
        + attr(10, "_output_name_value", ints(0))
        + attr(10, "value", block(12, ones_bytes))
        + number(21, 1)
        + block(34, ones_desc)
    )
    op = (
        block(1, "op")
        + block(2, "Op")
        + block(5, "one:0")
        + block(5, "")
        + block(5, "two:-1")
        + b"".join(attr(10, name, value) for name, value in op_attrs.items())
        + number(21, 2)
        + block(33, image_bytes)
        + block(33, scalar_bytes)
        + block(34, scalar_bytes)
        + block(35, "called")
    )
    root = (
        block(1, "root") + block(4, "one:0") + block(5, "op:0") + block(6, one) + block(6, two) + block(6, op)
    )
    expected = (
        block(1, "m")
        + number(2, 2)
        + block(3, "c")
        + block(7, root)
        + block(7, block(1, "called") + attr(11, "why", text("a test")))
        + attr(11, "soc", text("none"))
    )
    assert GeModel.from_bytes(expected) == model
    assert tree(model.to_bytes(), "model") == tree(expected, "model")
