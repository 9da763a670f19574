"""From a model file to its report."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from maxpoolgrad_onnx.files import map_file

from ..file_format import ModelFile
from .report import Report

_TEXT_SUFFIXES = (".txt", ".pbtxt", ".prototxt")
_BINARY_SUFFIXES = (".onnx", ".air", ".om")
# Protobuf's text form begins with the name of a field, perhaps below comments.
_TEXT_START = re.compile(rb"(?:\s|#.*\n)*[a-z_]+\s*[:{]")
_ONNX_TEXT = re.compile(rb"^\s*op_type\s*:", re.MULTILINE)


def inspect_file(path: str | os.PathLike[str]) -> Report:
    """The report on an .onnx, .air or .om file, or on a text dump of GE; the content decides where the suffix
    does not.

    Raises MaxPoolGradError where the file cannot be read or is of no such format.
    """
    data = map_file(path)
    if _is_text(Path(path).suffix.lower(), bytes(data[:1000])):
        return _report_on_text(bytes(data), os.fspath(path))
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


def _is_text(suffix: str, start: bytes) -> bool:
    if suffix in _TEXT_SUFFIXES:
        return True
    return suffix not in _BINARY_SUFFIXES and b"\0" not in start and _TEXT_START.match(start) is not None


def _report_on_text(data: bytes, path: str) -> Report:
    from .ge_dump import from_onnx_text, from_text, is_ge_dump, parse_onnx_text
    from .ge_report import report_on_ge

    if not _ONNX_TEXT.search(data):
        model, oddities = from_text(data, path)
        report = report_on_ge(model, path, "GE text", len(data))
        return replace(report, oddities=oddities)
    onnx_model = parse_onnx_text(data, path)
    if is_ge_dump(onnx_model):
        return report_on_ge(from_onnx_text(onnx_model), path, "GE text, in ONNX's form", len(data))
    from .onnx_report import report_on_onnx

    return replace(report_on_onnx(onnx_model, path, len(data)), format="ONNX text")
