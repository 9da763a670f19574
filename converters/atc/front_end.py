"""One run of atc's command line: parse, choose the backend, check, do, and frame what happens."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from . import frame
from .backend import Backend, choose_backend
from .command_line import CommandLine, split
from .usage import usage

if TYPE_CHECKING:
    from .request import Request

_LOG_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "null": logging.CRITICAL + 1,
}


def run(words: Sequence[str], stdout: TextIO, stderr: TextIO) -> int:
    """Do what the command line asks for.

    Returns 0, 1 where it failed, or the exit code of the atc that was run; never raises for what the user
    did. The frame goes to stdout, problems and notices go to stderr.
    """
    progress = _Progress(stdout)
    try:
        return _run(words, progress, stdout, stderr)
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:
        if os.environ.get("MAXPOOLGRAD_TRACEBACK") == "1":
            raise
        progress.start()
        frame.failure(error, stdout, stderr)
        return 1


class _Progress:
    """The frame's first line, once."""

    def __init__(self, stdout: TextIO) -> None:
        self._stdout = stdout
        self._has_started = False

    def start(self) -> None:
        """Print it, unless it is out."""
        if not self._has_started:
            frame.start(self._stdout)
        self._has_started = True


def _run(words: Sequence[str], progress: _Progress, stdout: TextIO, stderr: TextIO) -> int:
    line = split(words)
    if line.has("help"):
        line.values()
        progress.start()
        print(usage(), file=stdout)
        return 0
    backend = choose_backend(line)
    if backend.atc is not None:
        from .cann_run import run_cann

        return run_cann(line, backend, stdout, stderr)  # it prints a frame of its own
    progress.start()
    notices = _run_embedded(line, backend, stdout, stderr)
    frame.success(stdout)
    for notice in notices:
        print(frame.notice_text(notice), file=stderr, flush=True)
    return 0


def _run_embedded(line: CommandLine, backend: Backend, stdout: TextIO, stderr: TextIO) -> tuple[str, ...]:
    """Carry out what the flags ask the embedded compiler for; what to tell of it."""
    from .request import read_request

    request = read_request(line)
    with _logging_to(stderr, line.text("log")):
        notices = _do(request, stdout)
    return (*backend.notices, *request.notices, *notices)


def _do(request: Request, stdout: TextIO) -> tuple[str, ...]:
    """Carry the request out; the notices that it leads to."""
    from .request import Conversion, Display, JsonView, PreCheck

    match request:
        case Conversion():
            from .embedded import convert

            return convert(request)
        case PreCheck():
            from .pre_check import pre_check

            pre_check(request)
        case JsonView():
            from .views import write_json

            return write_json(request)
        case Display():
            from .views import display

            display(request, stdout)
    return ()


@contextmanager
def _logging_to(stderr: TextIO, level: str) -> Iterator[None]:
    """What the package logs, from this level on, as lines on stderr while the block runs."""
    logger = logging.getLogger("maxpoolgrad_onnx")
    handler = logging.StreamHandler(stderr)
    handler.setFormatter(logging.Formatter("[%(levelname)s] %(message)s"))
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(_LOG_LEVELS[level])
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
