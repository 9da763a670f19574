"""A model in GE IR from a file of any of the three formats."""

from __future__ import annotations

import os
from collections.abc import Callable

from .file_format import ModelFile
from .ge_ir import GeModel


def load(
    path: str | os.PathLike[str],
    *,
    input_format: str = "NCHW",
    notify: Callable[[str], None] | None = None,
) -> GeModel:
    """The model in an .onnx (converted), .air or .om file. Weights of an .om stay views into the mapped file.

    `input_format` and `notify` are for an .onnx, as onnx_to_ge takes them.
    Raises MaxPoolGradError where the file cannot be read or is no good.
    """
    file = ModelFile.map(path)
    match file.format:
        case "om":
            from .om import OmFile, from_om

            return from_om(OmFile.from_bytes(file.data, file.path), file.path)
        case "onnx":
            from .onnx_to_ge import onnx_to_ge

            return onnx_to_ge(file.path, input_format=input_format, notify=notify)
        case "air":
            return GeModel.from_bytes(file.data, file.path)
