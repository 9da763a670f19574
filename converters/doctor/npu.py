"""The NPU of this machine, by its driver's npu-smi."""

from __future__ import annotations

import re
import shutil
import subprocess

from maxpoolgrad_onnx.contract import check_soc_version
from maxpoolgrad_onnx.errors import MaxPoolGradError

from .finding import Finding

_COST = "no .om runs on an NPU here; what --soc_version takes is not known"
_CURE = "work on the server with the NPU, or install the NPU's driver"
_SECONDS = 20

# A row of `npu-smi info`: "| 0     910B1      | OK     | ..."
_ROW = re.compile(r"^\|\s*(\d+)\s+([A-Za-z0-9_]*\d[A-Za-z0-9_-]*)\s*\|\s*[A-Z]\w*\s*\|", re.MULTILINE)
_FIELD = r"^\s*{}\s*:\s*(\S+)\s*$"


def npu() -> Finding:
    """The first NPU's processor, as --soc_version takes it, and whether the operator is for it."""
    tool = shutil.which("npu-smi")
    if tool is None:
        return Finding("NPU", "absent", "npu-smi not found", _COST, _CURE)
    listed = _said(tool, "info")
    row = _ROW.search(listed or "")
    if row is None:
        return Finding(
            "NPU", "absent", f"`{tool} info` lists none", _COST, "run `npu-smi info` for the reason"
        )
    soc_version = _soc_version(tool, *row.groups())
    try:
        check_soc_version(soc_version)
    except MaxPoolGradError as error:
        return Finding("NPU", "absent", soc_version, str(error), "work on a machine with such a product")
    return Finding("NPU", "ok", f"{soc_version} (for --soc_version)")


def _soc_version(tool: str, number: str, name: str) -> str:
    """A2's name is enough; others need the second half that the board's description has, as in
    Ascend910_9391."""
    full = name if name.startswith("Ascend") else f"Ascend{name}"
    board = _said(tool, "info", "-t", "board", "-i", number, "-c", "0") or ""
    variant = re.search(_FIELD.format("NPU Name"), board, re.MULTILINE)
    return f"{full}_{variant.group(1)}" if variant and variant.group(1) not in ("NA", name) else full


def _said(*command: str) -> str | None:
    """What a command prints; None where it fails."""
    try:
        done = subprocess.run(
            command,
            check=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="backslashreplace",
            timeout=_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
