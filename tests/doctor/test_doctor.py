"""doctor: each finding on a machine that has the thing and on one that has not."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path

import pytest

from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.doctor import Finding, ascend, examine, findings_as_json, libraries, tools

Capture = pytest.CaptureFixture[str]


def _by_name(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.what: finding for finding in findings}


@pytest.fixture(autouse=True)
def _no_cann(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH", "ASCEND_CUSTOM_OPP_PATH"):
        monkeypatch.delenv(name, raising=False)


def test_this_machine_can_work(capfd: Capture) -> None:
    assert main(["doctor"]) == 0
    captured = capfd.readouterr()
    assert captured.err == ""
    assert "onnxruntime" in captured.out


def test_json_is_all_there_is_on_stdout(capfd: Capture) -> None:
    assert main(["doctor", "--json"]) == 0
    captured = capfd.readouterr()
    findings = json.loads(captured.out)
    assert captured.err == ""
    assert {"Python", "numpy", "native module", "CANN"} <= {finding["what"] for finding in findings}
    assert all(finding.keys() == {"what", "status", "found", "cost", "cure"} for finding in findings)


def test_every_lack_has_a_cost_and_a_cure() -> None:
    for finding in examine():
        assert finding.status == "ok" or (finding.cost and finding.cure), finding


def test_an_old_package_is_broken(monkeypatch: pytest.MonkeyPatch, capfd: Capture) -> None:
    real = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "1.16.3" if name == "onnxruntime" else real(name))
    found = _by_name(libraries.packages())["onnxruntime"]
    assert (found.status, found.found) == ("broken", "1.16.3")
    assert "pip install 'onnxruntime>=" in found.cure
    assert main(["doctor"]) == 1
    assert capfd.readouterr().err.startswith("error: onnxruntime: 1.16.3; the package needs ")


def test_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    found = _by_name(libraries.packages())
    assert found["numpy"].status == "broken"
    assert found["matplotlib"].status == "absent"
    assert found["matplotlib"].cure == "pip install matplotlib"


def test_a_library_that_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert libraries.custom_op_library().status == "broken"


def test_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert tools.compiler().status == "absent"


def test_the_compiler_that_cxx_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler = tmp_path / "my-compiler"
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    assert tools.compiler() == Finding("C++ compiler", "ok", str(compiler))


def test_an_installed_cann(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    atc = tmp_path / "bin" / "atc"
    atc.parent.mkdir()
    atc.write_text("#!/bin/sh\n")
    atc.chmod(0o755)
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path))
    found = _by_name([*ascend.cann(), *ascend.variables()])
    assert found["CANN"].found.startswith(str(tmp_path))
    assert found["atc"].found == str(atc)
    assert found["ASCEND_HOME_PATH"].status == "ok"


def test_what_sets_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASCEND_OPP_PATH", "ASCEND_CUSTOM_OPP_PATH"):
        monkeypatch.delenv(name, raising=False)
    found = _by_name(ascend.variables())
    assert "CANN's set_env.sh" in found["ASCEND_OPP_PATH"].cure
    assert "maxpoolgrad plugin install" in found["ASCEND_CUSTOM_OPP_PATH"].cure


def test_a_variable_that_leads_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", f"{tmp_path}:{tmp_path}/none")
    found = _by_name(ascend.variables())["ASCEND_CUSTOM_OPP_PATH"]
    assert found.status == "absent"
    assert f"no such folder: {tmp_path}/none" in found.found


def test_operators_in_a_folder_of_another_layout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without built-in/ CANN does not look at ASCEND_CUSTOM_OPP_PATH at all."""
    monkeypatch.setenv("ASCEND_OPP_PATH", str(tmp_path))
    found = _by_name(ascend.variables())["ASCEND_OPP_PATH"]
    assert (found.status, found.cost) == ("absent", "atc ignores ASCEND_CUSTOM_OPP_PATH")
    assert "it has no folder built-in/" in found.found
    (tmp_path / "built-in").mkdir()
    assert _by_name(ascend.variables())["ASCEND_OPP_PATH"].status == "ok"


def test_other_ascend_variables_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_SLOG_PRINT_TO_STDOUT", "1")
    assert _by_name(ascend.variables())["ASCEND_SLOG_PRINT_TO_STDOUT"].found == "1"


def test_findings_as_json() -> None:
    text = findings_as_json([Finding("a", "ok", "1")])
    assert json.loads(text) == [{"what": "a", "status": "ok", "found": "1", "cost": "", "cure": ""}]
