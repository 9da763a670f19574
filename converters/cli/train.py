"""`maxpoolgrad train`."""

from __future__ import annotations

import click


@click.command()
@click.argument("step", type=click.Path())
@click.option(
    "--data",
    required=True,
    type=click.Path(),
    help="An .npz: the step's data inputs by name, one row a sample, and the first parameters.",
)
@click.option("--epochs", default=1, show_default=True, help="Passes over the data.")
@click.option("--batch-size", type=int, help="Samples of a step.  [default: the step's]")
@click.option("--lr", default=0.05, show_default=True, help="Learning rate.")
@click.option("--seed", default=0, show_default=True, help="Of the order of the samples.")
@click.option("-o", "--output", type=click.Path(), help="Write the trained parameters to this .npz.")
def command(
    step: str, data: str, epochs: int, batch_size: int | None, lr: float, seed: int, output: str | None
) -> None:
    """Train with STEP, a training step as .om, .air or .onnx, on the host."""
    from maxpoolgrad_onnx.files import protect_input

    from ..runtime.training import train
    from .console import progress_bar, say, table, warn

    if output:
        protect_input(data, output)
    with progress_bar("training") as progress:
        report = train(
            step,
            data,
            epochs=epochs,
            batch_size=batch_size,
            lr=lr,
            seed=seed,
            output=output,
            progress=progress,
        )
    for sentence in report.warnings:
        warn(sentence)
    table(("epoch", "mean loss"), [(n, f"{loss:.6f}") for n, loss in enumerate(report.losses, 1)])
    if report.output:
        say(f"wrote {report.output}")
