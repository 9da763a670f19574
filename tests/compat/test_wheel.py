"""The wheel: what is in it, and that it works with the oldest versions of all that it needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import onnx
import pytest

from support_cnn import random_cnn
from support_compat import FOLDER, ROOT, THIS_PYTHON, environment, exclusive

RUNNER = Path(__file__).with_name("run_installed.py")
PROJECT = "operator_project"  # the sources that are built where CANN is
# The oldest that pip can install together: pyproject.toml's lower bounds, where others do not ask for more.
# Python 3.13 came after the oldest ONNX Runtime and NumPy.
OLDEST = {
    "click": "8.1.0",
    "ml_dtypes": "0.5.0",
    "onnx": "1.19.0",
    "onnx-ir": "0.1.12",
    "protobuf": "4.25.1",
    "rich": "13.0.0",
    **(
        {"numpy": "1.26.0", "onnxruntime": "1.17.3"}
        if THIS_PYTHON < (3, 13)
        else {"numpy": "2.1.0", "onnxruntime": "1.20.1"}
    ),
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as anyone would, in an isolated environment; only the objects are kept for the next time."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "wheel"
    with exclusive(folder):
        if not folder.exists():
            _build_wheel(folder)
    (path,) = folder.glob("*.whl")
    return path


def _build_wheel(folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder)]
    build = f"build-dir={FOLDER / 'wheel'}-{THIS_PYTHON[0]}.{THIS_PYTHON[1]}"
    done = subprocess.run(
        [*pip, "--config-settings", build, str(ROOT)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_size(wheel: Path) -> None:
    assert wheel.stat().st_size < 2 * 1024**2


def test_contents(wheel: Path) -> None:
    names = [PurePosixPath(name) for name in zipfile.ZipFile(wheel).namelist()]
    package = [name for name in names if name.parts[0] == "maxpoolgrad_onnx"]
    others = {name.parts[0] for name in names} - {"maxpoolgrad_onnx"}
    assert [name.endswith(".dist-info") for name in others] == [True]
    own = [name for name in package if name.parts[1] != PROJECT]
    suffixes = {name.suffix for name in own}
    assert suffixes <= {".py", ".pyi", ".so", ".dylib", ".typed", ".proto", ".css", ".js"}
    inside = {"/".join(name.parts[1:]) for name in own}
    assert {"py.typed", "_ascend.pyi", "_native.pyi", "__init__.py", "converters/cli/main.py"} <= inside
    library = "libmaxpoolgrad_ort." + ("dylib" if sys.platform == "darwin" else "so")
    compiled = {name for name in inside if name.endswith((".so", ".dylib"))}
    assert library in compiled
    modules = compiled - {library}
    assert sorted(name.partition(".")[0] for name in modules) == ["_ascend", "_native"]
    assert not [name for name in inside if "CMakeLists" in name or name.split("/")[0] in ("tests", "build")]
    project = {"/".join(name.parts[2:]) for name in package if name.parts[1] == PROJECT}
    assert {"ascend_kernel/build.sh", "converters/atc_plugin/json.cc", "tests/cases/operator.json"} <= project
    assert not [name for name in project if "cpu_twin" in name or "python" in name]


def test_every_python_file_is_in_it(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith((".py", ".pyi"))}
    tracked = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "maxpoolgrad_onnx", "converters"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\n")
    sources = {name for name in tracked if name.endswith((".py", ".pyi"))}
    installed = {name.replace("converters/", "maxpoolgrad_onnx/converters/", 1) for name in sources}
    assert installed
    assert installed <= inside


def test_whole_road_with_the_oldest_versions(wheel: Path, tmp_path: Path) -> None:
    requirements = [f"{name}=={version}" for name, version in OLDEST.items()]
    python = environment("oldest", [requirements])
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--force-reinstall", str(wheel)], check=True, capture_output=True)
    cnn = random_cnn(1, 3)
    arrays: Any = cnn.feeds
    onnx.save(cnn.model, tmp_path / "forward.onnx")
    np.savez(tmp_path / "feeds.npz", **arrays)
    done = subprocess.run(
        [str(python), str(RUNNER), "forward.onnx", "feeds.npz"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert Path(report.pop("package")).is_relative_to(python.parents[1])
    assert report == {name: OLDEST[name] for name in ("numpy", "onnx", "onnxruntime", "protobuf")}
