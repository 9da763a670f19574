"""`maxpoolgrad bench`."""

from __future__ import annotations

import click

from maxpoolgrad_onnx.contract import DATA_FORMATS, DTYPES


@click.command(short_help="How fast the CPU kernel is, beside memory and other libraries.")
@click.option("--dtype", type=click.Choice(DTYPES), default="float32", show_default=True)
@click.option("--format", "data_format", type=click.Choice(DATA_FORMATS), default="NCHW", show_default=True)
@click.option("--data", type=click.Choice(["random", "relu"]), default="random", show_default=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True)
@click.option("--pause", type=click.FloatRange(0), default=0.02, show_default=True, help="Seconds.")
@click.option(
    "--clock",
    type=click.Choice(["wall", "cpu"]),
    default="wall",
    show_default=True,
    help="cpu: for a busy machine.",
)
@click.option("--only", default="", help="Only workloads whose name contains this, such as 'k3 s2'.")
@click.option("--output", type=click.Path(), help="Folder for bench.md and bench.png.")
def command(
    dtype: str,
    data_format: str,
    data: str,
    threads: int,
    rounds: int,
    pause: float,
    clock: str,
    only: str,
    output: str | None,
) -> None:
    """Time the operator on the CPU, every library that is installed beside it, in random order, with pauses.

    "of the roof" is the time that moving the same bytes takes (one thread, the best of twelve ways), by ours.
    The other libraries' columns say how many times as long they take: torch, tensorflow and jax forward and
    backward; "torch with indices" backward alone, given the indices, which is less work. All by the minima.
    """
    from ..bench.measure import Conditions
    from ..bench.report import bench
    from ..progress import progress_bar
    from .console import say, table

    conditions = Conditions(dtype, data_format, data, threads, rounds, pause, clock)
    with progress_bar("measuring") as progress:
        report = bench(conditions, only, progress)
    shown = report.table()
    table(shown.headers, shown.rows)
    if output is not None:
        for path in report.save(output):
            say(f"wrote {path}")
