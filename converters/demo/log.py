"""How the demo tells of its stages: a line for each that is over, and what it proved."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

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
