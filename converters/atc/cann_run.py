"""A run of an installed atc: started, shown, read and, where this process ends, ended."""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import TextIO

from maxpoolgrad_onnx.errors import MaxPoolGradError, reason_of

from . import frame
from .backend import Backend
from .cann_environment import environment_for
from .command_line import CommandLine
from .failures import Message, explanations, message_in
from .request import PRECISION_NOTICE
from .unfolded import without_functions

_OURS = ("backend",)
_GRACE = 5.0  # seconds that atc gets to end by itself
_QUIET = 1.0  # seconds of silence after atc's end, while a process of its own still holds the pipe
_CHUNK = 65536
_LONGEST_LINE = 65536  # characters that are kept of a line to look for a message


def run_cann(line: CommandLine, backend: Backend, stdout: TextIO, stderr: TextIO) -> int:
    """Run atc on the flags that are not ours, and its exit code: 128 and the signal where one ended it.

    Its output is written to `stdout` as it comes; what its failures mean goes to `stderr`. Raises
    MaxPoolGradError where it cannot be started.
    """
    assert backend.cann is not None
    environment = environment_for(backend.cann, os.environ)
    messages = _Messages()
    with without_functions(line) as (readable, unfolding):
        words, notices = _words(readable)
        for notice in (*backend.notices, *unfolding, *notices):
            print(frame.notice_text(notice), file=stderr, flush=True)
        code = _run([str(backend.atc), *words], environment.variables, stdout, messages)
    messages.end()
    told = list(explanations(messages.found, environment.plugin)) if code else []
    if code < 0:
        told.append(
            f"atc was ended by {_signal_name(-code)}; ASCEND_GLOBAL_LOG_LEVEL=1 makes its log say more"
        )
    for sentence in told:
        print(frame.notice_text(sentence), file=stderr, flush=True)
    return 128 - code if code < 0 else code


def _words(line: CommandLine) -> tuple[list[str], tuple[str, ...]]:
    """atc's own command line: as given, and with types kept where nothing is said of them."""
    words = line.words_without(*_OURS)
    if line.text("mode") != "0" or line.has("precision_mode", "precision_mode_v2"):
        return words, ()
    return [*words, "--precision_mode=must_keep_origin_dtype"], (PRECISION_NOTICE,)


def _run(command: Sequence[str], variables: Mapping[str, str], stdout: TextIO, messages: _Messages) -> int:
    try:
        child = subprocess.Popen(
            command,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that it can be ended with all that it starts
        )
    except OSError as error:
        raise MaxPoolGradError(
            f"{command[0]}: it cannot be started: {reason_of(error)}; install CANN again, or use "
            "--backend=embedded",
            code="E10055",
        ) from error
    try:
        _show(child, stdout, messages)
        return child.wait()
    finally:
        _end(child)


def _show(child: subprocess.Popen[bytes], stdout: TextIO, messages: _Messages) -> None:
    """Pass the output on until its end. Bytes that are no UTF-8 are shown as such."""
    assert child.stdout is not None
    decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
    pipe, ended = child.stdout.fileno(), None
    while True:
        ready, _, _ = select.select([pipe], [], [], 0.1)
        if ready:
            data = os.read(pipe, _CHUNK)
            text = decoder.decode(data, final=not data)
            stdout.write(text)
            stdout.flush()
            messages.feed(text)
            if not data:
                return
        elif child.poll() is not None:
            ended = ended or time.monotonic()
            if time.monotonic() - ended > _QUIET:
                return


def _end(child: subprocess.Popen[bytes]) -> None:
    """End atc and what it has started; nothing where it has ended."""
    if child.poll() is None:
        _signal_group(child.pid, signal.SIGTERM)
        try:
            child.wait(_GRACE)
        except subprocess.TimeoutExpired:
            _signal_group(child.pid, signal.SIGKILL)
            child.wait()
    if child.stdout is not None:
        child.stdout.close()


def _signal_group(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, number)


def _signal_name(number: int) -> str:
    try:
        return f"the signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"the signal {number}"


class _Messages:
    """The messages in a text that comes in pieces."""

    def __init__(self) -> None:
        self.found: list[Message] = []
        self._rest = ""

    def feed(self, text: str) -> None:
        """The next piece."""
        *lines, self._rest = (self._rest + text).split("\n")
        self._rest = self._rest[:_LONGEST_LINE]
        for line in lines:
            self._read(line)

    def end(self) -> None:
        """There is nothing more."""
        self._read(self._rest)
        self._rest = ""

    def _read(self, line: str) -> None:
        message = message_in(line)
        if message is not None:
            self.found.append(message)
