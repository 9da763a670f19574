"""How a refusal reads: where, what was found, what is allowed, on one line."""

from __future__ import annotations

from typing import NoReturn

from maxpoolgrad_onnx.errors import MaxPoolGradError

BAD_FILE = "E10041"
"""atc's code for a model file of another format, or damaged."""

BAD_NODE = "E13014"
"""atc's code for a node, or a tensor of it, that cannot be as it is."""

NO_GRAPH = "E16004"
SAME_NAMES = "E13009"


def fail(where: str, found: str, allowed: str, code: str | None = None) -> NoReturn:
    """Raise MaxPoolGradError in the form that all refusals of files and graphs have."""
    raise MaxPoolGradError(f"{where}: {found}; {allowed}", code=code)
