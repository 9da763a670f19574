"""`maxpoolgrad train`."""

from __future__ import annotations

import click

from .parameters import PATH


@click.command(short_help="Train with a training step, on the host.")
@click.argument("step", type=PATH)
@click.option(
    "--data",
    required=True,
    type=PATH,
    help="An .npz: an array for each of FORWARD's inputs, by its name, and `labels`, int64 class numbers.",
)
@click.option("--forward", type=PATH, help="The forward model; its weights are the first parameters.")
@click.option("--state", type=PATH, help="An .npz of an earlier --output, to go on from.")
@click.option("--epochs", default=1, show_default=True, help="Passes over the examples.")
@click.option(
    "--batch-size",
    type=int,
    help="Examples of a batch; a step of a fixed batch leaves out what does not fill one.  [default: the "
    "step's own, or 32]",
)
@click.option("--lr", default=0.05, show_default=True, help="Learning rate.")
@click.option("--seed", default=0, show_default=True, help="Of the order of the examples.")
@click.option("-o", "--output", type=PATH, help="The .npz to write the last parameters and momenta to.")
def command(
    step: str,
    data: str,
    forward: str | None,
    state: str | None,
    epochs: int,
    batch_size: int | None,
    lr: float,
    seed: int,
    output: str | None,
) -> None:
    """Train with STEP, a training step as .om, .air or .onnx, on the host.

    The first parameters come from --state, --forward or, by their names, from --data.
    """
    from maxpoolgrad_onnx.files import protect_input

    from ..progress import progress_bar
    from ..runtime.training_files import train_files
    from .console import quieten_onnxruntime, say, table

    quieten_onnxruntime()
    for source in (data, step, forward):
        if source and output:
            protect_input(source, output)
    with progress_bar("training") as progress:
        history = train_files(
            step,
            data,
            forward=forward,
            state=state,
            output=output,
            epochs=epochs,
            learning_rate=lr,
            batch_size=batch_size,
            seed=seed,
            progress=progress,
        )
    table(("epoch", "mean loss"), [(epoch.number, f"{epoch.loss:.6f}") for epoch in history.epochs])
    say(f"{len(history.losses)} steps in {history.seconds:.1f} s")
    say(f"wrote {output}" if output else "the parameters are not kept; give --output for that")
