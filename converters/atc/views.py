"""Modes 1, 5 and 6: a model as JSON, a model shown."""

from __future__ import annotations

from typing import Any, TextIO

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import make_folder, protect_input, read_file, write_atomically

from .request import ONNX, Display, JsonView


def write_json(request: JsonView) -> tuple[str, ...]:
    """Write the model's protobuf message as JSON, field names as in its schema, bytes in base64.

    The message is a ModelProto for ONNX, else GE's ModelDef as it lies in the file, unchecked. Gives what to
    tell of it. Raises MaxPoolGradError for a file that holds neither.
    """
    from google.protobuf import json_format

    protect_input(request.source, request.json)
    message, notice = _message(request)
    text = json_format.MessageToJson(message, preserving_proto_field_name=True, ensure_ascii=False)
    make_folder(request.json.parent)  # as atc does
    write_atomically(request.json, f"{text}\n".encode("utf-8", "backslashreplace"))
    return () if notice is None else (notice,)


def _message(request: JsonView) -> tuple[Any, str | None]:
    if request.is_text:
        from ..ge_ir.text import parse_text

        return parse_text(read_file(request.source), str(request.source))
    if request.framework == ONNX:
        return _onnx(request), None
    return _model_def(request), None


def _onnx(request: JsonView) -> Any:
    from maxpoolgrad_onnx.model_files import load_model
    from maxpoolgrad_onnx.shapes import infer_shapes

    model = load_model(request.source)
    return infer_shapes(model) if request.with_shapes else model


def _model_def(request: JsonView) -> Any:
    from ..file_format import ModelFile
    from ..ge_ir.model import parse
    from ..om import OmFile, PartitionType

    source = str(request.source)
    file = ModelFile.map(source)
    if file.format == "onnx":
        sentence = f"{source}: it is an ONNX model, and --framework is not {ONNX}; add --framework={ONNX}"
        raise MaxPoolGradError(sentence, code="E10041")
    if file.format == "air":
        return parse(file.data, source)
    definition = OmFile.from_bytes(file.data, source).find(PartitionType.MODEL_DEF)
    if definition is None:
        raise MaxPoolGradError(f"{source}: it has no graph (no MODEL_DEF partition)", code="E10041")
    return parse(definition.data, source)


def display(request: Display, stdout: TextIO) -> None:
    """Print what `inspect` finds in the file."""
    from ..inspect import inspect_file, report_tables
    from ..tables import print_table

    for table in report_tables(inspect_file(request.source)):
        print_table(table, stdout)
