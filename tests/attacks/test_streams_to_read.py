"""Places to read from that are no plain file: devices that never end, pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import map_file, read_file

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
@pytest.mark.parametrize("command", ["check", "inspect", "run"])
def test_a_device_is_refused(command: str, device: str, capfd: Capture) -> None:
    assert main([command, device]) == 1
    line = capfd.readouterr().err
    assert line.startswith(f"error: {device}: it is a device")
    assert line.endswith("give a file\n")


def test_a_pipe_is_not_waited_for_where_it_cannot_be_mapped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(MaxPoolGradError, match="a pipe, and only files can be mapped; give a file"):
        map_file(tmp_path / "pipe")


def test_a_pipe_is_read_where_that_is_enough(tmp_path: Path) -> None:
    model = mpg.make_model([1, 1, 4, 4], ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2]).SerializeToString()
    (tmp_path / "model.onnx").write_bytes(model)
    assert read_file(tmp_path / "model.onnx") == model
    program = (
        "import sys; from maxpoolgrad_onnx.converters.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    words = [sys.executable, "-c", program, "check", "/dev/stdin"]
    done = subprocess.run(words, input=model, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
