"""Installing the package, by its own installer."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from maxpoolgrad_onnx.errors import MaxPoolGradError, one_line

PATTERN = "custom_opp_*.run"


@dataclass(frozen=True)
class Installed:
    """What the installer said, and the file to source before CANN starts (None: CANN finds the package)."""

    said: str
    environment: Path | None


def install(package: str | os.PathLike[str] | None = None, path: str | None = None) -> Installed:
    """Install a package that `build` made.

    Args:
        package: the .run; where left out, the only one in the current folder.
        path: install to `path`/vendors; where left out, into CANN itself ($ASCEND_OPP_PATH/vendors).

    Raises MaxPoolGradError where there is no package, or its installer fails, with its sentence.
    """
    chosen = Path(package) if package is not None else _only_package()
    if not chosen.is_file():
        raise MaxPoolGradError(f"{chosen}: there is no such file; make it with `maxpoolgrad plugin build`")
    flags = [] if path is None else [f"--install-path={path}"]
    done = subprocess.run(
        ["bash", str(chosen), *flags],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="backslashreplace",
    )
    if done.returncode:
        said = one_line(done.stderr).removeprefix(f"{chosen.name}: ")
        raise MaxPoolGradError(f"{chosen}: {said or f'it ended with {done.returncode}'}")
    if path is None:
        return Installed(done.stdout.strip(), None)
    (environment,) = Path(path).resolve().glob(f"vendors/{_vendor(chosen)}/bin/set_env.bash")
    return Installed(done.stdout.strip(), environment)


def _only_package() -> Path:
    packages = sorted(Path().glob(PATTERN))
    if len(packages) == 1:
        return packages[0]
    found = ", ".join(map(str, packages)) or "none"
    raise MaxPoolGradError(
        f"no package is named, and this folder has {found}; name one: `maxpoolgrad plugin install FILE.run`"
    )


def _vendor(package: Path) -> str:
    """The folder that the package installs, by its own word."""
    with open(package, "rb") as file:
        for line in file:
            if line.startswith(b"vendor="):
                return line.removeprefix(b"vendor=").strip().decode()
    raise MaxPoolGradError(f"{package}: it is no package of `maxpoolgrad plugin build`")
