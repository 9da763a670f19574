"""`maxpoolgrad train`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .parameters import PATH, spelled

if TYPE_CHECKING:
    from ..training import History


@click.command(short_help="Train with a training step, on the host.")
@click.argument("step", type=PATH)
@click.option(
    "--data",
    required=True,
    type=PATH,
    help="An .npz: an array for each of FORWARD's inputs, by its name, and `labels`, int64 class numbers (or "
    "`targets`).",
)
@click.option(
    "--forward",
    type=PATH,
    help="The forward model; its weights are the first parameters, and it is evaluated.",
)
@click.option("--logits", help="Name of the output that is evaluated, where FORWARD has several.")
@click.option("--state", type=PATH, help="An .npz of an earlier --output or --checkpoint, to start from.")
@click.option("--epochs", default=1, show_default=True, help="Passes over the examples.")
@click.option(
    "--batch-size",
    type=int,
    help="Examples of a batch; a step of a fixed batch leaves out what does not fill one.  [default: the "
    "step's own, or 32]",
)
@click.option("--lr", default=0.05, show_default=True, help="Learning rate.")
@click.option(
    "--schedule", default="constant", show_default=True, help="Of the rate: constant, step, cosine."
)
@click.option("--warmup", default=0.0, help="Epochs, or a part of one, in which the rate rises to --lr.")
@click.option("--lr-step", default=10.0, show_default=True, help="For step: epochs between falls.")
@click.option("--lr-gamma", default=0.1, show_default=True, help="For step: what the rate falls to.")
@click.option("--seed", default=0, show_default=True, help="Of the order of the examples.")
@click.option(
    "--eval",
    "held_out",
    help="What is not trained with and tells loss and (with --forward) accuracy: a share of the data, 0.2, "
    "or an .npz.",
)
@click.option("-o", "--output", type=PATH, help="The .npz to write the last parameters and momenta to.")
@click.option("--checkpoint", type=PATH, help="The .npz to write after each epoch, to go on from.")
@click.option("--checkpoint-every", type=int, help="Steps after which it is written, too.")
@click.option(
    "--resume", type=PATH, help="The checkpoint of this training to go on from, and to write on to."
)
@click.option("--curves", type=PATH, help="The PNG to draw losses and accuracy to (needs matplotlib).")
@click.option(
    "--kernel", default="native", show_default=True, help="What computes MaxPoolV3Grad: native, or twin."
)
@click.option(
    *spelled("--soc_version"), help="The twin's processor.  [default: the one that STEP is planned for]"
)
def command(
    step: str,
    data: str,
    forward: str | None,
    logits: str | None,
    state: str | None,
    epochs: int,
    batch_size: int | None,
    lr: float,
    schedule: str,
    warmup: float,
    lr_step: float,
    lr_gamma: float,
    seed: int,
    held_out: str | None,
    output: str | None,
    checkpoint: str | None,
    checkpoint_every: int | None,
    resume: str | None,
    curves: str | None,
    kernel: str,
    soc_version: str | None,
) -> None:
    """Train with STEP, a training step as .om, .air or .onnx, on the host.

    The first parameters come from --state, --forward or, by their names, from --data. With --resume, the
    training goes on where its checkpoint was written, to the bit as if it had never stopped.
    """
    from maxpoolgrad_onnx.files import protect_input

    from ..progress import progress_bar
    from ..training import Schedule
    from ..training.files import Results, Sources, train_files
    from .console import quieten_onnxruntime

    quieten_onnxruntime()
    share = _share(held_out)
    for source in (data, step, forward, state, share if isinstance(share, str) else None):
        for written in (output, checkpoint, curves):
            if source and written:
                protect_input(source, written)
    for written in (output, curves):
        for own in (checkpoint, resume):
            if own and written:
                protect_input(own, written)
    with progress_bar("training") as progress:
        history = train_files(
            step,
            data,
            epochs=epochs,
            schedule=Schedule(lr, schedule, warmup, lr_step, lr_gamma),
            sources=Sources(state, forward, logits),
            results=Results(output, checkpoint, checkpoint_every, curves),
            resume=resume,
            held_out=share,
            batch_size=batch_size,
            seed=seed,
            kernel=kernel,
            soc_version=soc_version,
            progress=progress,
        )
    kept = output, checkpoint or resume
    _show(history, [path for path in (*kept, curves) if path], kept=any(kept))


def _share(text: str | None) -> float | str | None:
    """A share of the data, or a file."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _show(history: History, written: list[str], *, kept: bool) -> None:
    from .console import say, table

    names = list(dict.fromkeys(name for epoch in history.epochs for name in epoch.figures))
    rows = [
        (epoch.number, f"{epoch.loss:.6f}", *(f"{epoch.figures[name]:.6f}" for name in names))
        for epoch in history.epochs
    ]
    table(("epoch", "mean loss", *names), rows)
    say(f"{len(history.losses)} steps in {history.seconds:.1f} s")
    if written:
        say(f"wrote {' and '.join(written)}")
    if not kept:
        say("the parameters are not kept; give --output for that")
