"""`maxpoolgrad doctor`."""

from __future__ import annotations

import click


@click.command(short_help="Show what is installed, what is missing and how to mend it.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def command(as_json: bool) -> int:
    """Show what is installed, what is missing, what that costs and how to mend it.

    Exits with 1 where something is missing that the package cannot work without.
    """
    from ..doctor import examine, findings_as_json
    from .console import report_error, table

    findings = examine()
    broken = [finding for finding in findings if finding.status == "broken"]
    if as_json:
        click.echo(findings_as_json(findings))
    else:
        table(
            ("", "what", "found", "what its lack costs", "how to mend it"),
            [(f.status, f.what, f.found, f.cost, f.cure) for f in findings],
        )
    for finding in broken:
        report_error(f"{finding.what}: {finding.found}; {finding.cost}; mend it with: {finding.cure}")
    return 1 if broken else 0
