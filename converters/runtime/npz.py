"""Arrays by name in an .npz file."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import read_file, write_atomically


def read_npz(path: str | os.PathLike[str]) -> dict[str, Array]:
    """The arrays in an .npz. Raises MaxPoolGradError where it is none."""
    data = io.BytesIO(read_file(path))
    try:
        with np.load(data, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except Exception as error:  # zipfile's, zlib's and NumPy's own have no common base
        raise MaxPoolGradError(
            f"{path}: it is no .npz file of arrays; write it with numpy.savez", code="E13005"
        ) from error


def write_npz(path: str | os.PathLike[str], arrays: Mapping[str, Array]) -> None:
    """Write arrays by name. (numpy.savez cannot write every name: its own arguments' are taken.)"""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.asarray(array), allow_pickle=False)
    write_atomically(path, buffer.getvalue())
