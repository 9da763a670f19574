"""Places to write to that are no plain file, and writers that are ended in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import check_writable, write_all, write_atomically

OLD, NEW = b"old" * 1000, b"new" * 100_000

# Writes a file in two pieces, and between them tells that it is at it and waits.
# A signal that this process was started to ignore, as under nohup, would be ignored by its children too.
WRITER = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from maxpoolgrad_onnx.converters.cli import main
from maxpoolgrad_onnx.files import write_atomically

def pieces():
    yield b"half"
    print("half", flush=True)
    time.sleep(60)

def write(*_, **__):
    write_atomically(sys.argv[1], pieces())

main.maxpoolgrad.main = write
sys.exit(main.main([]))
"""


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    real, link = tmp_path / "folder" / "real.bin", tmp_path / "link.bin"
    link.symlink_to("folder/real.bin")
    for content in (OLD, NEW):  # it dangles at first
        write_atomically(link, content)
        assert link.is_symlink()
        assert real.read_bytes() == content
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder", "link.bin", "real.bin"]


@pytest.mark.parametrize("letter", ["x", "ü", "模"])
def test_a_name_may_be_as_long_as_the_system_takes(tmp_path: Path, letter: str) -> None:
    path = tmp_path / (letter * (250 // len(letter.encode())))
    write_atomically(path, NEW)
    assert [found.read_bytes() for found in tmp_path.iterdir()] == [NEW]
    with pytest.raises(MaxPoolGradError, match="file name too long; give it a shorter one"):
        write_atomically(tmp_path / (letter * 256), NEW)


def test_files_that_belong_together_are_all_written_or_none(tmp_path: Path) -> None:
    def fails() -> Iterator[bytes]:
        yield b"half"
        raise OSError(28, "No space left on device")

    first, second = tmp_path / "first", tmp_path / "second"
    first.write_bytes(OLD)
    with pytest.raises(MaxPoolGradError, match="second: cannot be written: no space left on device"):
        write_all([(first, NEW), (second, fails())])
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("first", OLD)]
    write_all([(first, NEW), (second, NEW)])
    assert first.read_bytes() == second.read_bytes() == NEW


def test_a_model_that_is_not_written_whole_leaves_the_older_pair(tmp_path: Path) -> None:
    from maxpoolgrad_onnx import converters, make_model

    pool = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}
    converters.compile(make_model([1, 1, 4, 4], **pool), tmp_path / "m", soc_version="Ascend910B1")
    before = (tmp_path / "m.air").read_bytes()
    (tmp_path / "m.om").unlink()
    (tmp_path / "m.om").mkdir()
    with pytest.raises(MaxPoolGradError, match="it is a folder"):
        converters.compile(make_model([1, 1, 8, 8], **pool), tmp_path / "m", soc_version="Ascend910B1")
    assert (tmp_path / "m.air").read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"m.om", "m.air"}


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    check_writable(pipe)
    write_atomically(pipe, [NEW[:1000], NEW[1000:]])
    reader.join(timeout=10)
    assert read == [NEW]
    assert pipe.is_fifo()


def test_a_device_is_written_to() -> None:
    """Renaming a file over it, as over /dev/null, would be the end of it."""
    controller, terminal = os.openpty()
    try:
        device = os.ttyname(terminal)
        check_writable(device)
        write_atomically(device, b"told")
        assert os.read(controller, 100) == b"told"
        assert os.path.samestat(os.stat(device), os.fstat(terminal))
    finally:
        os.close(controller)
        os.close(terminal)


def test_a_full_device_is_told() -> None:
    device = Path("/dev/full")
    if device.is_char_device():  # Linux has one
        with pytest.raises(MaxPoolGradError, match=r"^/dev/full: cannot be written: no space left on device"):
            write_atomically(device, NEW)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may write to; tmp_path is its owner's alone."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield Path(folder)


def test_a_file_that_may_not_be_written_stays(open_folder: Path) -> None:
    """Renaming would replace it, since its folder may be written to."""
    file = open_folder / "file.bin"
    file.write_bytes(OLD)
    file.chmod(0o444)

    def write() -> None:
        for call in (lambda: check_writable(file), lambda: write_atomically(file, NEW)):
            with pytest.raises(MaxPoolGradError, match=r"file\.bin: cannot be written: permission denied"):
                call()

    assert as_nobody(write)
    assert file.read_bytes() == OLD
    assert as_nobody(lambda: write_atomically(open_folder / "other.bin", NEW))
    assert sorted(os.listdir(open_folder)) == ["file.bin", "other.bin"]


def as_nobody(function: Callable[[], None]) -> bool:
    """Whether a call succeeds for a user who may not write everywhere, as root may: in a child process."""
    if os.geteuid() != 0:
        function()
        return True
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setuid(65534)
            function()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_writer_that_is_ended_leaves_the_old_file(number: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "file.bin"
    file.write_bytes(OLD)
    command = [sys.executable, "-c", WRITER, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"half\n"
        writer.send_signal(number)
        _, errors = writer.communicate()
    assert b"Traceback" not in errors
    assert file.read_bytes() == OLD
    if number is not signal.SIGKILL:  # which nobody survives to tidy up
        assert writer.returncode == 128 + number
        assert os.listdir(tmp_path) == ["file.bin"]
