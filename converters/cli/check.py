"""`maxpoolgrad check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .parameters import PATH

if TYPE_CHECKING:
    from onnx import ModelProto


@click.command(short_help="Check a model's MaxPoolV3Grad nodes, and try them out.")
@click.argument("model", type=PATH)
@click.option(
    "--target", metavar="SOC_VERSION", help="List what no public document says that product accepts."
)
def command(model: str, target: str | None) -> int:
    """Check MODEL, an ONNX model, against every rule of the operator, and try its nodes out.

    Every MaxPoolV3Grad node is run alone on the model's own shapes, by the library and by the slow
    reference; then the whole model is run once with random inputs to count windows that match nothing. Exits
    with 1 where anything is wrong; what --target lists is no error.
    """
    from maxpoolgrad_onnx import check
    from maxpoolgrad_onnx.contract import check_soc_version
    from maxpoolgrad_onnx.model_files import load_model

    from .console import quieten_onnxruntime, report_error, warn

    quieten_onnxruntime()
    if target:
        check_soc_version(target)
    loaded = load_model(model)
    issues = check(loaded)
    for issue in issues:
        (report_error if issue.severity == "error" else warn)(issue.message)
    if any(issue.severity == "error" for issue in issues):
        return 1
    equal = _try_nodes(loaded)
    _count_windows(loaded)
    if target:
        _list_undocumented(loaded, target)
    return 0 if equal else 1


def _try_nodes(model: ModelProto) -> bool:
    from maxpoolgrad_onnx.errors import quoted
    from maxpoolgrad_onnx.verification import compare_with_reference

    from .console import report_error, say, table

    trials = compare_with_reference(model)
    if not trials:
        say("the model has no MaxPoolV3Grad node")
        return True
    table(
        ("node", "tried shape", "dtype", "library against reference"),
        [(t.node, list(t.shape), t.dtype, "equal" if t.equal else "DIFFERENT") for t in trials],
    )
    for trial in trials:
        if not trial.equal:
            report_error(f"node {quoted(trial.node)}: the library's result differs from the reference's")
    return all(trial.equal for trial in trials)


def _list_undocumented(model: ModelProto, target: str) -> None:
    from ..targets import check_target
    from .console import say, table, warn

    found = check_target(model, target)
    if not found:
        say(f"public documents say that {target} accepts every node")
        return
    nodes, them = ("node", "it") if len(found) == 1 else ("nodes", "them")
    warn(f"of {len(found)} {nodes} no public document says that {target} accepts {them}")
    rows = [(entry.node, entry.type, entry.reason) for entry in found]
    table(("node in GE", "operator", "what the public documents say"), rows)


def _count_windows(model: ModelProto) -> None:
    from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
    from maxpoolgrad_onnx.verification import count_windows_without_match

    from .console import warn

    try:
        counts = count_windows_without_match(model)
    except MaxPoolGradError as error:
        warn(f"windows without a match were not counted: {error}")
        return
    for found in counts:
        if found.without_match:
            warn(
                f"node {quoted(found.node)}: {found.without_match} of {found.windows} windows match nothing "
                "and lose their gradient; is orig_output rounded through another dtype than orig_input?"
            )
