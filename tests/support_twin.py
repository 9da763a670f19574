"""Builds the programs that try the CPU twin, once; a later session starts from where this one ended."""

from __future__ import annotations

import fcntl
import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent / "cpu_twin"
BUILD = SOURCE.parents[1] / "build" / "cpu_twin"


@functools.cache
def programs() -> Path:
    """The folder of the programs."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # The environment's own cmake first, activated or not.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        cmake = shutil.which("cmake", path=path)
        assert cmake is not None, "cmake is missing; it is in the extra `test`"
        for command in (
            [cmake, "-S", str(SOURCE), "-B", str(BUILD)],
            [cmake, "--build", str(BUILD), "--parallel", "2"],
        ):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
    return BUILD
