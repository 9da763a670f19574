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


@pytest.fixture(scope="session")
def runs() -> dict[tuple[str, str], dict[str, Any]]:
    """What came of every kernel, by its file's name and "clean", "faulty" or "values"."""
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
    printed = subprocess.run([BUILD / "kernels"], check=True, capture_output=True, text=True).stdout
    return {(run["name"], run["variant"]): run for run in json.loads(printed)}
