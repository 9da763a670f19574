"""CANN, its atc and the variables that its set_env.sh sets."""

from __future__ import annotations

import os

from ..atc.cann import find_cann
from ..atc.vendors import CUSTOM_OPP_PATH, OPP_PATH
from .finding import Finding

_NO_NPU = "nothing is compiled for an NPU here; .om files of the embedded compiler run on the host"
_INSTALL = "install the CANN toolkit and source its set_env.sh"
_SOURCE_CANN = "source CANN's set_env.sh before the first use of CANN"
_SOURCE_PACKAGE = (
    "maxpoolgrad plugin build && maxpoolgrad plugin install --path FOLDER, and source the set_env.bash that "
    "it names before the first use of CANN"
)
_BUILT_IN = "built-in"  # without it CANN takes the operators' folder for one of an old layout
# Variable -> what its lack costs, what sets it.
_VARIABLES = {
    "ASCEND_HOME_PATH": ("CANN's tools are looked for at their default places only", _SOURCE_CANN),
    OPP_PATH: ("atc and the runtime find no operators", _SOURCE_CANN),
    CUSTOM_OPP_PATH: (
        "atc and the runtime find no custom operator, MaxPoolV3Grad included",
        _SOURCE_PACKAGE,
    ),
}


def cann() -> list[Finding]:
    """The installed CANN and its atc."""
    found = find_cann()
    if found is None:
        return [Finding("CANN", "absent", "not found", _NO_NPU, _INSTALL)]
    home = f"{found.home or 'outside a CANN folder'}, version {found.version or 'unknown'}"
    if found.atc is None:
        return [Finding("CANN", "ok", home), Finding("atc", "absent", "not found", _NO_NPU, _INSTALL)]
    return [Finding("CANN", "ok", home), Finding("atc", "ok", str(found.atc))]


def variables() -> list[Finding]:
    """The ASCEND_* variables: those that CANN needs, then every other one that is set."""
    known = [_variable(name, *about) for name, about in _VARIABLES.items()]
    others = sorted(name for name in os.environ if name.startswith("ASCEND_") and name not in _VARIABLES)
    return known + [Finding(name, "ok", os.environ[name]) for name in others]


def _variable(name: str, cost: str, cure: str) -> Finding:
    value = os.environ.get(name, "")
    if not value:
        return Finding(name, "absent", "not set", cost, cure)
    missing = [path for path in value.split(os.pathsep) if path and not os.path.isdir(path)]
    if missing:
        return Finding(
            name, "absent", f"{value} (no such folder: {missing[0]})", cost, f"export {name}=FOLDER"
        )
    if name == OPP_PATH and not os.path.isdir(os.path.join(value, _BUILT_IN)):
        found = f"{value} (it has no folder {_BUILT_IN}/)"
        return Finding(name, "absent", found, f"atc ignores {CUSTOM_OPP_PATH}", cure)
    return Finding(name, "ok", value)
