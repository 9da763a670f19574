"""Building the package: the project's own build.sh, in a folder that is thrown away."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import make_folder, write_atomically

from ..atc.cann import find_cann
from .project import copy_project

LOG = "plugin-build.log"
"""What a build that fails leaves in the output's folder."""

_PREFIX = "build.sh: "


def build(
    output: str | os.PathLike[str],
    arguments: Sequence[str] = (),
    *,
    tell: Callable[[str], None] = lambda line: None,
) -> Path:
    """Build custom_opp_<os>_<arch>.run with the CANN of this machine.

    Args:
        output: the folder that the package is put into; made where it is missing.
        arguments: those of ascend_kernel/build.sh, such as "--soc=ascend910b".
        tell: gets each line that the build prints.

    Returns:
        The package's path.

    Raises MaxPoolGradError where CANN is missing or the build fails; what it printed then stands in
    `output`/plugin-build.log.
    """
    folder = make_folder(Path(output))
    _check_environment()
    with tempfile.TemporaryDirectory(prefix="maxpoolgrad-") as scratch:
        script = copy_project(Path(scratch))
        code, lines = _run(["bash", str(script), *arguments], tell)
        packages = list((script.parent / "build_out").glob("custom_opp_*.run"))
        if code or len(packages) != 1:
            raise _failure(code, lines, folder)
        package = folder / packages[0].name
        write_atomically(package, packages[0].read_bytes())
    package.chmod(0o755)
    return package


def _check_environment() -> None:
    """build.sh says what to do where CANN's environment is not set; this names the CANN that is there."""
    found = find_cann()
    if not os.environ.get("ASCEND_HOME_PATH") and found and found.home:
        raise MaxPoolGradError(
            f"CANN's environment is not set; run 'source {found.home / 'set_env.sh'}' and build again"
        )


def _run(command: list[str], tell: Callable[[str], None]) -> tuple[int, list[str]]:
    """Run to the end, telling each line as it comes; the exit code and the lines."""
    lines = []
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="backslashreplace",
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                lines.append(line.rstrip("\n"))
                if not line.startswith(_PREFIX):  # build.sh's last word, which becomes the error
                    tell(lines[-1])
        except BaseException:
            process.kill()
            raise
    return process.returncode, lines


def _failure(code: int, lines: list[str], folder: Path) -> MaxPoolGradError:
    """build.sh's own sentence where it has one, and where the rest of its output stands."""
    said = [line.removeprefix(_PREFIX) for line in lines if line.startswith(_PREFIX)]
    reason = said[-1] if said else f"it ended with {code}" if code else "it made no package"
    if len(lines) > len(said):
        write_atomically(folder / LOG, "".join(f"{line}\n" for line in lines).encode())
        reason += f"; {folder / LOG} has its output"
    return MaxPoolGradError(f"the build failed: {reason}")
