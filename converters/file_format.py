"""A model file, and which of the three formats it has."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self, TypeAlias

from maxpoolgrad_onnx.files import map_file

FileFormat: TypeAlias = Literal["onnx", "air", "om"]

_OM_MAGIC = b"IMOD"
# The first field of a ModelProto is a number (ir_version), that of a ModelDef a text (its name).
_ONNX_START = b"\x08"


@dataclass(frozen=True)
class ModelFile:
    """A model file's path, format and bytes, which are mapped: read as they are used."""

    path: str
    format: FileFormat
    data: memoryview

    @classmethod
    def map(cls, path: str | os.PathLike[str]) -> Self:
        """Map a file. Raises MaxPoolGradError (E13001) where it cannot be read or is empty."""
        data = map_file(path)
        return cls(os.fspath(path), _format_of(Path(path).suffix.lower(), bytes(data[:4])), data)


def _format_of(suffix: str, start: bytes) -> FileFormat:
    """The format of a file that begins with `start`; its suffix decides where the content does not."""
    if start.startswith(_OM_MAGIC) or suffix == ".om":
        return "om"
    if suffix == ".onnx" or (suffix != ".air" and start.startswith(_ONNX_START)):
        return "onnx"
    return "air"
