"""`maxpoolgrad plugin`."""

from __future__ import annotations

import click

from .parameters import PATH


@click.group(
    short_help="The operator's package for CANN: build, install and prove it.", no_args_is_help=False
)
def command() -> None:
    """Build, install and prove the operator's package on a machine with CANN."""


@command.command()
@click.option("--output", type=PATH, default=".", show_default=True, help="Folder for the package.")
@click.option(
    "--soc",
    default="ascend910b,ascend910_93,ascend950",
    show_default=True,
    help="Products, with commas between.",
)
@click.option("--override-builtin", is_flag=True, help="Replace the kernel that CANN has on the ascend950.")
@click.option("--vendor", help="The package's folder below vendors/.  [default: maxpoolgrad]")
@click.option("--jobs", type=int, help="Compile so many files at once.  [default: one a core]")
def build(output: str, soc: str, override_builtin: bool, vendor: str | None, jobs: int | None) -> None:
    """Build custom_opp_<os>_<arch>.run: kernels, tiling, prototype and ONNX plugin. Needs CANN."""
    from ..plugin import build as build_package
    from .console import say

    flags = [f"--soc={soc}", *(["--override-builtin"] if override_builtin else [])]
    flags += [
        f"--{name}={value}" for name, value in (("vendor", vendor), ("jobs", jobs)) if value is not None
    ]
    package = build_package(output, flags, tell=lambda line: click.echo(line, err=True))
    say(f"wrote {package}; install it with: maxpoolgrad plugin install {package}")


@command.command()
@click.argument("package", required=False, type=PATH)
@click.option("--path", type=PATH, help="Install to PATH/vendors.  [default: into CANN]")
def install(package: str | None, path: str | None) -> None:
    """Install PACKAGE, a custom_opp_*.run (the one in this folder), and say what to source."""
    from ..plugin import install as install_package
    from .console import say

    installed = install_package(package, path)
    say(installed.said)
    if installed.environment:
        say(f"source {installed.environment}")


@command.command()
@click.option("--on", "where", default="host", show_default=True, help="Where they run: host or device.")
@click.option("--device", default=0, show_default=True, help="Number of the NPU.")
@click.option(
    "--soc_version", "--soc-version", default="Ascend910B1", show_default=True, help="The processor."
)
@click.option(
    "--output", type=PATH, default="plugin-selftest.json", show_default=True, help="The report to send back."
)
def selftest(where: str, device: int, soc_version: str, output: str) -> int:
    """Run the operator's named cases, bit by bit, and write a report.

    On the device: compiled by atc with the installed package, and run by the NPU (untested: no NPU was at
    hand). On the host: the CPU kernel, and the NPU's kernel in its CPU twin.
    """
    from ..plugin import selftest as run_cases
    from .console import report_error, say

    result = run_cases(where, soc_version, device)
    result.save(output)
    say(f"{len(result.cases) - len(result.failures)} of {len(result.cases)} cases are equal; wrote {output}")
    for problem in result.problems:
        report_error(problem)
    return 1 if result.failures else 0
