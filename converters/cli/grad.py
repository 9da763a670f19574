"""`maxpoolgrad grad`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .parameters import PATH, numbers

if TYPE_CHECKING:
    from maxpoolgrad_onnx.gradient.losses import Loss
    from maxpoolgrad_onnx.gradient.optimizers import Optimizer

Command = TypeVar("Command", bound=Callable[..., Any])


def _own(flag: str, of: str, **options: Any) -> Callable[[Command], Command]:
    """An option that some losses or optimizers have; left out, it is theirs to choose."""
    return click.option(flag, default=None, help=of, **options)


@click.command(short_help="Make a training step of a forward ONNX model.")
@click.argument("forward", type=PATH)
@click.option("-o", "--output", required=True, type=PATH, help="The training step, an ONNX model.")
@click.option(
    "--loss",
    default="softmax_cross_entropy",
    show_default=True,
    help="Of FORWARD's output: softmax_cross_entropy, mse, bce_with_logits (means over the batch), "
    "class_score (the sum of the labels' logits, for saliency), or output, which is the loss itself.",
)
@_own("--class-weights", "For softmax_cross_entropy: 1,0.5,2.", callback=numbers)
@_own("--label-smoothing", "For softmax_cross_entropy, 0 to 1.", type=float)
@_own("--ignore-index", "For softmax_cross_entropy: the label that does not count.", type=int)
@_own("--optimizer", "sgd, adam or adamw, as torch.optim has them.  [default: sgd]")
@_own("--momentum", "For sgd; 0 for none.  [default: 0.9]", type=float)
@_own("--nesterov", "For sgd.", is_flag=True)
@_own("--betas", "For adam and adamw.  [default: 0.9,0.999]", callback=numbers)
@_own("--eps", "For adam and adamw.  [default: 1e-8]", type=float)
@_own("--weight-decay", "[default: 0, of adamw 0.01]", type=float)
@click.option("--clip-norm", type=float, help="The largest global norm of the gradients.")
@click.option(
    "--loss-scale", help="A number, or dynamic: what gradients are multiplied by on their way, for float16."
)
@click.option(
    "--master-weights",
    is_flag=True,
    help="Keep float16 parameters in float32 as well, as states NAME.master, and update them there.",
)
@click.option("--logits", help="Name of the output that the loss reads, where FORWARD has several.")
@click.option(
    "--frozen",
    multiple=True,
    metavar="PATTERN",
    help="Weights that stay as they are, by name: 'conv1.*'; repeatable.",
)
@click.option("--outputs", help="update, or grads: every parameter's gradient, NAME.grad.  [default: update]")
@click.option(
    "--update-step",
    type=PATH,
    help="With --outputs grads: a second model, which takes gradients and gives updated parameters.",
)
@click.option(
    "--unfold",
    is_flag=True,
    help="No functions of the model's own: loss and update in standard operators, for CANN's ONNX parser.",
)
@click.option(
    "--wrt",
    default="parameters",
    show_default=True,
    help="What gradients are taken by: parameters, or input (saliency, adversarial examples).",
)
def command(
    forward: str,
    output: str,
    loss: str,
    optimizer: str | None,
    clip_norm: float | None,
    loss_scale: str | None,
    master_weights: bool,
    logits: str | None,
    frozen: tuple[str, ...],
    outputs: str | None,
    update_step: str | None,
    unfold: bool,
    wrt: str,
    **options: Any,
) -> None:
    """Turn FORWARD, an ONNX model, into one training step."""
    from maxpoolgrad_onnx.files import protect_input
    from maxpoolgrad_onnx.gradient import add_training_step, make_update_step
    from maxpoolgrad_onnx.model_files import save_model

    from .console import say

    for written in (output, update_step):
        if written is not None:
            protect_input(forward, written)
    if update_step is not None and outputs != "grads":
        raise click.UsageError(
            "--update-step is given without --outputs grads; a step that gives updates needs none."
        )
    if update_step is not None and os.path.realpath(output) == os.path.realpath(update_step):
        raise click.UsageError("--output and --update-step are one file; give each a name of its own.")
    if update_step is None and (outputs == "grads" or wrt != "parameters"):
        _refuse_update_options({"optimizer": optimizer, **options})
    update: dict[str, Any] = {
        "optimizer": _optimizer(optimizer or "sgd", options),
        "loss_scale": _scale(loss_scale),
    }
    step = add_training_step(
        forward,
        loss=_loss(loss, options),
        output=logits,
        frozen=frozen,
        outputs=outputs,
        wrt=wrt,
        clip_norm=None if update_step else clip_norm,
        master_weights=master_weights and not update_step,
        unfold=unfold,
        **update,
    )
    if update_step is not None:
        applying = make_update_step(step, clip_norm=clip_norm, master_weights=master_weights, **update)
        save_model(applying, update_step)
    save_model(step, output)
    say(f"wrote {output}" if update_step is None else f"wrote {output} and {update_step}")


def _loss(name: str, options: dict[str, Any]) -> Loss:
    from maxpoolgrad_onnx.gradient.losses import LOSSES

    return _made("loss", LOSSES, name, options)  # type: ignore[no-any-return]


def _optimizer(name: str, options: dict[str, Any]) -> Optimizer:
    from maxpoolgrad_onnx.gradient.optimizers import OPTIMIZERS

    return _made("optimizer", OPTIMIZERS, name, options)  # type: ignore[no-any-return]


def _refuse_update_options(options: dict[str, Any]) -> None:
    """Refuse what says how to update where nothing is updated."""
    from dataclasses import fields

    from maxpoolgrad_onnx.gradient.optimizers import OPTIMIZERS

    made: list[Any] = list(OPTIMIZERS.values())
    updating = ["optimizer", *(field.name for cls in made for field in fields(cls))]
    for option in updating:
        if options[option] is not None:
            raise click.UsageError(
                f"--{option.replace('_', '-')} is given, but the step gives gradients and updates nothing; "
                "leave it out, or have --outputs grads --update-step FILE write the step that updates."
            )


def _made(kind: str, table: Any, name: str, options: dict[str, Any]) -> Any:
    """A loss or optimizer of the options that were given for it; refuses one that is only another's."""
    from dataclasses import fields

    from maxpoolgrad_onnx.gradient.options import choice

    chosen = table[choice(kind, name, table)]
    own = {field.name for field in fields(chosen)}
    others = {field.name for cls in table.values() for field in fields(cls)} - own
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option in others:
            takers = [other for other, cls in table.items() if option in {f.name for f in fields(cls)}]
            raise click.UsageError(
                f"--{option.replace('_', '-')} is given, but the {kind} is {name}; it is for "
                f"{' and '.join(takers)}."
            )
    return chosen(**{option: value for option, value in given.items() if option in own})


def _scale(text: str | None) -> float | str | None:
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text
