"""Run maxpoolgrad's commands one after another under limits that the system keeps; not a test.

Reads lines of JSON, each the words of a command, or -c and Python code to try the limits; answers each with
a line of JSON. What a command costs too much ends the process: RLIMIT_CPU ends a hang, RLIMIT_AS a bomb
that is not caught. Whatever is opened or made outside the folder `out`, and the file `secret`, are told in
the answer.

Usage: run_guarded.py OUT SECRET CPU_SECONDS MEMORY_BYTES
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = frozenset(
    {"os.mkdir", "os.rename", "os.remove", "os.link", "os.symlink", "os.truncate", "os.rmdir"}
)


class Watch:
    """An audit hook that notes what is opened or changed where it must not be."""

    def __init__(self, out: str, secret: str) -> None:
        self._out, self._secret = os.path.realpath(out), os.path.realpath(secret)
        self.found: list[str] = []

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, str | bytes | os.PathLike):
                self._see(event, path, bool(flags & _WRITING))
        elif event in _CHANGES:
            for path in arguments[: 2 if event in ("os.rename", "os.link") else 1]:
                if isinstance(path, str | bytes | os.PathLike):
                    self._see(event, path, True)

    def _see(self, event: str, path: str | bytes | os.PathLike[str], changes: bool) -> None:
        real = os.path.realpath(os.fsdecode(path))
        inside = real == self._out or real.startswith(self._out + os.sep)
        if real == self._secret or (changes and not inside and real != os.devnull):
            self.found.append(f"{event} {real}")


def main() -> None:
    out, secret = sys.argv[1:3]
    seconds, memory = map(int, sys.argv[3:5])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    captured = [tempfile.TemporaryFile() for _ in range(2)]  # noqa: SIM115 (until the process ends)
    for stream, file in zip((1, 2), captured, strict=True):
        os.dup2(file.fileno(), stream)
    run = _load()
    watch = Watch(out, secret)
    sys.addaudithook(watch)
    room = _address_space() + memory
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin:
        _empty(captured)
        watch.found.clear()
        start = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (int(start) + 1 + seconds, resource.RLIM_INFINITY))
        words = json.loads(line)
        code = exec(words[1], {}) or 0 if words[0] == "-c" else run(words)
        used = time.process_time() - start
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        texts = [_text(file) for file in captured]
        answer = {"code": code, "stdout": texts[0], "stderr": texts[1], "seconds": used, "peak": _peak()}
        print(json.dumps({**answer, "outside": watch.found}), file=answers, flush=True)


def _load() -> Any:
    """The entry point, with all that commands import loaded before the limits hold."""
    import onnxruntime  # noqa: F401

    from maxpoolgrad_onnx import converters  # noqa: F401
    from maxpoolgrad_onnx.converters.cli.main import main

    return main


def _address_space() -> int:
    """Of this process, in bytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _peak() -> int:
    """The largest resident size so far, in bytes."""
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Not ru_maxrss: on Linux a new program inherits that from the process that started it.
    with open("/proc/self/status", encoding="ascii") as file:
        return 1024 * next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))


def _empty(files: list[Any]) -> None:
    for file in files:
        os.ftruncate(file.fileno(), 0)
        os.lseek(file.fileno(), 0, os.SEEK_SET)


def _text(file: Any) -> str:
    size = os.fstat(file.fileno()).st_size
    return os.pread(file.fileno(), min(size, 200_000), 0).decode("utf-8", "replace")


main()
