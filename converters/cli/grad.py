"""`maxpoolgrad grad`."""

from __future__ import annotations

import click

from .parameters import PATH


@click.command(short_help="Make a training step of a forward ONNX model.")
@click.argument("forward", type=PATH)
@click.option("-o", "--output", required=True, type=PATH, help="The training step, an ONNX model.")
@click.option(
    "--loss",
    default="softmax_cross_entropy",
    show_default=True,
    help="Of the logits: softmax_cross_entropy, the mean over the batch.",
)
@click.option("--optimizer", default="sgd", show_default=True, help="sgd, as torch.optim.SGD.")
@click.option("--momentum", default=0.9, show_default=True, help="Of the optimizer; 0 for none.")
@click.option("--logits", help="Name of the logits, where FORWARD has several outputs.")
@click.option(
    "--frozen",
    multiple=True,
    metavar="PATTERN",
    help="Weights that stay as they are, by name: 'conv1.*'; repeatable.",
)
@click.option(
    "--gradients",
    is_flag=True,
    help="Give every parameter's gradient, NAME.grad, instead of updated parameters.",
)
def command(
    forward: str,
    output: str,
    loss: str,
    optimizer: str,
    momentum: float,
    logits: str | None,
    frozen: tuple[str, ...],
    gradients: bool,
) -> None:
    """Turn FORWARD, an ONNX model that gives logits, into one training step."""
    from maxpoolgrad_onnx.files import protect_input
    from maxpoolgrad_onnx.gradient import add_training_step
    from maxpoolgrad_onnx.model_files import save_model

    from .console import say

    protect_input(forward, output)
    step = add_training_step(
        forward,
        loss=loss,
        optimizer=optimizer,
        momentum=momentum,
        output=logits,
        frozen=frozen,
        outputs="grads" if gradients else "update",
    )
    save_model(step, output)
    say(f"wrote {output}")
