"""docs/npu.md: what needs no NPU works as it stands there; the rest names files and flags that exist."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support_cann import ROOT

PAGE = (ROOT / "docs" / "npu.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_host_s_side_of_the_comparison(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tool = [sys.executable, "-m", "maxpoolgrad_onnx.converters.cli"]
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    (make,) = (line for line in lines if line.startswith("maxpoolgrad make "))
    (run,) = (line for line in lines if line.startswith("maxpoolgrad run "))
    data, comparison = blocks("python")
    subprocess.run([*tool, *make.split()[1:]], check=True)
    subprocess.run([sys.executable, "-c", data], check=True)
    subprocess.run([*tool, *run.split()[1:]], check=True)
    shutil.copytree("host", "npu")  # as an NPU would have left it
    subprocess.run([sys.executable, "-c", comparison], check=True)
    (result,) = Path("npu", "0").glob("*.npy")
    result.write_bytes(result.read_bytes()[:-4] + b"\0\0\0\x7f")
    assert (
        subprocess.run([sys.executable, "-c", comparison], check=False, capture_output=True).returncode != 0
    )


def test_the_files_it_names_exist() -> None:
    names = set(re.findall(r"ascend_kernel/[a-z0-9_/]+(?:\.\w+)?", PAGE))
    names -= {"ascend_kernel/build_out/custom_opp_"}
    assert {"ascend_kernel/build.sh", "ascend_kernel/examples/max_pool_v3_grad.py"} <= names
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_its_flags_are_those_of_build_sh() -> None:
    flags = set(re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE))
    help_text = subprocess.run(
        [str(ROOT / "ascend_kernel" / "build.sh"), "--help"], check=True, capture_output=True, text=True
    ).stdout
    assert flags == set(re.findall(r"^  (--[a-z-]+)", help_text, re.MULTILINE))


def test_it_says_that_nothing_ran_on_an_npu() -> None:
    assert "Nothing on this page has run on an NPU here." in PAGE
