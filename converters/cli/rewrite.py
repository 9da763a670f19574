"""`maxpoolgrad rewrite`."""

from __future__ import annotations

import click

from .parameters import PATH


@click.command(short_help="Rewrite other tools' gradients of max pooling to MaxPoolV3Grad.")
@click.argument("source", metavar="IN", type=PATH)
@click.argument("target", metavar="OUT", type=PATH)
def command(source: str, target: str) -> int:
    """Rewrite the gradients of max pooling in IN, an ONNX model, to npu::MaxPoolV3Grad, and write OUT.

    It knows what PyTorch exports (two MaxPools, Slice, Sub, ScatterElements) and com.microsoft MaxPoolGrad of
    ONNX Runtime's training graphs. Where one cannot be rewritten, or there is none, OUT is not written, and
    the reason is told.
    """
    from maxpoolgrad_onnx.errors import MaxPoolGradError
    from maxpoolgrad_onnx.files import protect_input
    from maxpoolgrad_onnx.model_files import save_model
    from maxpoolgrad_onnx.rewrite import rewrite

    from .console import report_error, say

    protect_input(source, target)
    rewritten = rewrite(source)
    for reason in rewritten.refused:
        report_error(reason)
    if rewritten.refused:
        return 1
    if not rewritten.replaced:
        raise MaxPoolGradError(
            f"{source}: it holds no gradient of max pooling to rewrite: no ScatterElements that adds at the "
            "indices of a MaxPool, no com.microsoft MaxPoolGrad"
        )
    save_model(rewritten.model, target)
    for sentence in rewritten.replaced:
        say(sentence)
    say(f"wrote {target}")
    return 0
