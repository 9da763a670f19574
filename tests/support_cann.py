"""Compiles what is written for CANN against the stand-ins in cann_stub, and talks to it line by line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PLUGIN = ROOT / "converters" / "atc_plugin"
OP_HOST = ROOT / "ascend_kernel" / "op_host"
OP_GRAPH = ROOT / "ascend_kernel" / "op_graph"
STUB = ROOT / "tests" / "cann_stub"

FLAGS = ["-std=c++17", "-O0", "-fPIC", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
HIDDEN = "-fvisibility=hidden"  # as CANN builds plugins
INCLUDES = [
    ROOT / "custom_op_lib" / "include",
    ROOT / "ascend_kernel",
    STUB / "include",
    STUB,
    PLUGIN,
    OP_HOST,
]
# The plugin leaves CANN's symbols to the process that loads it.
LINK = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
EXECUTABLE = [*LINK, "-rdynamic", "-ldl"]


def sources(*folders: Path) -> list[Path]:
    """All C++ sources in the folders."""
    return [path for folder in folders for path in sorted(folder.glob("*.cc"))]


def objects(paths: Iterable[Path], folder: Path, *flags: str) -> list[Path]:
    """The sources compiled, one object each, two at a time. A warning is an error."""
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda path: _object(path, folder / f"{path.stem}.o", flags), paths))


def link(target: Path, paths: Sequence[Path], *flags: str) -> Path:
    """An executable, or with -shared a library."""
    _run([_compiler(), "-o", str(target), *map(str, paths), *flags])
    return target


def _object(source: Path, target: Path, flags: Sequence[str]) -> Path:
    includes = [f"-I{path}" for path in INCLUDES]
    _run([_compiler(), *FLAGS, *includes, *flags, "-c", str(source), "-o", str(target)])
    return target


def _compiler() -> str:
    return os.environ.get("CXX", "c++")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"


class Driver:
    """A program that answers each line of JSON with one; `greeting` is what it says first."""

    def __init__(self, command: Sequence[str], greets: bool = False) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.greeting = self._read() if greets else None

    def ask(self, **request: Any) -> Any:
        """The answer to one request; arguments that are None are left out of it."""
        assert self._process.stdin is not None
        known = {key: value for key, value in request.items() if value is not None}
        self._process.stdin.write(json.dumps(known) + "\n")
        self._process.stdin.flush()
        return self._read()

    def close(self) -> str:
        """End the program; what it wrote to stderr."""
        _, errors = self._process.communicate()
        assert self._process.returncode == 0, errors
        return errors

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            _, errors = self._process.communicate()
            raise AssertionError(f"the program ended: {errors}")
        return json.loads(line)
