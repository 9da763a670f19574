"""Which format a file has, and its report."""

from __future__ import annotations

import os
from pathlib import Path

from maxpoolgrad_onnx.files import map_file

from .report import Report

_OM_MAGIC = b"IMOD"
# A ModelProto begins with its first field, an int (ir_version), a ModelDef with a string (its name).
_ONNX_START = b"\x08"


def inspect_file(path: str | os.PathLike[str]) -> Report:
    """The report on an .onnx, .air or .om file; the content decides where the suffix does not.

    Raises MaxPoolGradError where the file cannot be read or is of no such format.
    """
    file = os.fspath(path)
    data = map_file(file)
    start = bytes(data[: len(_OM_MAGIC)])
    suffix = Path(file).suffix.lower()
    if start == _OM_MAGIC or suffix == ".om":
        from ..om import OmFile
        from .om_report import report_on_om

        return report_on_om(OmFile.load(file), file, len(data))
    if suffix == ".onnx" or (suffix != ".air" and start.startswith(_ONNX_START)):
        from maxpoolgrad_onnx.model import load_model

        from .onnx_report import report_on_onnx

        return report_on_onnx(load_model(file), file, len(data))
    from ..ge_ir import GeModel
    from .ge_report import report_on_ge

    return report_on_ge(GeModel.load(file), file, "air", len(data))
