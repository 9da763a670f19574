"""An .om whose attributes atc has compressed: the compressor here is the test's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from maxpoolgrad_onnx.converters.ge_ir import ListOf
from maxpoolgrad_onnx.converters.ge_ir.wire import ModelDef
from maxpoolgrad_onnx.converters.om import OmFile, Partition, PartitionType, from_om, to_om
from maxpoolgrad_onnx.errors import MaxPoolGradError
from support_ge import small_model

NEVER = ("_input_name_key", "_input_name_value", "_output_name_key", "_output_name_value")


def digits(index: int) -> str:
    text = ""
    while True:
        text += chr(index % 127 + 1)
        index //= 127
        if not index:
            return "\0" + text


def compress(message: Any, fill: int) -> None:
    """Move names, and values that are strings, to the tables, which begin with `fill` unused entries."""
    names = [f"unused{i}" for i in range(fill)]
    values = [f"unused{i}" for i in range(fill)]
    flags = [False] * fill
    for op in message.graph[0].op:
        for attrs in (op.attr, *(desc.attr for desc in (*op.input_desc, *op.output_desc))):
            for key in [key for key in attrs if key not in NEVER]:
                attr = attrs[key]
                is_string = attr.WhichOneof("value") == "s" or bool(attr.list.s)
                if (key, is_string) not in list(zip(names, flags, strict=True)):
                    names.append(key)
                    flags.append(is_string)
                number = list(zip(names, flags, strict=True)).index((key, is_string))
                moved = attrs[digits(number)]
                moved.CopyFrom(attr)
                if is_string:
                    strings = list(attr.list.s) or [attr.s]
                    values.extend(text.decode() for text in strings if text.decode() not in values)
                    indices = [values.index(text.decode()) for text in strings]
                    if attr.list.s:
                        moved.list.Clear()
                        moved.list.i.extend(indices)
                        moved.list.val_type = 2
                    else:
                        moved.i = indices[0]
                del attrs[key]
    message.attr["om_compress_version"].i = 1
    for key, field, entries in (
        ("attr_name_enum", "s", [name.encode() for name in names]),
        ("attr_value_enum", "s", [value.encode() for value in values]),
        ("attrs_use_string_value", "b", flags),
    ):
        getattr(message.attr[key].list, field).extend(entries)
        message.attr[key].list.val_type = 1 if field == "s" else 4


def rewritten(om: OmFile, change: Any) -> OmFile:
    parts = []
    for part in om.partitions:
        if part.type == PartitionType.MODEL_DEF:
            message = ModelDef.FromString(bytes(part.data))
            change(message)
            part = Partition(part.type, (message.SerializeToString(),))  # noqa: PLW2901
        parts.append(part)
    return replace(om, models=[parts])


def model_with_strings() -> Any:
    model = small_model()
    nodes = list(model.graph.nodes)
    attrs = {**nodes[3].attrs, "words": ListOf("str", ["a", "b", "a"]), "auto_pad": "NOTSET"}
    nodes[3] = replace(nodes[3], attrs=attrs)
    return replace(model, graph=replace(model.graph, nodes=nodes))


@pytest.mark.parametrize("fill", [0, 126, 200, 127 * 127 + 5])
def test_compressed_attributes_read_as_if_they_were_not(fill: int) -> None:
    plain = to_om(model_with_strings())
    assert from_om(rewritten(plain, lambda message: compress(message, fill))) == from_om(plain)


def test_a_plain_attribute_beside_its_compressed_one_is_kept() -> None:
    def change(message: Any) -> None:
        kept = message.graph[0].op[3].input_desc[0].attr["origin_format"]
        value = type(kept)()
        value.CopyFrom(kept)
        compress(message, 0)
        message.graph[0].op[3].input_desc[0].attr["origin_format"].CopyFrom(value)

    plain = to_om(model_with_strings())
    assert from_om(rewritten(plain, change)) == from_om(plain)


def break_name(message: Any) -> None:
    message.graph[0].op[3].attr["\0\x70\x70"].i = 0


def break_value(message: Any) -> None:
    at = list(message.attr["attr_name_enum"].list.s).index(b"auto_pad")
    message.graph[0].op[3].attr[digits(at)].i = 999


def break_tables(message: Any) -> None:
    message.attr["attrs_use_string_value"].list.b.append(True)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (break_name, "of attr_name_enum; it has"),
        (break_value, "an attribute is number '999' of attr_value_enum; it has"),
        (break_tables, "attr_name_enum has .* entries, attrs_use_string_value"),
    ],
)
def test_indices_that_lead_nowhere_are_refused(damage: Any, sentence: str) -> None:
    def change(message: Any) -> None:
        compress(message, 0)
        damage(message)

    with pytest.raises(MaxPoolGradError, match=sentence):
        from_om(rewritten(to_om(model_with_strings()), change), "x.om")
