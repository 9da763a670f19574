"""Which compiler a command line is for: this package's own, or the atc of an installed CANN."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from .cann import Cann, find_cann
from .command_line import CommandLine
from .flags import BY_NAME

_COMPILING = ("0", "3", "30")  # modes that make or check a model; the others only show one


@dataclass(frozen=True)
class Backend:
    """The atc that is to run with its CANN, or neither for the embedded compiler; and what to tell of it."""

    cann: Cann | None = None
    atc: Path | None = None
    notices: tuple[str, ...] = ()


def choose_backend(line: CommandLine) -> Backend:
    """The backend that --backend asks for. Raises MaxPoolGradError where it is not there (E10055)."""
    wanted, choices = line.text("backend"), BY_NAME["backend"].choices
    if wanted not in choices:
        allowed = ", ".join(choices)
        raise MaxPoolGradError(f"--backend is {quoted(wanted)}; allowed are {allowed}", code="E10001")
    if wanted == "embedded" or (wanted == "auto" and line.text("mode") not in _COMPILING):
        return Backend()
    found = find_cann()
    if found is not None and found.atc is not None:
        version = found.version or "of an unknown version"
        why = "" if wanted == "cann" else "; --backend=embedded takes this package's own compiler instead"
        return Backend(found, found.atc, (f"the backend is cann: {found.atc}, CANN {version}{why}",))
    if wanted == "cann":
        raise MaxPoolGradError(
            "--backend is 'cann', but no atc was found on PATH, in ASCEND_HOME_PATH or at CANN's default "
            "places; install CANN and source its set_env.sh, or use --backend=embedded",
            code="E10055",
        )
    return Backend(notices=("the backend is embedded: no atc of an installed CANN was found",))
