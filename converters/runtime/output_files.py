"""Outputs as files."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.files import write_atomically

OUTPUT_FORMATS = ("NPY", "BIN", "TXT")


def check_format(outfmt: str) -> None:
    """Raise MaxPoolGradError for a format that is none."""
    if outfmt not in OUTPUT_FORMATS:
        raise MaxPoolGradError(
            f"outfmt is {quoted(outfmt)}; allowed are {', '.join(OUTPUT_FORMATS)}", code="E10001"
        )


def write_output(folder: Path, stem: str, array: Array, outfmt: str) -> Path:
    """Write one output: NPY; BIN, the bare elements; TXT, a line for each row of the last axis."""
    path = folder / f"{stem}.{outfmt.lower()}"
    write_atomically(path, _encoded(array, outfmt))
    return path


def _encoded(array: Array, outfmt: str) -> bytes:
    if outfmt == "BIN":
        return array.tobytes()
    buffer = io.BytesIO()
    if outfmt == "NPY":
        np.save(buffer, array, allow_pickle=False)
    else:
        rows = array.reshape(-1, array.shape[-1]) if array.ndim and array.size else array.reshape(-1, 1)
        np.savetxt(buffer, rows, fmt="%.9g" if array.dtype.kind == "f" else "%d")
    return buffer.getvalue()
