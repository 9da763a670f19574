"""One thing that was looked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

Status = Literal["ok", "absent", "broken"]


@dataclass(frozen=True)
class Finding:
    """What was found of one thing.

    "absent" costs a feature, "broken" the package; `cure` is a command or a step.
    """

    what: str
    status: Status
    found: str
    cost: str = ""
    cure: str = ""


def findings_as_json(findings: Sequence[Finding]) -> str:
    """The findings as a JSON list of objects with their five fields."""
    return json.dumps([asdict(finding) for finding in findings], indent=2)
