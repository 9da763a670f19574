"""A signal while a module is imported: extension modules make an ImportError of whatever is raised in it."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

# Imports as numpy's extension modules do: an exception in an inner import is printed, and becomes another.
PROGRAM = """
import importlib.abc, os, signal, sys, traceback

class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "onnx":
            try:
                os.kill(os.getpid(), {number})
                for _ in range(10**6):
                    pass
            except BaseException:
                traceback.print_exc()
                raise ImportError("an extension module could not be loaded")

from maxpoolgrad_onnx.converters.cli.main import main
sys.meta_path.insert(0, Finder())
sys.exit(main({words!r}))
"""


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
@pytest.mark.parametrize(
    "words",
    [
        ["check", "missing.onnx"],
        ["atc", "--framework=5", "--model=m.onnx", "--output=m", "--soc_version=Ascend910B1"],
    ],
)
def test_a_signal_during_an_import_ends_the_command_at_once(words: list[str], name: str, code: int) -> None:
    program = PROGRAM.format(number=f"signal.{name}", words=words)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # which nohup has ignored
    )
    assert (done.returncode, done.stderr) == (code, "")
