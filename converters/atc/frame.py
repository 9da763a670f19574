"""What atc prints around its work, in its own words and layout: the parsers of its output read ours too."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TextIO

from maxpoolgrad_onnx.codes import CODES, INNER_ERROR
from maxpoolgrad_onnx.errors import MaxPoolGradError, sentence_of

from .command_line import FlagError

_START = "ATC start working now, please wait for a moment."
_SUCCESS = "ATC run success, welcome to the next use."
_FAILURE = "ATC run failed, Please check the detail log, Try 'atc --help' for more information"
_INDENT = " " * 8


def start(stdout: TextIO) -> None:
    """The first line."""
    print(_START, file=stdout, flush=True)


def success(stdout: TextIO) -> None:
    """The last line of a run that did what it was asked for."""
    print(_SUCCESS, file=stdout, flush=True)


def failure(error: BaseException, stdout: TextIO, stderr: TextIO) -> None:
    """The last line of a run that failed, and on stderr what went wrong."""
    print(_FAILURE, file=stdout, flush=True)
    print(error_text(error), file=stderr, flush=True)


def error_text(error: BaseException, now: datetime | None = None) -> str:
    """`[PID: n] time Title(code): message`, then a likely cause and a way out."""
    if isinstance(error, FlagError):
        return f"ERROR: {sentence_of(error)}"
    code = _code_of(error)
    entry = CODES[code]
    head = f"[PID: {os.getpid()}] {_stamp(now or datetime.now())} {entry.title}({code}): {sentence_of(error)}"
    return f"{head}\n{_INDENT}Possible Cause: {entry.cause}\n{_INDENT}Solution: {entry.solution}"


def notice_text(sentence: str) -> str:
    """A notice in the same layout; it has no code of atc's."""
    return f"[PID: {os.getpid()}] {_stamp(datetime.now())} Notice: {sentence}"


def _code_of(error: BaseException) -> str:
    if isinstance(error, OSError):
        return "E13026"
    code = error.code if isinstance(error, MaxPoolGradError) else None
    return code if code is not None and code in CODES else INNER_ERROR


def _stamp(now: datetime) -> str:
    """Like 2025-07-08-10:25:28.680.962."""
    return f"{now:%Y-%m-%d-%H:%M:%S}.{now.microsecond // 1000:03d}.{now.microsecond % 1000:03d}"
