"""What a conversion shows on a terminal while it goes on."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import onnx

import maxpoolgrad_onnx as mpg

COMMAND = [sys.executable, "-m", "maxpoolgrad_onnx.converters.cli", "atc"]


def test_a_bar_on_a_terminal_and_none_in_a_file(tmp_path: Path) -> None:
    onnx.save(mpg.make_model([1, 1, 4, 4], ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2]), tmp_path / "m.onnx")
    flags = ["--framework=5", "--model=m.onnx", "--output=m", "--soc_version=Ascend910B1"]
    command = [*COMMAND, *flags, "--backend=embedded"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    terminal, stderr = pty.openpty()
    shown = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, cwd=tmp_path, env=environment)
    os.close(stderr)
    told = _all_of(terminal)
    assert shown.wait() == 0
    assert b"compiling" in told
    assert b"3/3" in told
    quiet = subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment, check=True)
    assert b"compiling" not in quiet.stderr


def _all_of(terminal: int) -> bytes:
    """What a process writes to the other end, until it closes it."""
    told = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux's way to say that the other end is closed
            return told
        if not part:
            return told
        told += part
