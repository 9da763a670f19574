"""Tables as plain data, and how they are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from maxpoolgrad_onnx.errors import one_line

if TYPE_CHECKING:
    from rich.console import Console

# Nobody reads a wrapped table in a file or a pipe.
_WIDTH_WITHOUT_TERMINAL = 1000


@dataclass(frozen=True)
class Table:
    """A titled table. Without a title or headers those lines are left out; cells are printed by str."""

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[object]]


def print_table(table: Table, stream: TextIO) -> None:
    """Print a table and an empty line. Nothing in a cell is markup: names in models may hold anything."""
    from rich import box
    from rich import table as rich_table

    named = any(table.headers)
    shown = rich_table.Table(
        title=table.title or None,
        title_justify="left",
        box=box.SIMPLE_HEAD if named else None,
        show_header=named,
        pad_edge=False,
    )
    for header in table.headers:
        shown.add_column(header, overflow="fold")
    for row in table.rows:
        shown.add_row(*(one_line(str(cell)) for cell in row))
    console = console_on(stream)
    with console.capture() as capture:
        console.print(shown)
    lines = (line.rstrip() for line in capture.get().splitlines())
    print("\n".join(line for line in lines if line), end="\n\n", file=stream)


def console_on(stream: TextIO) -> Console:
    """A console of rich that prints text as it is, as wide as the terminal or as wide as it takes."""
    from rich.console import Console

    width = None if stream.isatty() else _WIDTH_WITHOUT_TERMINAL
    return Console(file=stream, width=width, markup=False, highlight=False, emoji=False)
