"""Which of the three model formats a file has."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, TypeAlias

FileFormat: TypeAlias = Literal["onnx", "air", "om"]

_OM_MAGIC = b"IMOD"
# The first field of a ModelProto is a number (ir_version), that of a ModelDef a text (its name).
_ONNX_START = b"\x08"


def file_format(path: str | os.PathLike[str], start: bytes) -> FileFormat:
    """The format of a file that begins with `start`; its suffix decides where the content does not."""
    suffix = Path(path).suffix.lower()
    if start.startswith(_OM_MAGIC) or suffix == ".om":
        return "om"
    if suffix == ".onnx" or (suffix != ".air" and start.startswith(_ONNX_START)):
        return "onnx"
    return "air"
