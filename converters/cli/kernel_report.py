"""`maxpoolgrad kernel-report`."""

from __future__ import annotations

import click

from maxpoolgrad_onnx.contract import DATA_FORMATS, DTYPES


@click.command(short_help="What the NPU's kernels move and do, counted by their CPU twin.")
@click.option(
    "--soc_version",
    "--soc-version",
    "soc_versions",
    multiple=True,
    help="A processor; may be given several times.  [default: Ascend910B1 and Ascend950PR_9579]",
)
@click.option("--format", "data_formats", multiple=True, help="NCHW or NHWC.  [default: both]")
@click.option("--dtype", "dtypes", multiple=True, help="float16 or float32.  [default: both]")
@click.option("--batch", type=int, default=32, show_default=True, help="Images.")
@click.option("--output", type=click.Path(), help="Folder for kernel-report.json and kernel-report.png.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the traffic as a Markdown table.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(
    soc_versions: tuple[str, ...],
    data_formats: tuple[str, ...],
    dtypes: tuple[str, ...],
    batch: int,
    output: str | None,
    as_markdown: bool,
    as_json: bool,
) -> None:
    """Run the kernels on the poolings of well-known networks, on their CPU twin, and show what they move.

    "traffic" is in multiples of the least: the inputs read once, out_grad written once. "CANN's" is what is
    known of CANN's nearest public operator: on a 950 its own MaxPoolV3Grad; A2 and A3 have none, there it is
    max_pool3d_grad_with_argmax, which is given indices instead of orig_input and orig_output. "passes" counts
    vector instructions over each element, "bound" is what they must be on paper, "busiest core" its load by
    the mean one's.
    """
    from ..kernel_report import kernel_report
    from ..kernel_report.report import SOC_VERSIONS
    from ..progress import progress_bar
    from .console import say, table

    with progress_bar("running") as progress:
        report = kernel_report(
            soc_versions=soc_versions or SOC_VERSIONS,
            data_formats=data_formats or DATA_FORMATS,
            dtypes=dtypes or DTYPES,
            batch=batch,
            progress=progress,
        )
    if as_markdown:
        click.echo(report.as_markdown())
    elif as_json:
        click.echo(report.as_json())
    else:
        shown = report.table()
        table(shown.headers, shown.rows)
    if output is not None:
        for path in report.save(output):
            say(f"wrote {path}")
