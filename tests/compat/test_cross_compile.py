"""The C++ compiles without a warning for the other platforms; `python cmake/cross.py` links it too."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support_compat import ROOT

SOURCES = [
    path
    for folder in ("cpu", "ort")
    for path in sorted((ROOT / "custom_op_lib" / folder).glob("*.cc"))
    if path.name != "abi_check.cc"  # needs ONNX Runtime's own header
]
FLAGS = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-ffp-contract=off"]


def compile_for(target: str, source: Path, folder: Path) -> str:
    """What the compiler says; an empty string where it has nothing to say."""
    zig = [sys.executable, "-m", "ziglang", "c++", "-target", target]
    files = [
        "-I",
        str(ROOT / "custom_op_lib" / "include"),
        "-c",
        str(source),
        "-o",
        f"{folder}/{source.stem}.o",
    ]
    done = subprocess.run([*zig, *FLAGS, *files], check=False, capture_output=True, text=True)
    return done.stderr or ("" if done.returncode == 0 else f"exit {done.returncode}")


@pytest.mark.parametrize("target", ["aarch64-linux-gnu", "aarch64-macos"])
def test_sources_compile_without_a_warning(target: str, tmp_path: Path) -> None:
    assert {"scalar.cc", "register.cc"} <= {path.name for path in SOURCES}
    with ThreadPoolExecutor(2) as pool:
        said = dict(
            zip(SOURCES, pool.map(lambda path: compile_for(target, path, tmp_path), SOURCES), strict=True)
        )
    assert {path.name: words for path, words in said.items() if words} == {}
