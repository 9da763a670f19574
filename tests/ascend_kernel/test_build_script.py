"""build.sh: what it takes, what it says, and what it asks CMake for."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from support_cann import ROOT

SCRIPT = ROOT / "ascend_kernel" / "build.sh"
Result = subprocess.CompletedProcess[str]


@dataclass
class Machine:
    """A machine with a CANN and a cmake that only writes down what it is asked for."""

    cann: Path
    log: Path
    environment: dict[str, str]
    project: Path

    def build(self, *arguments: str, **changes: str | None) -> Result:
        environment = self.environment | {key: value for key, value in changes.items() if value is not None}
        for key in [key for key, value in changes.items() if value is None]:
            environment.pop(key, None)
        return subprocess.run(
            [str(self.project / "build.sh"), *arguments],
            check=False,
            capture_output=True,
            text=True,
            env=environment,
        )

    def calls(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    cann = tmp_path / "cann"
    (cann / "compiler" / "tikcpp" / "ascendc_kernel_cmake").mkdir(parents=True)
    log = tmp_path / "log"
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "cmake").write_text(f'#!/bin/sh\necho "$*" >> {log}\n')
    (bin_folder / "cmake").chmod(0o755)
    project = tmp_path / "ascend_kernel"
    project.mkdir()
    (project / "build.sh").write_bytes(SCRIPT.read_bytes())
    (project / "build.sh").chmod(0o755)
    path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
    return Machine(cann, log, {"PATH": path, "ASCEND_HOME_PATH": str(cann)}, project)


def refused(result: Result) -> str:
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("build.sh: ")
    return line


REFUSED: dict[str, tuple[list[str], str]] = {
    "product": (
        ["--soc=ascend310p"],
        "--soc has 'ascend310p'; allowed are ascend910b, ascend910_93 and ascend950",
    ),
    "no product": (["--soc="], "--soc has no value"),
    "vendor": (["--vendor", "my-ops"], "--vendor is 'my-ops'; it must be a letter followed by"),
    "vendor that escapes": (["--vendor=../x"], "--vendor is '../x'"),
    "vendor left out": (["--vendor"], "--vendor has no value"),
    "jobs": (["--jobs=none"], "--jobs is 'none'; it must be a number of 1 or more"),
    "flag": (["--sco=ascend910b"], "unknown argument '--sco'; see build.sh --help"),
    "word": (["ascend910b"], "unknown argument 'ascend910b'"),
    "override without the 950": (
        ["--soc=ascend910b", "--override-builtin"],
        "--override-builtin is for ascend950",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_wrong_argument_is_named_in_one_line(machine: Machine, what: str) -> None:
    arguments, sentence = REFUSED[what]
    assert sentence in refused(machine.build(*arguments))
    assert machine.calls() == []


def test_without_cann_one_line_says_what_to_do(machine: Machine) -> None:
    line = refused(machine.build(ASCEND_HOME_PATH=None))
    assert "install CANN and run 'source <CANN>/set_env.sh'" in line


def test_a_runtime_without_the_toolkit_is_told_apart(machine: Machine, tmp_path: Path) -> None:
    line = refused(machine.build(ASCEND_HOME_PATH=str(tmp_path)))
    assert str(tmp_path) in line
    assert "install the CANN toolkit" in line


def test_help_needs_no_cann(machine: Machine) -> None:
    result = machine.build("--help", ASCEND_HOME_PATH=None)
    assert result.returncode == 0
    assert all(flag in result.stdout for flag in ("--soc=LIST", "--override-builtin", "--vendor NAME"))


STAYS = "CANN's own MaxPoolV3Grad kernel stays"
REPLACES = "this package's kernel replaces CANN's own MaxPoolV3Grad"
ASKED: dict[str, tuple[list[str], str, str, str]] = {
    "everything": ([], "default", "ascend910b;ascend910_93", STAYS),
    "overriding": (["--override-builtin"], "override-builtin", "ascend910b;ascend910_93;ascend950", REPLACES),
    "A2": (["--soc", "ascend910b"], "a2-a3", "ascend910b", ""),
    "A2 and A3": (["--soc=ascend910b,ascend910_93"], "a2-a3", "ascend910b;ascend910_93", ""),
    "the 950": (["--soc=ascend950"], "plugin-only", "", STAYS),
    "the 950 overriding": (
        ["--soc=ascend950", "--override-builtin"],
        "override-builtin",
        "ascend950",
        REPLACES,
    ),
}


@pytest.mark.parametrize("what", ASKED)
def test_products_become_a_preset_and_what_the_950_gets_is_said(machine: Machine, what: str) -> None:
    arguments, preset, kernels, said = ASKED[what]
    result = machine.build(*arguments, "--vendor=ours", "--jobs=3")
    first, *rest = machine.calls()
    assert first.startswith(f"--preset {preset} -DASCEND_COMPUTE_UNIT={kernels} -Dvendor_name=ours ")
    assert all("--parallel 3" in call for call in rest if "--build" in call)
    assert any("--target binary" in call for call in rest) == bool(kernels)
    assert f"kernels for: {kernels or 'no product'}" in result.stdout
    assert (said in result.stdout) if said else ("ascend950" not in result.stdout)


def test_a_build_that_gives_nothing_is_an_error(machine: Machine) -> None:
    assert "the build gave no framework folder" in refused(machine.build())


def test_presets_are_those_that_the_script_asks_for() -> None:
    presets = json.loads((ROOT / "ascend_kernel" / "CMakePresets.json").read_text())
    names = {preset["name"] for preset in presets["configurePresets"]}
    assert names == {preset for _, preset, _, _ in ASKED.values()}
