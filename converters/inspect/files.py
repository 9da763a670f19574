"""From a model file to its report."""

from __future__ import annotations

import os

from ..file_format import ModelFile
from .report import Report


def inspect_file(path: str | os.PathLike[str]) -> Report:
    """The report on an .onnx, .air or .om file; the content decides where the suffix does not.

    Raises MaxPoolGradError where the file cannot be read or is of no such format.
    """
    file = ModelFile.map(path)
    size = len(file.data)
    match file.format:
        case "om":
            from ..om import OmFile
            from .om_report import report_on_om

            return report_on_om(OmFile.from_bytes(file.data, file.path), file.path, size)
        case "onnx":
            from maxpoolgrad_onnx.model_files import load_model

            from .onnx_report import report_on_onnx

            return report_on_onnx(load_model(file.path), file.path, size)
        case "air":
            from ..ge_ir import GeModel
            from .ge_report import report_on_ge

            return report_on_ge(GeModel.from_bytes(file.data, file.path), file.path, "air", size)
