"""Where an installed CANN and its atc are."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from glob import glob
from pathlib import Path

# What CANN's own set_env.sh sets, then where its installer puts it for root and for a user.
_HOME_VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
_INSTALL_FOLDERS = (Path("/usr/local/Ascend"), Path("~/Ascend"))
_RELEASE_FOLDERS = ("cann", "cann-*", "ascend-toolkit/latest", "latest")
# Below CANN's folder: what its installer writes for people to read, and what its tools write.
_VERSIONS = (
    ("*-linux/ascend_toolkit_install.info", r"^version=(\S+)"),
    ("version.cfg", r"_running_version=\[[^:\]]*:([^\]]+)\]"),
)
_ATC = ("bin/atc", "compiler/bin/atc", "atc/bin/atc")


@dataclass(frozen=True)
class Cann:
    """An installed CANN: its folder (None where only an atc on PATH was found), its atc, its version."""

    home: Path | None
    atc: Path | None
    version: str | None


def find_cann(environment: Mapping[str, str] | None = None) -> Cann | None:
    """The CANN that the environment names, else one at a default place, else an atc on PATH."""
    variables = os.environ if environment is None else environment
    on_path = shutil.which("atc", path=variables.get("PATH", ""))
    for home in _homes(variables):
        if os.path.isdir(home):  # the one of Path raises where a folder above may not be entered
            atc = next((home / path for path in _ATC if os.access(home / path, os.X_OK)), None)
            return Cann(home, atc or (Path(on_path) if on_path else None), _version(home))
    return Cann(None, Path(on_path), None) if on_path else None


def _homes(variables: Mapping[str, str]) -> Iterator[Path]:
    for name in _HOME_VARIABLES:
        if variables.get(name):
            yield Path(variables[name])
    for folder in _INSTALL_FOLDERS:
        for release in _RELEASE_FOLDERS:
            pattern = str(_expand(folder, variables) / release)
            yield from map(Path, sorted(glob(pattern), key=_release_number, reverse=True))


def _release_number(path: str) -> list[int]:
    """The numbers in a folder's name: the newest release has the highest."""
    return [int(number) for number in re.findall(r"[0-9]+", os.path.basename(path))]


def _expand(folder: Path, variables: Mapping[str, str]) -> Path:
    home = variables.get("HOME")
    return Path(home, *folder.parts[1:]) if home and folder.parts[0] == "~" else folder


def _version(home: Path) -> str | None:
    """From the first of its files that has one."""
    for pattern, form in _VERSIONS:
        for path in sorted(home.glob(pattern)):
            try:
                found = re.search(form, path.read_text(errors="replace"), re.MULTILINE)
            except OSError:
                continue
            if found:
                return found.group(1)
    return None
