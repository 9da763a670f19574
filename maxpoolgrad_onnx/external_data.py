"""Tensors whose bytes lie in files beside the model, inside its own folder only."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import MaxPoolGradError, quoted
from .files import map_file
from .nodes import all_tensors

if TYPE_CHECKING:
    from onnx import ModelProto, TensorProto

_NUMBER = re.compile("[0-9]{1,19}")  # what 64 bits hold


def load_external_data(model: ModelProto, path: str | os.PathLike[str]) -> None:
    """Put the bytes of all external tensors into the model, which was read from `path`.

    Raises MaxPoolGradError where a location leads outside the model's folder (by "..", an absolute path or a
    link), or the file cannot be read or is too short.
    """
    from onnx import TensorProto

    for tensor in all_tensors(model):
        if tensor.data_location == TensorProto.EXTERNAL:
            tensor.raw_data = bytes(external_bytes(tensor, path))
            tensor.data_location = tensor.DEFAULT
            del tensor.external_data[:]


def external_bytes(tensor: TensorProto, path: str | os.PathLike[str]) -> memoryview:
    """The bytes of an external tensor of the model that was read from `path`, mapped.

    Raises MaxPoolGradError as load_external_data does.
    """
    model = Path(path)
    entries = {entry.key: entry.value for entry in tensor.external_data}
    subject = f"{model}: the external data of tensor {quoted(tensor.name)}"
    location = entries.get("location", "")
    file = _inside(model.parent, location)
    if file is None:
        raise MaxPoolGradError(
            f"{subject} has the location {quoted(location)}; it must be a file in the model's own folder",
            code="E13026",
        )
    try:
        data = map_file(file)
    except MaxPoolGradError as error:
        raise MaxPoolGradError(f"{subject} is needed too: {error}", code=error.code) from error
    offset = _number(entries.get("offset"), 0)
    length = _number(entries.get("length"), len(data) - offset)
    if offset < 0 or length < 0 or offset + length > len(data):
        where = ", ".join(f"{key} {entries[key]}" for key in ("offset", "length") if key in entries)
        raise MaxPoolGradError(
            f"{subject} is at {where}, but {location} has {len(data)} bytes; copy that file again",
            code="E13005",
        )
    return data[offset : offset + length]


def _inside(folder: Path, location: str) -> Path | None:
    """The file of that name in the folder; None where the name, or a link, leads out of it or to no file."""
    if not location or "\0" in location:
        return None
    root = folder.resolve()
    file = (root / location).resolve()
    if not file.is_relative_to(root) or (file.exists() and not file.is_file()):
        return None  # outside, or a pipe, a device or a folder
    return file


def _number(text: str | None, default: int) -> int:
    """The int that the text says; -1, which is never right, where it says none."""
    if text is None:
        return default
    return int(text) if _NUMBER.fullmatch(text) else -1
