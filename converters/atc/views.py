"""Modes 1 and 6: a model as JSON, a model shown."""

from __future__ import annotations

from typing import Any, TextIO

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import map_file, protect_input, write_atomically

from .request import AIR, ONNX, Display, JsonView


def write_json(request: JsonView) -> None:
    """Write the model's protobuf message as JSON, field names as in its schema, bytes in base64.

    The message is a ModelProto for ONNX, else GE's ModelDef as it lies in the file, unchecked. Raises
    MaxPoolGradError for a file that holds neither.
    """
    from google.protobuf import json_format

    protect_input(request.source, request.json)
    text = json_format.MessageToJson(_message(request), preserving_proto_field_name=True, ensure_ascii=False)
    write_atomically(request.json, f"{text}\n".encode("utf-8", "backslashreplace"))


def _message(request: JsonView) -> Any:
    if request.framework == ONNX:
        from maxpoolgrad_onnx.model_files import load_model

        return load_model(request.source)
    from ..ge_ir.model import parse
    from ..om import OmFile, PartitionType

    source = str(request.source)
    if request.framework == AIR or request.source.suffix == ".air":
        return parse(map_file(source), source)
    definition = OmFile.load(source).find(PartitionType.MODEL_DEF)
    if definition is None:
        raise MaxPoolGradError(f"{source}: it has no graph (no MODEL_DEF partition)", code="E10041")
    return parse(definition.data, source)


def display(request: Display, stdout: TextIO) -> None:
    """Print what `inspect` finds in the file."""
    from ..inspect import inspect_file
    from ..tables import print_table

    for table in inspect_file(request.source).tables():
        print_table(table, stdout)
