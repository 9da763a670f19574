"""`maxpoolgrad run`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from .parameters import PATH, spelled, switch

if TYPE_CHECKING:
    from ..runtime.run import RunReport

# Of ais_bench, what this command does not do, and what to do instead.
_NOT_HERE = {
    "dump": "give --acl_json_path an acl.json with a dump section, on a device",
    "profiler": "give --acl_json_path an acl.json with a profiler section, on a device",
    "dymShape_range": "run once for each shape, with --dymShape",
}


@click.command(short_help="Run a model on the host or a device, with ais_bench's flags.")
@click.argument("model", required=False, type=PATH)
@click.option("--model", "-m", "model_flag", type=PATH, help="The same as MODEL.")
@click.option(
    "--input",
    "-i",
    "inputs",
    help="A .npy or .bin file, or a folder of them, for each input, in their order or as name=path, with "
    "commas between; several files of an input make its batch where their sizes say so.  "
    "[default: made-up inputs]",
)
@click.option("--output", "-o", type=PATH, help="Folder for the results; without it nothing is written.")
@click.option(*spelled("--output_dirname"), help="Subfolder of it.  [default: the time]")
@click.option("--outfmt", default="BIN", show_default=True, help="NPY, BIN or TXT.")
@click.option("--loop", "-l", default=1, show_default=True, help="How often each input is run.")
@click.option(*spelled("--warmup_count"), default=1, show_default=True, help="Runs that are not timed.")
@click.option(
    "--device", "-d", default="0", show_default=True, help="Number of the device; the host takes any."
)
@click.option(
    "--backend",
    default="auto",
    show_default=True,
    help="host, device, or auto: a device for an .om that a real atc made, where pyACL is installed "
    "(untested on hardware).",
)
@click.option("--batchsize", type=int, help="Examples of a run; the size of a first axis that is open.")
@click.option(
    *spelled("--output_batchsize_axis"), default=0, show_default=True, help="The outputs' batch axis."
)
@click.option(
    *spelled("--pure_data_type"), default="zero", show_default=True, help="zero or random, without --input."
)
@click.option("--dymBatch", "dym_batch", type=int, help="The first size, where it is open.")
@click.option("--dymHW", "dym_hw", help="Height and width, where they are open: 300,500.")
@click.option("--dymDims", "dym_dims", help="All inputs' shapes: x:1,3,8,8;y:1,4.")
@click.option("--dymShape", "dym_shape", help="The same, for a model of open shapes.")
@click.option("--debug", type=switch, default=False, help="1 shows inputs, outputs and each run's time.")
@click.option(*spelled("--display_all_summary"), type=switch, default=False, help="1 shows copy times, too.")
@click.option(*spelled("--acl_json_path"), type=PATH, help="AscendCL's configuration, on a device.")
@click.option("--dump", type=switch, default=False, hidden=True)
@click.option("--profiler", type=switch, default=False, hidden=True)
@click.option("--dymShape_range", "dymShape_range", default=None, hidden=True)
# What these ask for is so anyway: shapes follow from the files, the memory of outputs from the model.
@click.option(
    *spelled("--auto_set_dymshape_mode"), type=switch, default=False, hidden=True, expose_value=False
)
@click.option(
    *spelled("--auto_set_dymdims_mode"), type=switch, default=False, hidden=True, expose_value=False
)
@click.option("--outputSize", hidden=True, expose_value=False)
@click.option(*spelled("--run_mode"), hidden=True, expose_value=False)
@click.option(
    "--kernel",
    default="native",
    show_default=True,
    help="What computes MaxPoolV3Grad on the host: native, or twin, the NPU's kernel in its CPU twin.",
)
@click.option(
    *spelled("--soc_version"), help="The twin's processor.  [default: the one that MODEL is planned for]"
)
@click.pass_context
def command(
    context: click.Context,
    /,
    model: str | None,
    model_flag: str | None,
    inputs: str | None,
    device: str,
    dym_batch: int | None,
    dym_hw: str | None,
    dym_dims: str | None,
    dym_shape: str | None,
    debug: bool,
    display_all_summary: bool,
    **options: Any,
) -> None:
    """Run MODEL, an .onnx, .air or .om, with ais_bench's flags.

    An .om that a real atc made runs on a device where pyACL is installed; everything else runs on the host.
    Runs on a device are untested on hardware.
    """
    if model and model_flag:
        raise click.UsageError(f"MODEL is {model}, --model is {model_flag}; give one of them.", context)
    path = model or model_flag
    if path is None:
        raise click.UsageError("Missing argument 'MODEL'.", context)
    for flag, cure in _NOT_HERE.items():
        if options.pop(flag):
            raise click.UsageError(f"--{flag} is not done here; {cure}.", context)
    from ..progress import progress_bar
    from ..runtime.open_sizes import OpenSizes
    from ..runtime.run import run
    from .console import quieten_onnxruntime

    quieten_onnxruntime()
    with progress_bar("running") as progress:
        report = run(
            path,
            inputs=[part for part in (inputs or "").split(",") if part],
            device=_device(context, device),
            open_sizes=OpenSizes(dym_batch, dym_hw, dym_dims, dym_shape),
            arguments=sys.argv,
            progress=progress,
            **options,
        )
    _show(report, debug, display_all_summary)


def _device(context: click.Context, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise click.UsageError(
            f"--device is {text}; one run takes one device: start one for each.", context
        ) from None


def _show(report: RunReport, debug: bool, every_span: bool) -> None:
    """The summary in ais_bench's own lines, which scripts look for."""
    from .console import say, table, warn

    for sentence in report.warnings:
        warn(sentence)
    if debug:
        _show_details(report)
    spans = ["H2D_latency", "NPU_compute_time", "D2H_latency"] if every_span else ["NPU_compute_time"]
    say("[INFO] -----------------Performance Summary------------------")
    for span in spans:
        values = {name: value for name, value in report.summary[span].items() if name != "count"}
        say(f"[INFO] {span} (ms): {', '.join(f'{name} = {value}' for name, value in values.items())}")
    mean = report.summary["NPU_compute_time"]["mean"]
    throughput = report.summary["throughput"]
    say(f"[INFO] throughput 1000*batchsize.mean({report.batch})/NPU_compute_time.mean({mean}): {throughput}")
    say("[INFO] ------------------------------------------------------")
    if report.kernels:
        names = next(iter(report.kernels.values()))
        table(("MaxPoolV3Grad", *names), [(node, *row.values()) for node, row in report.kernels.items()])
    if report.summary_path:
        count = len(report.files)
        say(f"wrote {count} file{'s' * (count != 1)} and {report.summary_path}")


def _show_details(report: RunReport) -> None:
    from .console import say, table

    for title, infos in (("input", report.inputs), ("output", report.outputs)):
        rows = [
            (number, info.name, list(info.shape or ()), info.datatype, info.format, info.realsize)
            for number, info in enumerate(infos)
        ]
        table((title, "name", "shape", "dtype", "format", "bytes"), rows)
    for time in report.times.exec_time_list:
        say(f"[DEBUG] model aclExec cost : {time:f}")
