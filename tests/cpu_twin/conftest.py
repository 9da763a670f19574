"""Compiles the small kernels with the twin, once a session, and runs them all."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "cpu_twin"  # where a later session starts from


Runs = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of the programs, built."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # The environment's own cmake first, activated or not.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        cmake = shutil.which("cmake", path=path)
        assert cmake is not None, "cmake is missing; it is in the extra `test`"
        for command in ([cmake, "-S", HERE, "-B", BUILD], [cmake, "--build", BUILD, "--parallel", "2"]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
    return BUILD


def _run(program: Path) -> Runs:
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {(run["name"], run["variant"]): run for run in json.loads(printed)}


@pytest.fixture(scope="session")
def runs(programs: Path) -> Runs:
    """What came of every kernel, by its file's name and "clean", "faulty" or "values"."""
    return _run(programs / "kernels")


@pytest.fixture(scope="session")
def simt_runs(programs: Path) -> Runs:
    """The same for the kernels of SIMT code."""
    return _run(programs / "simt_kernels")
