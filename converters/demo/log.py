"""How the demo tells of its stages: a line and its proofs when one is over, a bar while the long one runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from ..tables import console_on
from .result import Stage


class Log:
    """Prints each stage when it is over, and keeps it."""

    def __init__(self, stream: TextIO) -> None:
        self.stages: list[Stage] = []
        self._stream = stream

    @contextmanager
    def stage(self, title: str) -> Iterator[list[str]]:
        """Time a stage; what it proved goes into the list."""
        proved: list[str] = []
        started = time.perf_counter()
        yield proved
        stage = Stage(title, time.perf_counter() - started, tuple(proved))
        self.stages.append(stage)
        print(f"{len(self.stages)}. {title}: {stage.seconds:.1f} s", file=self._stream)
        for sentence in proved:
            print(f"   {sentence}", file=self._stream)
        self._stream.flush()


@contextmanager
def progress_bar(description: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr, if that is a terminal; what is given is to be called after each of `total` epochs."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("epochs"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    console = console_on(sys.stderr)
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(description, total=total)
        yield lambda: bar.advance(task)
