"""`maxpoolgrad inspect`."""

from __future__ import annotations

import sys

import click

from .parameters import PATH


@click.command()
@click.argument("file", type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(file: str, as_json: bool) -> None:
    """Show what is in FILE, an .onnx, .air or .om model."""
    from ..inspect import inspect_file
    from ..tables import print_table

    report = inspect_file(file)
    if as_json:
        click.echo(report.as_json())
        return
    for part in report.tables():
        print_table(part, sys.stdout)
