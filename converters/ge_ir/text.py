"""GE's text dumps (ge_proto_*.txt, .pbtxt): a ModelDef in protobuf's text format.

A dump spells enumerations by name and has the fields that a compiler adds, which the wire schema leaves out.
So the schema is completed here, under the same numbers: a dump can be turned into bytes that the rest reads.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

from maxpoolgrad_onnx.errors import MaxPoolGradError, one_line

from ._schema import DESCRIPTOR_SET
from .dtypes import DataType
from .refusal import BAD_FILE

_Field = descriptor_pb2.FieldDescriptorProto
_BOOL, _INT64, _STRING, _ENUM = _Field.TYPE_BOOL, _Field.TYPE_INT64, _Field.TYPE_STRING, _Field.TYPE_ENUM

# Message -> the fields that it lacks: name, number, type, whether there are several.
_FURTHER = {
    "TensorDescriptor": (
        ("has_out_attr", 9, _BOOL, False),
        ("reuse_input", 12, _BOOL, False),
        ("output_tensor", 13, _BOOL, False),
        ("device_type", 14, _STRING, False),
        ("input_tensor", 15, _BOOL, False),
        ("real_dim_cnt", 16, _INT64, False),
        ("reuse_input_index", 17, _INT64, False),
        ("cmps_size", 19, _INT64, False),
        ("cmps_tab", 20, _STRING, False),
        ("cmps_tab_offset", 21, _INT64, False),
    ),
    "OpDef": (
        ("has_out_attr", 20, _BOOL, False),
        ("stream_id", 22, _INT64, False),
        ("input_name", 23, _STRING, True),
        ("src_name", 24, _STRING, True),
        ("src_index", 25, _INT64, True),
        ("dst_name", 26, _STRING, True),
        ("dst_index", 27, _INT64, True),
        ("input_i", 28, _INT64, True),
        ("output_i", 29, _INT64, True),
        ("workspace", 30, _INT64, True),
    ),
}
_LIST_TYPES = (
    *("VT_LIST_NONE", "VT_LIST_STRING", "VT_LIST_INT", "VT_LIST_FLOAT", "VT_LIST_BOOL", "VT_LIST_BYTES"),
    *("VT_LIST_TENSOR_DESC", "VT_LIST_TENSOR", "VT_LIST_GRAPH", "VT_LIST_NAMED_ATTRS", "VT_LIST_DATA_TYPE"),
)


def parse_text(data: bytes, source: str) -> tuple[Any, str | None]:
    """The message that a dump holds, and a sentence where it has fields which are not known and left out.

    Raises MaxPoolGradError where it is no such dump.
    """
    text = _decoded(data, source)
    try:
        return text_format.Parse(text, _model_def()()), None
    except text_format.ParseError as error:
        reason = error
    except RecursionError as error:
        raise _no_dump(source, "it is nested too deeply") from error
    try:
        message = text_format.Parse(text, _model_def()(), allow_unknown_field=True)
    except (text_format.ParseError, RecursionError):
        raise _no_dump(source, str(reason)) from reason
    if not message.graph:
        raise _no_dump(source, str(reason)) from reason
    return message, f"{source}: fields that are not known here are left out, the first: {reason}"


def _decoded(data: bytes, source: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _no_dump(source, "it is no text in UTF-8") from error


def _no_dump(source: str, reason: str) -> MaxPoolGradError:
    return MaxPoolGradError(
        f"{source}: it is no text dump of GE (a ModelDef in protobuf's text format): {one_line(reason)}; "
        "give a ge_proto_*.txt or .pbtxt",
        code=BAD_FILE,
    )


@cache
def _model_def() -> Any:
    """The class of the completed ModelDef, in a pool of its own."""
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(DESCRIPTOR_SET).file:
        if file.package == "ge.proto":
            _complete(file)
        pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("ge.proto.ModelDef"))


def _complete(file: descriptor_pb2.FileDescriptorProto) -> None:
    _add_enum(file, "DataType", [(_enum_name(dtype), dtype.wire) for dtype in DataType])
    _add_enum(file, "ListValueType", [(name, number) for number, name in enumerate(_LIST_TYPES)])
    messages = {message.name: message for message in file.message_type}
    for name, further in _FURTHER.items():
        known = {field.name for field in messages[name].field}
        for field_name, number, kind, is_repeated in further:
            if field_name not in known:
                label = _Field.LABEL_REPEATED if is_repeated else _Field.LABEL_OPTIONAL
                messages[name].field.add(name=field_name, number=number, type=kind, label=label)
    (list_value,) = (m for m in messages["AttrDef"].nested_type if m.name == "ListValue")
    _make_enum(messages["TensorDescriptor"], "dtype", "DataType")
    _make_enum(list_value, "val_type", "ListValueType")


def _enum_name(dtype: DataType) -> str:
    return f"DT_{dtype.name}"


def _add_enum(file: descriptor_pb2.FileDescriptorProto, name: str, values: list[tuple[str, int]]) -> None:
    enum = file.enum_type.add(name=name)
    for label, number in sorted(values, key=lambda value: value[1]):
        enum.value.add(name=label, number=number)


def _make_enum(message: descriptor_pb2.DescriptorProto, field_name: str, enum: str) -> None:
    for field in message.field:
        if field.name == field_name:
            field.type = _ENUM
            field.type_name = f".ge.proto.{enum}"
