"""`maxpoolgrad demo`."""

from __future__ import annotations

import click

from .parameters import PATH


@click.command(short_help="Go the whole road on real images.")
@click.option("--output", default="maxpoolgrad-demo", type=PATH, show_default=True, help="A folder.")
@click.option("--seeds", type=int, help="Networks trained for each split of the images.  [default: 5]")
@click.option("--epochs", type=int, help="Of each training.  [default: 40]")
def command(output: str, seeds: int | None, epochs: int | None) -> None:
    """Go the whole road on real images: build, differentiate, check, compile, train, report.

    Needs two packages more: pip install matplotlib scikit-learn.
    """
    from ..demo import run_demo
    from ..demo.stages import SEEDS
    from ..demo.training import EPOCHS

    run_demo(output, seeds=SEEDS if seeds is None else seeds, epochs=EPOCHS if epochs is None else epochs)
