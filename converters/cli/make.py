"""`maxpoolgrad make`."""

from __future__ import annotations

import click

from maxpoolgrad_onnx.contract import DATA_FORMATS, DEFAULTS, DTYPES, OP_TYPE, PADDING_MODES
from maxpoolgrad_onnx.opsets import NEWEST_OPSET

from . import parameters
from .parameters import PATH


@click.command(short_help="Write an ONNX model of one MaxPoolV3Grad node.")
@click.argument("out", type=PATH)
@click.option(
    "--shape",
    required=True,
    callback=parameters.dims,
    help="orig_input's shape: 1,3,8,8, or N,3,8,8 for an open batch.",
)
@click.option(
    "--ksize",
    required=True,
    callback=parameters.window,
    help="Window: 2, or 2,3 (height,width), or all four, as data-format has them.",
)
@click.option("--strides", callback=parameters.window, help="Stride, written the same way.  [default: ksize]")
@click.option(
    "--pads",
    default="0",
    callback=parameters.pads,
    show_default=True,
    help="1, or 1,2 (height,width), or top,bottom,left,right.",
)
@click.option(
    "--padding-mode",
    default=DEFAULTS["padding_mode"],
    show_default=True,
    help=" or ".join(PADDING_MODES) + ".",
)
@click.option(
    "--data-format", default=DEFAULTS["data_format"], show_default=True, help=" or ".join(DATA_FORMATS) + "."
)
@click.option("--ceil-mode/--no-ceil-mode", default=False, help="Round the output size up.")
@click.option(
    "--output-shape", callback=parameters.dims, help="orig_output's shape.  [default: what pooling gives]"
)
@click.option("--dtype", default="float32", show_default=True, help=" or ".join(DTYPES) + ".")
@click.option(
    "--opset",
    default=NEWEST_OPSET,
    show_default=True,
    help=f"Of the standard operators, {NEWEST_OPSET} at most.",
)
@click.option("--name", default=OP_TYPE, show_default=True, help="The node's name.")
def command(
    out: str,
    shape: tuple[int | str, ...],
    ksize: tuple[int, ...],
    strides: tuple[int, ...] | None,
    pads: tuple[int, ...],
    padding_mode: str,
    data_format: str,
    ceil_mode: bool,
    output_shape: tuple[int | str, ...] | None,
    dtype: str,
    opset: int,
    name: str,
) -> None:
    """Write OUT, an ONNX model of one MaxPoolV3Grad node."""
    from maxpoolgrad_onnx.model import make_model
    from maxpoolgrad_onnx.model_files import save_model

    from .console import say

    model = make_model(
        shape,
        dtype=dtype,
        opset=opset,
        output_shape=output_shape,
        name=name,
        ksize=parameters.window_of(ksize, data_format),
        strides=parameters.window_of(strides or ksize, data_format),
        padding_mode=padding_mode,
        pads=parameters.pads_of(pads),
        data_format=data_format,
        ceil_mode=ceil_mode,
    )
    save_model(model, out)
    say(f"wrote {out}")
