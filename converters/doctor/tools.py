"""Python and the C++ compiler."""

from __future__ import annotations

import os
import platform
import shutil
import sys

from .finding import Finding

_OLDEST_PYTHON = (3, 11)
_COMPILERS = ("c++", "g++", "clang++")


def python() -> Finding:
    """The interpreter, and whether it is new enough."""
    found = f"{platform.python_version()}, {platform.machine()} {platform.system()}"
    if sys.version_info[:2] >= _OLDEST_PYTHON:
        return Finding("Python", "ok", found)
    oldest = ".".join(map(str, _OLDEST_PYTHON))
    return Finding("Python", "broken", found, "the package needs a newer one", f"install Python {oldest}")


def compiler() -> Finding:
    """A C++17 compiler: the one that CXX names, else a usual one on PATH."""
    names = (os.environ["CXX"],) if os.environ.get("CXX") else _COMPILERS
    for name in names:
        path = shutil.which(name)
        if path:
            return Finding("C++ compiler", "ok", path)
    return Finding(
        "C++ compiler",
        "absent",
        f"none of {', '.join(names)}",
        "the package cannot be built from its sources; what is installed works",
        "apt-get install g++",
    )
