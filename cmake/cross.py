"""Compiles the C++ for another platform with zig (PyPI: ziglang), every warning an error.

    python cmake/cross.py aarch64-linux-gnu

It proves that the kernel and the custom-op library build there; it makes no wheel. At its first time for a
platform, zig builds that platform's C++ library too, which takes a minute or two. Everything lands in
build/cross, where a later run starts from.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# zig's name of a platform, and CMake's of its system and processor.
TARGETS = {
    "aarch64-linux-gnu": ("Linux", "aarch64"),
    "x86_64-linux-gnu": ("Linux", "x86_64"),
    "aarch64-macos": ("Darwin", "arm64"),
}


def main() -> None:
    """Configure and build the target that the command line names."""
    parser = argparse.ArgumentParser(description="Compile the C++ for another platform, with zig.")
    parser.add_argument("target", choices=TARGETS)
    target = parser.parse_args().target
    folder = ROOT / "build" / "cross" / target
    folder.mkdir(parents=True, exist_ok=True)
    compiler, archiver, ranlib = (_tool(folder, name, words) for name, words in _tools(target).items())
    system, processor = TARGETS[target]
    options = {
        "CMAKE_SYSTEM_NAME": system,
        "CMAKE_SYSTEM_PROCESSOR": processor,
        "CMAKE_OSX_SYSROOT": "",  # zig brings its own headers and libraries
        "CMAKE_CXX_COMPILER": compiler,
        "CMAKE_AR": archiver,
        "CMAKE_RANLIB": ranlib,
        "MAXPOOLGRAD_PYTHON": "OFF",
        "MAXPOOLGRAD_WERROR": "ON",
    }
    definitions = [f"-D{name}={value}" for name, value in options.items()]
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    _run(["cmake", "-S", str(ROOT), "-B", str(folder), *generator, *definitions])
    _run(["cmake", "--build", str(folder), "--parallel", str(os.cpu_count())])


def _tools(target: str) -> dict[str, list[str]]:
    zig = [sys.executable, "-m", "ziglang"]
    return {"c++": [*zig, "c++", "-target", target], "ar": [*zig, "ar"], "ranlib": [*zig, "ranlib"]}


def _tool(folder: Path, name: str, words: list[str]) -> Path:
    """A command of one word, as CMake wants its tools."""
    script = folder / f"zig-{name}"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return script


def _run(command: list[str]) -> None:
    if code := subprocess.run(command, check=False).returncode:
        sys.exit(code)


if __name__ == "__main__":
    main()
