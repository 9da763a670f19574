"""Where CANN is looked for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from maxpoolgrad_onnx.converters.atc.cann import find_cann


def _install(home: Path, atc: str = "bin/atc") -> Path:
    path = home / atc
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    (home / "version.cfg").write_text("# version: 1.0\ntoolkit_running_version=[7.6.0.1.220:8.0.0]\n")
    return path


@pytest.mark.parametrize("variable", ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"])
@pytest.mark.parametrize("atc", ["bin/atc", "compiler/bin/atc", "atc/bin/atc"])
def test_the_environment_names_it(tmp_path: Path, variable: str, atc: str) -> None:
    path = _install(tmp_path, atc)
    found = find_cann({variable: str(tmp_path), "PATH": ""})
    assert found is not None
    assert (found.home, found.atc, found.version) == (tmp_path, path, "8.0.0")


def test_the_version_that_the_installer_wrote_comes_first(tmp_path: Path) -> None:
    _install(tmp_path)
    record = tmp_path / "aarch64-linux" / "ascend_toolkit_install.info"
    record.parent.mkdir()
    record.write_text("package_name=Ascend-cann-toolkit\nversion=8.5.0\ninnerversion=V100R001\n")
    found = find_cann({"ASCEND_HOME_PATH": str(tmp_path), "PATH": ""})
    assert found is not None
    assert found.version == "8.5.0"


def test_a_home_that_may_not_be_entered_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As root's for everybody else: nothing is known of what is in it, and nothing is wrong with that."""
    real = os.stat

    def stat(path: Any, *rest: Any, **options: Any) -> os.stat_result:
        if str(path).startswith(str(tmp_path)):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, **options)

    monkeypatch.setattr(os, "stat", stat)
    assert find_cann({"HOME": str(tmp_path), "PATH": ""}) is None


@pytest.mark.parametrize("release", ["cann", "ascend-toolkit/latest"])
def test_the_default_place_of_a_user(tmp_path: Path, release: str) -> None:
    path = _install(tmp_path / "Ascend" / release)
    found = find_cann({"HOME": str(tmp_path), "PATH": ""})
    assert found is not None
    assert found.atc == path


def test_only_an_atc_on_path(tmp_path: Path) -> None:
    path = _install(tmp_path)
    found = find_cann({"PATH": str(path.parent)})
    assert found is not None
    assert (found.home, found.atc, found.version) == (None, path, None)


def test_a_folder_without_atc(tmp_path: Path) -> None:
    found = find_cann({"ASCEND_HOME_PATH": str(tmp_path), "PATH": ""})
    assert found is not None
    assert found.atc is None


def test_a_file_that_cannot_be_executed_is_no_atc(tmp_path: Path) -> None:
    _install(tmp_path).chmod(0o644)
    found = find_cann({"ASCEND_HOME_PATH": str(tmp_path), "PATH": ""})
    assert found is not None
    assert found.atc is None


def test_nothing(tmp_path: Path) -> None:
    assert find_cann({"HOME": str(tmp_path), "PATH": str(tmp_path)}) is None
