"""`maxpoolgrad check`."""

from __future__ import annotations

import click


@click.command()
@click.argument("model", type=click.Path())
def command(model: str) -> int:
    """Check MODEL, an ONNX model, against every rule of the operator, and try its nodes out.

    Every MaxPoolV3Grad node is run alone on the model's own shapes, by the library and by the slow
    reference; then the whole model is run once with random inputs to count windows that match nothing. Exits
    with 1 where anything is wrong.
    """
    from maxpoolgrad_onnx import check
    from maxpoolgrad_onnx.model import load_model
    from maxpoolgrad_onnx.verification import compare_with_reference, count_windows_without_match

    from .console import report_error, say, table, warn

    loaded = load_model(model)
    issues = check(loaded)
    for issue in issues:
        (report_error if issue.severity == "error" else warn)(issue.message)
    if any(issue.severity == "error" for issue in issues):
        return 1
    trials = compare_with_reference(loaded)
    table(
        ("node", "tried shape", "dtype", "library against reference"),
        [(t.node, list(t.shape), t.dtype, "equal" if t.equal else "DIFFERENT") for t in trials],
    )
    for trial in trials:
        if not trial.equal:
            report_error(f"node {trial.node!r}: the library's result differs from the reference's")
    for found in count_windows_without_match(loaded):
        if found.without_match:
            warn(
                f"node {found.node!r}: {found.without_match} of {found.windows} windows match nothing and "
                "lose their gradient; is orig_output rounded through another dtype than orig_input?"
            )
    say(f"{model}: {len(trials)} MaxPoolV3Grad nodes checked")
    return 0 if all(trial.equal for trial in trials) else 1
