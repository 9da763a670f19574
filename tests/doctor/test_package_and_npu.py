"""doctor: the installed plugin and the NPU, on machines made of stand-ins."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from maxpoolgrad_onnx.converters.doctor import Finding
from maxpoolgrad_onnx.converters.doctor.npu import npu
from maxpoolgrad_onnx.converters.doctor.package import package

KEY = 'extern "C" const char* key() { return "npu::1::MaxPoolV3Grad"; }\n'


def library(path: Path, source: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    code = path.with_suffix(".cc")
    code.write_text(source)
    compiler = os.environ.get("CXX", "c++")
    lazy = ["-undefined", "dynamic_lookup"] if os.uname().sysname == "Darwin" else []
    subprocess.run([compiler, "-shared", "-fPIC", *lazy, "-o", str(path), str(code)], check=True)


@pytest.fixture
def cann(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("ASCEND_OPP_PATH", "ASCEND_CUSTOM_OPP_PATH", "LD_LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "cann"
    home.mkdir()
    monkeypatch.setenv("ASCEND_HOME_PATH", str(home))
    return home


def vendor(tmp_path: Path, source: str = KEY) -> Path:
    folder = tmp_path / "vendors" / "ours"
    library(folder / "framework" / "onnx" / "libcust_onnx_parsers.so", source)
    return folder


def one(findings: list[Finding], what: str) -> Finding:
    (found,) = [finding for finding in findings if finding.what == what]
    return found


@pytest.mark.usefixtures("cann")
def test_no_plugin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = one(package(), "ONNX plugin")
    assert (found.status, found.found) == ("absent", "not installed")
    assert "E16002" in found.cost
    assert found.cure.startswith("maxpoolgrad plugin build")
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(vendor(tmp_path, "int other;\n")))
    assert one(package(), "ONNX plugin").status == "absent"


@pytest.mark.usefixtures("cann")
def test_a_plugin_that_loads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = vendor(tmp_path)
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(folder))
    assert package() == [
        Finding("ONNX plugin", "ok", f"{folder}/framework/onnx/libcust_onnx_parsers.so (loads)")
    ]


def test_a_plugin_takes_its_symbols_from_cann(
    cann: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = KEY + "extern int registered();\nint plugin = registered();\n"
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(vendor(tmp_path, source)))
    found = one(package(), "ONNX plugin")
    assert found.status == "absent"
    assert "does not load: " in found.found
    assert "registered" in found.found
    library(cann / "lib64" / "libregister.so", "int registered() { return 1; }\n")
    assert one(package(), "ONNX plugin").status == "ok"


def test_without_cann_loading_is_not_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(vendor(tmp_path)))
    assert "not known without CANN" in one(package(), "ONNX plugin").found


@pytest.mark.usefixtures("cann")
def test_vendors_are_asked_in_their_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ours = vendor(tmp_path)
    other = tmp_path / "vendors" / "other" / "op_impl" / "max_pool_v3_grad.json"
    other.parent.mkdir(parents=True)
    other.write_text("{}")
    config = ours.parent / "config.ini"
    monkeypatch.setenv("ASCEND_OPP_PATH", str(tmp_path))
    config.write_text("load_priority=ours,other\n")
    assert [finding.what for finding in package()] == ["ONNX plugin"]
    config.write_text("load_priority=other,ours\n")
    found = one(package(), "vendors' order")
    assert f"{ours.parent}/other comes before {ours}" in found.found
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(ours))  # asked before CANN's own folder
    assert [finding.what for finding in package()] == ["ONNX plugin"]


@pytest.mark.usefixtures("cann")
def test_the_library_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = vendor(tmp_path)
    (folder / "op_api" / "lib").mkdir(parents=True)
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", str(folder))
    assert one(package(), "LD_LIBRARY_PATH").cure == f"source {folder}/bin/set_env.bash"
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/lib:{folder}/op_api/lib")
    assert [finding.what for finding in package()] == ["ONNX plugin"]


def npu_smi(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, board: str = "", code: int = 0) -> None:
    """An npu-smi that knows one NPU."""
    script = folder / "npu-smi"
    script.write_text(
        f"""#!/bin/sh
if [ "$2" = -t ]; then printf '{board}'; exit 0; fi
cat <<END
+--------------------------------------------------------------------------------+
| npu-smi 25.2.0                   Version: 25.2.0                                |
+---------------------------+---------------+------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)                |
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)       |
+===========================+===============+====================================+
| 3     {name:<20}| OK            | 92.4        38                     |
| 0                         | 0000:C1:00.0  | 0           0    / 0               |
+===========================+===============+====================================+
END
exit {code}
"""
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_no_npu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert npu().status == "absent"
    npu_smi(monkeypatch, tmp_path, "910B1", code=1)
    assert (npu().status, npu().cure) == ("absent", "run `npu-smi info` for the reason")


@pytest.mark.parametrize(
    ("name", "board", "soc_version"),
    [
        ("910B1", "", "Ascend910B1"),
        ("910B4-1", "", "Ascend910B4-1"),
        ("910B1", "        Chip Name                      : 910B1\\n", "Ascend910B1"),
        ("Ascend910", "  Chip Name : Ascend910\\n  NPU Name  : 9391\\n", "Ascend910_9391"),
        ("Ascend950PR", "  NPU Name  : 9579\\n", "Ascend950PR_9579"),
    ],
)
def test_the_npu_s_name_as_atc_takes_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, board: str, soc_version: str
) -> None:
    npu_smi(monkeypatch, tmp_path, name, board)
    assert npu() == Finding("NPU", "ok", f"{soc_version} (for --soc_version)")


def test_an_npu_that_the_operator_is_not_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    npu_smi(monkeypatch, tmp_path, "310P3")
    found = npu()
    assert (found.status, found.found) == ("absent", "Ascend310P3")
    assert "Ascend910B" in found.cost
