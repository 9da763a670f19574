"""How commands print: tables on stdout, warnings and progress on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

import click

from maxpoolgrad_onnx.errors import one_line

from ..tables import Table, console_on, print_table

Progress: TypeAlias = Callable[[int, int], None]
"""What a long function calls as it goes on: how much is done, how much there is."""


def table(headers: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> None:
    """Print a table on stdout."""
    print_table(Table(title, headers, rows), sys.stdout)


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
    console = console_on(sys.stderr)
    with Bar(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(description, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
