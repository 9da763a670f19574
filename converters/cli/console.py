"""How commands print: what they were asked for on stdout, warnings and errors on stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from maxpoolgrad_onnx.errors import one_line

from ..tables import Table, print_table


def quieten_onnxruntime() -> None:
    """Keep ONNX Runtime from logging what it raises as well: a problem is one line."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)


def table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table on stdout."""
    print_table(Table("", headers, rows), sys.stdout)


def say(sentence: str) -> None:
    """Print what was done, on stdout."""
    click.echo(one_line(sentence))


def warn(sentence: str) -> None:
    """Print a warning, on stderr."""
    click.echo(f"warning: {one_line(sentence)}", err=True)


def report_error(sentence: str) -> None:
    """Print one of several problems, on stderr; the command still has to return 1."""
    click.echo(f"error: {one_line(sentence)}", err=True)
