"""The kernels that a file binds."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..file_format import ModelFile
from ..ge_ir import KernelLaunch
from ..om import OmFile, launches_of


def bound_launches(path: str | os.PathLike[str]) -> Mapping[str, KernelLaunch]:
    """The launches in an .om, by node; none in the other formats, which bind nothing.

    Raises MaxPoolGradError where the file cannot be read or is damaged.
    """
    file = ModelFile.map(path)
    if file.format != "om":
        return {}
    return launches_of(OmFile.from_bytes(file.data, file.path), file.path)
