"""Every test of the front end is on a machine without CANN, until it makes one."""

from __future__ import annotations

import os
from pathlib import Path

import onnx
import pytest

from maxpoolgrad_onnx.converters.atc import cann
from maxpoolgrad_onnx.model import make_model
from support_atc import POOL


@pytest.fixture(autouse=True)
def _no_cann(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH", "ASCEND_CUSTOM_OPP_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setattr(cann, "_INSTALL_FOLDERS", (Path("~/Ascend"),))
    folders = [path for path in os.environ["PATH"].split(os.pathsep) if not Path(path, "atc").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(folders))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The operator on a batch of unknown size, as an ONNX file."""
    path = tmp_path / "m.onnx"
    onnx.save(make_model(["N", 2, 8, 8], name="grad", **POOL), path)
    return path
