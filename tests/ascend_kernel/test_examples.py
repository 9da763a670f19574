"""The examples: GE's graph mode, on a session that computes on the CPU, and the same graph from Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support_cann import EXECUTABLE, ROOT, STUB, link, objects

EXAMPLES = ROOT / "ascend_kernel" / "examples"
CPU = ROOT / "custom_op_lib" / "cpu"
CASES = ["float16_static", "float16_dynamic", "float32_static", "float32_dynamic"]


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], check=False, capture_output=True, text=True)


def python_example(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, EXAMPLES / "max_pool_v3_grad.py", *arguments)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("example")
    stub = [STUB / name for name in ("operator.cc", "ge_operators.cc", "values.cc", "session/session.cc")]
    parts = objects([EXAMPLES / "test_geir_max_pool_v3_grad.cpp", *stub], folder, f"-I{CPU}")
    return link(folder / "test_geir_max_pool_v3_grad", [*parts, cpu_kernel(folder)], *EXECUTABLE, "-pthread")


def cpu_kernel(folder: Path) -> Path:
    """The kernel's library, built as the example builds it."""
    cmake = Path(sys.executable).with_name("cmake")
    for words in (["-S", CPU, "-B", folder, "-DCMAKE_BUILD_TYPE=Debug"], ["--build", folder, "-j2"]):
        done = run(cmake, *words)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "libmaxpoolgrad_cpu.a"


def test_every_case_runs_and_agrees(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split() for line in done.stdout.splitlines()] == [[case, "ok"] for case in CASES]
    compared = python_example("--compare", tmp_path)
    assert compared.returncode == 0, compared.stderr
    assert [line.split()[1] for line in compared.stdout.splitlines()] == ["ok"] * len(CASES)


def test_the_comparison_shows_a_wrong_element(program: Path, tmp_path: Path) -> None:
    run(program, tmp_path)
    path = tmp_path / "float32_static.out_grad.bin"
    result = np.fromfile(path, np.float32)
    result[12345] += 1
    result.tofile(path)
    compared = python_example("--compare", tmp_path)
    assert compared.returncode == 1
    place = tuple(int(i) for i in np.unravel_index(12345, (2, 20, 19, 30)))
    assert f"1 of 22800 elements differ, first at {place}" in compared.stdout
    path.write_bytes(b"")
    assert "has 0 elements, not 22800" in python_example("--compare", tmp_path).stdout


def test_without_an_npu_the_graphs_are_saved_alone(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "--no-run")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split() for line in done.stdout.splitlines()] == [[case, "saved"] for case in CASES]
    assert {path.name for path in tmp_path.glob("*.air")} == {f"{case}.air" for case in CASES}
    nothing = python_example("--compare", tmp_path)
    assert nothing.returncode == 1
    assert "run test_geir_max_pool_v3_grad first" in nothing.stderr


def test_a_missing_folder_is_an_error(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path / "none")
    assert done.returncode == 1
    assert done.stdout.count("the files could not be written") == len(CASES)
    assert run(program).returncode == 2


def test_the_same_graph_from_python_runs_on_the_host(tmp_path: Path) -> None:
    done = python_example(tmp_path / "new")
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines()] == [["float16", "ok"], ["float32", "ok"]]
    written = {path.name for path in (tmp_path / "new").iterdir()}
    assert written == {
        f"{dtype}.{kind}" for dtype in ("float16", "float32") for kind in ("onnx", "air", "om")
    }
