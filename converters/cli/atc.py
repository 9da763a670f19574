"""`maxpoolgrad atc`."""

from __future__ import annotations

import sys

import click


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
    add_help_option=False,
    short_help="Compile a model to .om, with atc's own flags.",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS]...")
def command(words: tuple[str, ...]) -> int:
    """Compile a model to .om, with atc's own flags: `maxpoolgrad atc --help`."""
    from ..atc.front_end import run

    return run(words, sys.stdout, sys.stderr)
