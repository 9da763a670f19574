"""A model in GE IR from a file of any of the three formats."""

from __future__ import annotations

import os

from maxpoolgrad_onnx.files import map_file

from .file_format import file_format
from .ge_ir import GeModel


def load(path: str | os.PathLike[str], *, input_format: str = "NCHW") -> GeModel:
    """The model in an .onnx (converted), .air or .om file. Weights of an .om stay views into the mapped file.

    `input_format` is for an .onnx, as onnx_to_ge takes it.
    Raises MaxPoolGradError where the file cannot be read or is no good.
    """
    data = map_file(path)
    match file_format(path, bytes(data[:4])):
        case "om":
            from .om import OmFile, from_om

            return from_om(OmFile.from_bytes(data, os.fspath(path)), os.fspath(path))
        case "onnx":
            from maxpoolgrad_onnx.model_files import load_model

            from .onnx_to_ge import onnx_to_ge

            return onnx_to_ge(load_model(path), input_format=input_format)
        case "air":
            return GeModel.from_bytes(data, os.fspath(path))
