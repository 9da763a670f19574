"""`maxpoolgrad inspect`."""

from __future__ import annotations

import sys

import click

from .parameters import PATH


@click.command(short_help="Show what is in a model file, or in a dump of GE.")
@click.argument("file", type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--html", type=PATH, metavar="PAGE", help="Write it as a page with the graph drawn; PAGE is an .html."
)
def command(file: str, as_json: bool, html: str | None) -> None:
    """Show what is in FILE: a model (.onnx, .air, .om) or a dump of GE (ge_proto_*.txt, ge_onnx_*.pbtxt)."""
    from maxpoolgrad_onnx.files import check_writable, protect_input, write_atomically

    from ..inspect import inspect_file, report_tables
    from ..tables import print_table
    from .console import say

    if html is not None:
        protect_input(file, html)
        check_writable(html)
    report = inspect_file(file)
    if html is not None:
        from ..inspect.page import report_page

        write_atomically(html, report_page(report).encode("utf-8", "backslashreplace"))
    if as_json:
        click.echo(report.as_json())
        return
    for part in report_tables(report):
        print_table(part, sys.stdout)
    if html is not None:
        say(f"wrote {html}")
