"""How commands print: tables on stdout, warnings and progress on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import click

from maxpoolgrad_onnx.errors import one_line

if TYPE_CHECKING:
    from rich.console import Console

# Nobody reads a wrapped table in a file or a pipe.
_WIDTH_WITHOUT_TERMINAL = 1000


Progress: TypeAlias = Callable[[int, int], None]
"""What a long function calls as it goes on: how much is done, how much there is."""


def table(headers: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print a table on stdout. Nothing in a cell is taken for markup: names in models may hold anything."""
    from rich import box
    from rich.table import Table

    shown = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for header in headers:
        shown.add_column(header, overflow="fold")
    for row in rows:
        shown.add_row(*(one_line(str(cell)) for cell in row))
    _console(stderr=False).print(shown)


def say(sentence: str) -> None:
    """Print what was done, on stdout."""
    click.echo(one_line(sentence))


def warn(sentence: str) -> None:
    """Print a warning, on stderr."""
    click.echo(f"warning: {one_line(sentence)}", err=True)


def report_error(sentence: str) -> None:
    """Print one of several problems, on stderr; the command still has to return 1."""
    click.echo(f"error: {one_line(sentence)}", err=True)


@contextmanager
def progress_bar(description: str) -> Iterator[Progress]:
    """A progress bar on stderr while the block runs; nothing where stderr is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    console = _console(stderr=True)
    with Bar(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(description, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _console(stderr: bool) -> Console:
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else _WIDTH_WITHOUT_TERMINAL
    return Console(file=stream, width=width, markup=False, highlight=False, emoji=False)
