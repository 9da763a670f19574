"""How far a long function is: what it calls as it goes on, and a bar that shows it on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from .tables import console_on

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done, and how much there is."""


@contextmanager
def progress_bar(description: str, unit: str = "") -> Iterator[Progress]:
    """A progress bar on stderr while the block runs; nothing where stderr is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    console = console_on(sys.stderr)
    with Bar(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(description, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
