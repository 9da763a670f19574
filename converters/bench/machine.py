"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
import re
import sys
from pathlib import Path

from maxpoolgrad_onnx import _native

from .names import LIBRARIES


def machine() -> str:
    """Processor, its count, the kernel's target, the load at this moment, the used libraries' versions."""
    versions = [f"{name} {sys.modules[name].__version__}" for name in LIBRARIES if name in sys.modules]
    words = [
        f"{_processor()}, {os.cpu_count()} processors",
        f"target {_native.cpu_target()}",
        f"load {os.getloadavg()[0]:.1f}",
        *versions,
    ]
    return "; ".join(words)


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    names = re.findall(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return str(names[0]) if names else platform.processor() or platform.machine()
