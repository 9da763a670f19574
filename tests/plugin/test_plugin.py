"""maxpoolgrad plugin: the package built from what the wheel carries, installed, and the cases run."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.plugin import build, cases, selftest
from maxpoolgrad_onnx.converters.plugin.project import PROJECT
from support_cann import ROOT, STUB

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _no_cann(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH", "ASCEND_CUSTOM_OPP_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def cann(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Stand-ins for CANN's CMake functions and headers."""
    folder = tmp_path / "cann"
    shutil.copytree(STUB / "cmake", folder / "compiler" / "tikcpp" / "ascendc_kernel_cmake")
    shutil.copytree(STUB / "include", folder / "include")
    monkeypatch.setenv("ASCEND_HOME_PATH", str(folder))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    return folder


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_the_package_carries_the_project_s_sources() -> None:
    """Each file that build.sh needs, as it stands in the repository."""
    parts = ["custom_op_lib/include", "converters/atc_plugin"]
    parts += [f"ascend_kernel/{part}" for part in ("op_graph", "op_host", "op_kernel", "cmake")]
    for part in parts:
        assert files(PROJECT / part) == files(ROOT / part), f"{part}: install the package again"
    for name in ("CMakeLists.txt", "CMakePresets.json", "build.sh"):
        assert (PROJECT / "ascend_kernel" / name).read_bytes() == (ROOT / "ascend_kernel" / name).read_bytes()


def test_build_and_install(cann: Path, tmp_path: Path, capfd: Capture) -> None:
    assert main(["plugin", "build", "--soc=ascend950", "--output", "out", "--jobs=2"]) == 0
    captured = capfd.readouterr()
    (package,) = (tmp_path / "out").glob("custom_opp_*.run")
    assert (
        f"wrote {package.relative_to(tmp_path)}; install it with: maxpoolgrad plugin install" in captured.out
    )
    assert "CANN's own MaxPoolV3Grad kernel stays" in captured.err
    assert main(["plugin", "install", str(package), "--path", "opp"]) == 0
    vendor = tmp_path / "opp" / "vendors" / "maxpoolgrad"
    assert capfd.readouterr().out.splitlines()[-1] == f"source {vendor}/bin/set_env.bash"
    assert (vendor / "framework" / "onnx" / "libcust_onnx_parsers.so").is_file()


def test_install_into_cann_takes_the_only_package(
    cann: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    build(tmp_path, ["--soc=ascend950", "--jobs=2", "--vendor=ours"])
    (tmp_path / "opp").mkdir()
    monkeypatch.setenv("ASCEND_OPP_PATH", str(tmp_path / "opp"))
    assert main(["plugin", "install"]) == 0
    assert "source" not in capfd.readouterr().out
    assert (tmp_path / "opp" / "vendors" / "config.ini").read_text() == "load_priority=ours\n"


def failed(words: list[str], capfd: Capture) -> str:
    assert main(["plugin", *words]) == 1
    captured = capfd.readouterr()
    (line,) = [line for line in captured.err.splitlines() if line.startswith("error: ")]
    return line


def test_without_cann_one_line_says_what_to_do(tmp_path: Path, capfd: Capture) -> None:
    line = failed(["build"], capfd)
    assert "CANN's environment is not set; install CANN and run 'source <CANN>/set_env.sh'" in line
    assert files(tmp_path) == set()
    (tmp_path / "Ascend" / "cann").mkdir(parents=True)
    assert f"run 'source {tmp_path}/Ascend/cann/set_env.sh' and build again" in failed(["build"], capfd)


def test_a_build_that_fails_leaves_its_output(cann: Path, tmp_path: Path, capfd: Capture) -> None:
    (cann / "compiler" / "tikcpp" / "ascendc_kernel_cmake" / "ASCConfig.cmake").write_text(
        'message(FATAL_ERROR "this CANN is broken")\n'
    )
    line = failed(["build", "--output=out"], capfd)
    assert line.endswith("out/plugin-build.log has its output")
    assert "this CANN is broken" in (tmp_path / "out" / "plugin-build.log").read_text()
    assert files(tmp_path / "out") == {"plugin-build.log"}


def test_install_refusals(tmp_path: Path, capfd: Capture) -> None:
    assert "this folder has none" in failed(["install"], capfd)
    assert "there is no such file" in failed(["install", "x.run"], capfd)
    for name in "ab":
        (tmp_path / f"custom_opp_{name}.run").write_text("exit 3\n")
    assert "this folder has custom_opp_a.run, custom_opp_b.run" in failed(["install"], capfd)
    assert "it ended with 3" in failed(["install", "custom_opp_a.run"], capfd)


def test_the_cases_are_those_of_the_tests() -> None:
    for case in cases.named_cases():
        found = mpg.reference.max_pool_v3_grad(*case.inputs, **case.attributes)
        assert np.array_equal(found, case.out_grad, equal_nan=True), case.name


def test_selftest_on_the_host(tmp_path: Path, capfd: Capture) -> None:
    assert main(["plugin", "selftest", "--soc_version=Ascend910B4", "--output=report.json"]) == 0
    count = 2 * len(cases.named_cases())
    assert f"{count} of {count} cases are equal; wrote report.json" in capfd.readouterr().out
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["where"], report["soc_version"]) == ("host", "Ascend910B4")
    assert {case["kernel"] for case in report["cases"]} == {"native", "twin"}
    assert any(finding["what"] == "CANN" for finding in report["machine"])


def test_selftest_names_what_differs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: Capture) -> None:
    content = json.loads(cases.FILE.read_text("utf-8"))
    content["cases"][0]["out_grad"][3] += 1
    wrong = tmp_path / "cases.json"
    wrong.write_text(json.dumps(content))
    monkeypatch.setattr(cases, "FILE", wrong)
    assert main(["plugin", "selftest"]) == 1
    native, twin = capfd.readouterr().err.splitlines()
    name = content["cases"][0]["name"]
    assert native.startswith(f"error: {name} (native) differs: 1 of ")
    assert twin.startswith(f"error: {name} (twin) differs: 1 of ")


def test_selftest_where_nothing_compiles(capfd: Capture) -> None:
    """Without CANN no case runs on a device; each says why in the report, one line does on stderr."""
    result = selftest("device", "Ascend910B1")
    assert {case.result for case in result.failures} == {"not run"}
    assert len(result.failures) == len(cases.named_cases())
    count = len(cases.named_cases())
    assert main(["plugin", "selftest", "--on=device"]) == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"error: {count} cases (device) not run: no atc of an installed CANN was found; ")
    assert line.endswith("or run the cases on the host (--on host)")


def test_commands_of_plugin_are_named_on_one_line(capfd: Capture) -> None:
    assert main(["plugin"]) == 2
    assert capfd.readouterr().err == "error: Missing command; see 'maxpoolgrad plugin --help'\n"
    assert "the cases are to run on 'mars'; allowed are host and device" in failed(
        ["selftest", "--on=mars"], capfd
    )
