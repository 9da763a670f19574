"""Environments with other versions of ONNX Runtime and NumPy, made once and kept in build/compat."""

from __future__ import annotations

import contextlib
import fcntl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "compat"
THIS_PYTHON = sys.version_info[:2]


@dataclass(frozen=True)
class Release:
    """A version of ONNX Runtime with a NumPy for it, and the Pythons that both have wheels for."""

    onnxruntime: str
    numpy: str
    pythons: Sequence[tuple[int, int]]

    @property
    def name(self) -> str:
        return f"onnxruntime-{self.onnxruntime}-numpy-{self.numpy}"


# 1.17.3 and NumPy 1.26 end with Python 3.12; for Python 3.13 the oldest ONNX Runtime is 1.20. The newest
# release is that of the environment which runs the tests, and needs no row.
RELEASES = (
    Release("1.17.3", "1.26.4", [(3, 11), (3, 12)]),
    Release("1.20.1", "2.1.0", [(3, 11), (3, 12), (3, 13)]),
    Release("1.24.4", "1.26.4", [(3, 11), (3, 12)]),
    Release("1.24.4", "2.1.0", [(3, 13)]),
    Release("1.30.0", "2.2.6", [(3, 11), (3, 12), (3, 13)]),
)


def for_this_python() -> list[Release]:
    return [release for release in RELEASES if THIS_PYTHON in release.pythons]


def python_of(release: Release) -> Path:
    """The interpreter of an environment with just this ONNX Runtime and NumPy."""
    requirements = [f"onnxruntime=={release.onnxruntime}", f"numpy=={release.numpy}"]
    return environment(release.name, [requirements], "--no-deps")


def environment(name: str, installs: Sequence[Sequence[str]], *options: str) -> Path:
    """The interpreter of the environment `name`, made with one `pip install` after the other if it is new."""
    folder = FOLDER / f"python-{THIS_PYTHON[0]}.{THIS_PYTHON[1]}-{name}"
    python, complete = folder / "bin" / "python", folder / "complete"
    with exclusive(folder):
        if not complete.exists():
            _run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)])
            for requirements in installs:
                pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
                _run([*pip, *options, *requirements])
            complete.touch()
    return python


@contextlib.contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Let one process at a time make a folder: tests run in several."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(command: list[str]) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
