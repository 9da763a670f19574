"""maxpoolgrad's commands in a process of their own, whose end is an answer as well.

A command may take 5 s of CPU time and 1 GiB of memory, and must say what happened in a line for each
problem. Whatever it does instead, crash, hang, grow, write or read elsewhere, or speak of an internal error,
`Guarded.complaint` tells in one sentence.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

SECONDS = 5
MEMORY = 2**30
_ROOM = 2 * MEMORY  # of address space: allocators reserve more than they use
_DEADLOCK = 60  # s that a command may stand still; a busy machine is slow
_COMMANDS_OF_A_PROCESS = 2000  # so that what libraries keep does not add up
_SCRIPT = Path(__file__).parent / "attacks" / "run_guarded.py"

_MOST_LINES = 40  # `check` tells every problem of a model
_LONGEST_LINE = 2500
_FRAME = re.compile(r"\[PID: \d+\] \S+ (?:\w+\(\w+\): |Notice: )|ERROR: | {8}(?:Possible Cause|Solution): ")


@dataclass(frozen=True)
class Answer:
    """What a command did: its exit code, a complaint or "", and what it wrote to stderr."""

    code: int
    complaint: str
    told: str = ""


class Guarded:
    """Runs commands in a folder: the model to read lies in `folder`/in, results go to `folder`/out."""

    def __init__(self, folder: Path) -> None:
        self.inside, self.out, self.secret = folder / "in", folder / "out", folder / "secret.bin"
        self.inside.mkdir()
        self.out.mkdir()
        self.secret.write_bytes(b"secret" * 1000)
        (self.inside / "weights.bin").write_bytes(bytes(1000))
        (self.inside / "link.bin").symlink_to(self.secret)
        (self.inside / "up").symlink_to(folder)
        os.mkfifo(self.inside / "pipe")
        self._process: subprocess.Popen[str] | None = None
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def run(self, words: Sequence[str]) -> Answer:
        """Run one command."""
        if self._process is None or self._count >= _COMMANDS_OF_A_PROCESS:
            self._start()
        self._count += 1
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        print(json.dumps(words), file=process.stdin, flush=True)
        ready, _, _ = select.select([process.stdout], [], [], _DEADLOCK)
        line = process.stdout.readline() if ready else ""
        if not line:
            return Answer(-1, self._end(bool(ready)))
        answer = json.loads(line)
        complaint = _complaint(words, answer)
        if answer["peak"] > MEMORY:
            complaint = complaint or f"took {answer['peak'] >> 20} MiB of memory"
            self._stop()
        return Answer(answer["code"], complaint, answer["stderr"])

    def _start(self) -> None:
        self._stop()
        command = [sys.executable, str(_SCRIPT), str(self.out), str(self.secret), str(SECONDS), str(_ROOM)]
        environment = os.environ | {
            "PYTHONDONTWRITEBYTECODE": "1",  # writes outside the folder otherwise
            "MALLOC_ARENA_MAX": "2",  # each reserves address space
            "COLUMNS": "120",
        }
        environment.pop("MAXPOOLGRAD_TRACEBACK", None)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=self.inside,
        )
        self._count = 0

    def _end(self, closed: bool) -> str:
        """How the process ended that gave no answer."""
        process = self._process
        assert process is not None
        if closed:
            process.wait()
        self._stop()
        code = process.returncode
        if not closed:
            return f"stood still for {_DEADLOCK} s"
        if code == -signal.SIGXCPU:
            return f"took more than {SECONDS} s"
        return f"the process ended with {signal.Signals(-code).name if code < 0 else code}"

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _complaint(words: Sequence[str], answer: dict[str, Any]) -> str:
    text = answer["stdout"] + answer["stderr"]
    lines = answer["stderr"].splitlines()
    if answer["outside"]:
        return f"touched what lies outside: {answer['outside'][0]}"
    if answer["code"] not in (0, 1):
        return f"exit code {answer['code']}: {answer['stderr'][:300]}"
    if "internal error" in text or "Traceback" in text:
        return f"told {' '.join(lines)[:400]}"
    if answer["seconds"] > SECONDS:
        return f"took {answer['seconds']:.1f} s"
    if words[0] == "atc":
        strange = [line for line in lines if not _FRAME.match(line)]
        problems = [line for line in lines if "Notice: " not in line]
    else:
        strange = [line for line in lines if not line.startswith(("error: ", "warning: "))]
        problems = [line for line in lines if line.startswith("error: ")]
    if strange:
        return f"wrote to stderr {strange[0][:300]!r}"
    if (answer["code"] == 1) != bool(problems):
        return f"gave {answer['code']} with {len(problems)} problems"
    if len(lines) > _MOST_LINES or max(map(len, lines), default=0) > _LONGEST_LINE:
        return f"wrote {len(lines)} lines, the longest of {max(map(len, lines))} characters"
    return ""


def cleared(folder: Path) -> None:
    """Remove what commands left in a folder."""
    for path in sorted(folder.rglob("*"), reverse=True):
        with contextlib.suppress(OSError):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
