"""The operator's CANN project as this package carries it: what ascend_kernel/build.sh needs, no more."""

from __future__ import annotations

import shutil
from pathlib import Path

from maxpoolgrad_onnx import _native
from maxpoolgrad_onnx.errors import MaxPoolGradError

PROJECT = Path(_native.__file__).with_name("operator_project")
"""Laid out like the repository, of which it is a part."""


def copy_project(folder: Path) -> Path:
    """Copy the project into a folder, where it can be built. Returns its build.sh.

    Raises MaxPoolGradError where the package was installed without it.
    """
    if not (PROJECT / "ascend_kernel" / "build.sh").is_file():
        raise MaxPoolGradError(f"{PROJECT}: the operator's project is missing; install maxpoolgrad again")
    copy = Path(shutil.copytree(PROJECT, folder / "project"))
    for script in copy.rglob("*.sh"):  # not every installer keeps a file's mode
        script.chmod(0o755)
    return copy / "ascend_kernel" / "build.sh"
