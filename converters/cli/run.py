"""`maxpoolgrad run`."""

from __future__ import annotations

import click

from .parameters import PATH


@click.command(short_help="Run a model on the host, with ais_bench's flags.")
@click.argument("model", required=False, type=PATH)
@click.option("--model", "model_flag", type=PATH, help="The same as MODEL.")
@click.option(
    "--input",
    "inputs",
    help="A .npy or .bin file, or a folder of them, for each input, in their order, with commas between.  "
    "[default: made-up inputs]",
)
@click.option("--output", type=PATH, help="Folder for the results; without it nothing is written.")
@click.option("--output_dirname", "--output-dirname", help="Subfolder of it.  [default: the time]")
@click.option("--outfmt", default="BIN", show_default=True, help="NPY, BIN or TXT.")
@click.option("--loop", default=1, show_default=True, help="How often each input is run.")
@click.option(
    "--warmup_count", "--warmup-count", default=1, show_default=True, help="Runs that are not timed."
)
@click.option("--device", default=0, show_default=True, help="Number of the device; the host takes any.")
@click.option(
    "--batchsize", default=None, type=int, help="Examples of a run; the size of an axis that is open."
)
@click.option(
    "--pure_data_type",
    "--pure-data-type",
    default="zero",
    show_default=True,
    help="zero or random, without --input.",
)
@click.option(
    "--kernel",
    default="native",
    show_default=True,
    help="What computes MaxPoolV3Grad: native, or twin, the NPU's kernel in its CPU twin.",
)
@click.option(
    "--soc_version",
    "--soc-version",
    default=None,
    help="The twin's processor.  [default: the one that MODEL is planned for]",
)
@click.pass_context
def command(
    context: click.Context,
    model: str | None,
    model_flag: str | None,
    inputs: str | None,
    output: str | None,
    output_dirname: str | None,
    outfmt: str,
    loop: int,
    warmup_count: int,
    device: int,
    batchsize: int | None,
    pure_data_type: str,
    kernel: str,
    soc_version: str | None,
) -> None:
    """Run MODEL, an .onnx, .air or .om, on the host, with ais_bench's flags."""
    if model and model_flag:
        raise click.UsageError(f"MODEL is {model}, --model is {model_flag}; give one of them.", context)
    path = model or model_flag
    if path is None:
        raise click.UsageError("Missing argument 'MODEL'.", context)
    from ..progress import progress_bar
    from ..runtime.run import run
    from .console import say, table, warn

    with progress_bar("running") as progress:
        report = run(
            path,
            inputs=[part for part in (inputs or "").split(",") if part],
            output=output,
            output_dirname=output_dirname,
            outfmt=outfmt,
            loop=loop,
            warmup_count=warmup_count,
            device=device,
            batchsize=batchsize,
            pure_data_type=pure_data_type,
            kernel=kernel,
            soc_version=soc_version,
            progress=progress,
        )
    for sentence in report.warnings:
        warn(sentence)
    times = report.summary["compute_time_ms"]
    table(("compute time", "ms"), [(name, f"{value:.3f}") for name, value in times.items()])
    what = "runs" if batchsize is None else "examples"
    say(f"throughput: {report.summary['throughput']:.3f} {what} a second")
    if report.kernels:
        names = next(iter(report.kernels.values()))
        table(("MaxPoolV3Grad", *names), [(node, *row.values()) for node, row in report.kernels.items()])
    if report.summary_path:
        count = len(report.files)
        say(f"wrote {count} file{'s' * (count != 1)} and {report.summary_path}")
