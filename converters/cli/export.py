"""`maxpoolgrad export`."""

from __future__ import annotations

import click

from .parameters import PATH


@click.command(short_help="Put trained parameters back into the forward ONNX model.")
@click.argument("trained", type=PATH)
@click.argument("forward", type=PATH)
@click.option("-o", "--output", required=True, type=PATH, help="The trained forward model, an ONNX model.")
def command(trained: str, forward: str, output: str) -> None:
    """Write FORWARD, an ONNX model, with the parameters of TRAINED, what train wrote.

    TRAINED is an .npz of train's --output or --checkpoint; what the optimizer keeps in it is left out.
    """
    from maxpoolgrad_onnx.files import protect_input

    from ..training.export import export
    from .console import say

    for source in (trained, forward):
        protect_input(source, output)
    count = export(trained, forward, output)
    say(f"wrote {output}: {count} parameters are the trained ones")
