"""`maxpoolgrad bench`."""

from __future__ import annotations

import click

from maxpoolgrad_onnx.contract import DATA_FORMATS, DTYPES

from ..bench.names import BESIDE, CLOCKS, DATA


@click.command(short_help="How fast the CPU kernel is, beside memory and other libraries.")
@click.option("--dtype", type=click.Choice(DTYPES), default="float32", show_default=True)
@click.option("--format", "data_format", type=click.Choice(DATA_FORMATS), default="NCHW", show_default=True)
@click.option(
    "--data",
    type=click.Choice(DATA),
    default="random",
    show_default=True,
    help="relu: half of it zeros, so that windows have several maxima.",
)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True)
@click.option("--pause", type=click.FloatRange(0), default=0.02, show_default=True, help="Seconds.")
@click.option(
    "--clock",
    type=click.Choice(CLOCKS),
    default="wall",
    show_default=True,
    help="cpu: for a busy machine.",
)
@click.option(
    "--beside",
    multiple=True,
    type=click.Choice(BESIDE),
    help="What else to measure, several times if need be. [default: the libraries that are installed]",
)
@click.option("--only", default="", help="Only workloads whose name contains this, such as 'k3 s2'.")
@click.option("--drawn", type=click.IntRange(0), default=0, help="So many poolings at random instead.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of --drawn.")
@click.option("--output", type=click.Path(), help="Folder for bench.md and bench.png.")
@click.option("--into", type=click.Path(), help="Markdown page with a place for this table: fill it.")
def command(
    dtype: str,
    data_format: str,
    data: str,
    threads: int,
    rounds: int,
    pause: float,
    clock: str,
    beside: tuple[str, ...],
    only: str,
    drawn: int,
    seed: int,
    output: str | None,
    into: str | None,
) -> None:
    """Time the operator on the CPU, every library that is installed beside it, in random order, with pauses.

    "of the roof" is the time that moving the same bytes takes (as many threads, best of twelve ways), by us.
    The other columns say how many times as long others take: torch, tensorflow and jax forward and backward;
    "torch with indices" backward alone, given the indices, which is less work; "scalar" our specification,
    "one thread" and "float32" ourselves, and with it "roof on one thread" how many times as long as on all of
    them moving the bytes takes. "session": how much longer it takes inside ONNX Runtime. All by the minima.
    """
    from ..bench import workloads
    from ..bench.figures import fill, require_place
    from ..bench.measure import Conditions
    from ..bench.report import bench
    from ..progress import progress_bar
    from .console import say, table

    conditions = Conditions(dtype, data_format, data, threads, rounds, pause, clock, beside)
    title = conditions.title + (f", {drawn} poolings at random, seed {seed}" if drawn else "")
    if into is not None:
        require_place(into, title)
    chosen = workloads.drawn(drawn, seed) if drawn else workloads.chosen(only)
    with progress_bar("measuring") as progress:
        report = bench(conditions, chosen, title, progress)
    shown = report.table()
    table(shown.headers, shown.rows)
    for sentence in report.slower():
        say(sentence)
    if output is not None:
        for path in report.save(output):
            say(f"wrote {path}")
    if into is not None:
        fill(into, report)
        say(f"wrote {into}")
