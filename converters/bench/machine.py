"""What the figures were measured on."""

from __future__ import annotations

import importlib
import os
import platform
import re
from pathlib import Path

from maxpoolgrad_onnx import _native

from .names import LIBRARIES


def machine() -> str:
    """Processor, its count, the kernel's target, the load at this moment, and the libraries' versions."""
    versions = [f"{name} {version}" for name in LIBRARIES if (version := _version(name))]
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


def _version(library: str) -> str:
    try:
        return str(importlib.import_module(library).__version__)
    except ImportError:
        return ""
