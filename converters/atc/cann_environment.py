"""The environment that an installed atc runs in: what CANN's set_env.sh sets, and our plugin's path."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .cann import Cann
from .vendors import CUSTOM_OPP_PATH, OPP_PATH, plugin_of, vendors

# Below CANN's folder, as set_env.sh puts them in front of these variables.
_FOLDERS = {
    "LD_LIBRARY_PATH": (
        "lib64",
        "lib64/plugin/opskernel",
        "lib64/plugin/nnengine",
        "opp/built-in/op_impl/ai_core/tbe/op_tiling/lib/linux/{machine}",
    ),
    "PYTHONPATH": ("python/site-packages", "opp/built-in/op_impl/ai_core/tbe"),
    "PATH": ("bin", "compiler/ccec_compiler/bin", "tools/ccec_compiler/bin"),
}
_HOMES = {
    "ASCEND_HOME_PATH": ".",
    "ASCEND_TOOLKIT_HOME": ".",
    "ASCEND_AICPU_PATH": ".",
    OPP_PATH: "opp",
    "TOOLCHAIN_HOME": "toolkit",
}
_INSTALL_PATHS = ("opp/vendors", "Ascend/opp/vendors")  # below a user's home, where --install-path may point


@dataclass(frozen=True)
class Environment:
    """The variables, and the folder of the vendor that has our plugin, where there is one."""

    variables: Mapping[str, str]
    plugin: Path | None


def environment_for(cann: Cann, variables: Mapping[str, str]) -> Environment:
    """The given variables, completed for this CANN. What is set already stays, behind CANN's own folders."""
    found = dict(variables)
    if cann.home is not None:
        for name, place in _HOMES.items():
            found.setdefault(name, os.path.normpath(cann.home / place))
        for name, places in _FOLDERS.items():
            folders = [str(cann.home / place.format(machine=platform.machine())) for place in places]
            found[name] = _joined(folders, found.get(name, ""))
    plugin = next((vendor for vendor in vendors(found) if plugin_of(vendor)), None)
    if plugin is None:
        plugin = next((vendor for vendor in _further(found) if plugin_of(vendor)), None)
        if plugin is not None:
            found[CUSTOM_OPP_PATH] = _joined([str(plugin)], found.get(CUSTOM_OPP_PATH, ""))
    return Environment(found, plugin)


def _joined(folders: list[str], before: str) -> str:
    """A search path that begins with these folders, each in it once and those that do not exist left out."""
    others = [path for path in before.split(os.pathsep) if path and path not in folders]
    return os.pathsep.join([*(path for path in folders if os.path.isdir(path)), *others])


def _further(variables: Mapping[str, str]) -> Iterator[Path]:
    """Vendors' folders where CANN does not look by itself."""
    opp, home = variables.get(OPP_PATH), variables.get("HOME")
    places = [Path(opp) / "vendors"] if opp else []
    places += [Path(home) / place for place in _INSTALL_PATHS] if home else []
    for place in places:
        try:
            yield from sorted(folder for folder in place.iterdir() if folder.is_dir())
        except OSError:
            continue
