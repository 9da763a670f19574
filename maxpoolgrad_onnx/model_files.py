"""ONNX model files, read and written with one-line errors."""

from __future__ import annotations

import os

import onnx
from google.protobuf.message import DecodeError, Message

from .errors import MaxPoolGradError
from .external_data import load_external_data
from .files import read_file, write_atomically
from .function_calls import check_calls

ModelOrPath = onnx.ModelProto | str | os.PathLike[str]

_PROTOBUF_LIMIT = 2**31 - 1


def as_model(model: ModelOrPath) -> onnx.ModelProto:
    """A model given as itself or by its path. Raises MaxPoolGradError as load_model does."""
    return model if isinstance(model, onnx.ModelProto) else load_model(model)


def load_model(path: str | os.PathLike[str]) -> onnx.ModelProto:
    """The ONNX model in a file, with external data read into it.

    Raises MaxPoolGradError where the file is missing, empty, unreadable, cut short or no ONNX model, and
    where external data is missing or lies outside the model's folder.
    """
    model = parse_model(read_file(path), os.fspath(path))
    load_external_data(model, path)
    return model


def parse_model(data: bytes, name: str) -> onnx.ModelProto:
    """The ONNX model in these bytes; `name` is what an error calls them. External data stays outside."""
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError as error:
        raise _no_model(name) from error
    # A file that is cut after the graph, or is of another kind, can still parse.
    if not model.HasField("graph") or not model.opset_import:
        raise _no_model(name)
    if not _is_utf8(model):
        raise MaxPoolGradError(f"{name}: a name or text in it is not UTF-8; write it again", code="E10041")
    check_calls(model, name)
    return model


def save_model(model: onnx.ModelProto, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, whole or not at all.

    Raises MaxPoolGradError where the file cannot be written or the model is larger than protobuf's 2 GiB.
    """
    size = model.ByteSize()
    if size > _PROTOBUF_LIMIT:
        raise MaxPoolGradError(
            f"{path}: the model has {size} bytes; protobuf, so an ONNX file, allows 2 GiB at most"
        )
    write_atomically(path, model.SerializeToString())


def _is_utf8(message: Message) -> bool:
    """Whether every text in a message is: protobuf lets others pass, and gives them as bytes."""
    for field, value in message.ListFields():
        if field.type == field.TYPE_STRING:
            texts = [value] if isinstance(value, str | bytes) else value
            if any(isinstance(text, bytes) for text in texts):
                return False
        elif field.type == field.TYPE_MESSAGE:
            inner = [value] if isinstance(value, Message) else value
            if not all(map(_is_utf8, inner)):
                return False
    return True


def _no_model(name: str) -> MaxPoolGradError:
    return MaxPoolGradError(
        f"{name}: this is no ONNX model, or only a part of one; give an .onnx file, or export it again",
        code="E10041",
    )
