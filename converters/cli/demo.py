"""`maxpoolgrad demo`."""

from __future__ import annotations

import click


@click.command()
@click.option(
    "--output",
    default="maxpoolgrad-demo",
    show_default=True,
    type=click.Path(),
    help="Folder for the results.",
)
@click.option(
    "--seed", default=0, show_default=True, help="Of the first weights and the order of the images."
)
def command(output: str, seed: int) -> None:
    """Go the whole road on real images: build, differentiate, check, compile, train, report."""
    from ..demo import run_demo

    run_demo(output, seed=seed)
