"""One run of atc's command line: parse, check, do, and frame what happens."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from . import frame
from .command_line import parse
from .request import Conversion, Display, JsonView, Request, read_request
from .usage import usage

_LOG_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "null": logging.CRITICAL + 1,
}


def run(words: Sequence[str], stdout: TextIO, stderr: TextIO) -> int:
    """Do what the command line asks for. Returns 0, or 1 where it failed; never raises for what the user did.

    The frame goes to stdout, problems and notices go to stderr.
    """
    frame.start(stdout)
    try:
        values = parse(words)
        if values.get("help"):
            print(usage(), file=stdout)
            return 0
        request = read_request(values)
        with _logging_to(stderr, str(values.get("log", "null"))):
            notices = (*request.notices, *_do(request, stdout))
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:
        if os.environ.get("MAXPOOLGRAD_TRACEBACK") == "1":
            raise
        frame.failure(error, stdout, stderr)
        return 1
    frame.success(stdout)
    for notice in notices:
        print(frame.notice_text(notice), file=stderr, flush=True)
    return 0


def _do(request: Request, stdout: TextIO) -> tuple[str, ...]:
    """Carry the request out; the notices that it leads to."""
    match request:
        case Conversion():
            from .embedded import convert

            return convert(request)
        case JsonView():
            from .views import write_json

            write_json(request)
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
