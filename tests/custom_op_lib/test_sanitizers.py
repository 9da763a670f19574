"""The kernel's own C++ under the sanitizers, and what its object files give to the linker."""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from maxpoolgrad_onnx import _native
from support_case_stream import case_stream, wrong_answers

ROOT = Path(__file__).parents[2]
CPU = ROOT / "custom_op_lib" / "cpu"
COMPILER = shlex.split(os.environ.get("CXX", "c++"))
FLAGS = ["-std=c++17", "-g1", "-ffp-contract=off", f"-I{ROOT / 'custom_op_lib' / 'include'}"]
TARGET_FLAGS = {
    "target_avx2.cc": ["-mavx2", "-mf16c"],
    "target_avx512.cc": ["-mavx2", "-mf16c", "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"],
}
SOURCES = [
    *sorted(CPU.glob("*.cc")),
    Path(__file__).with_name("check_kernel.cc"),
    Path(__file__).with_name("run_cases.cc"),
    Path(__file__).with_name("balance.cc"),
]
IS_X86 = platform.machine() in ("x86_64", "AMD64")


def compiled(source: Path, folder: Path, *flags: str) -> Path:
    to = folder / f"{source.stem}.o"
    own = TARGET_FLAGS.get(source.name, []) if IS_X86 else []
    subprocess.run([*COMPILER, *FLAGS, *own, *flags, "-c", str(source), "-o", str(to)], check=True)
    return to


@pytest.mark.parametrize("sanitizers", ["address,undefined", "thread"])
def test_poolings(sanitizers: str, tmp_path: Path, scale: Callable[[int, int], int]) -> None:
    """Random ones and the operator's named cases; and how evenly two threads share one."""
    flags = [f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", "-O0"]
    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(lambda source: str(compiled(source, tmp_path, *flags)), SOURCES))
    program = tmp_path / "check_kernel"
    subprocess.run([*COMPILER, *flags, *objects, "-pthread", "-o", str(program)], check=True)
    shares = subprocess.run([program, "balance"], check=True, capture_output=True, text=True).stdout.split()
    assert len(shares) == 5
    assert max(map(float, shares)) < 1 / 1.7  # two threads are at least 1.7 times as fast as one
    digest = checked([str(program)], _native.cpu_targets(), scale(60, 20000))
    for emulator in ["qemu-aarch64"][: scale(0, 1)]:  # in the campaign, which fails where it is missing
        command = [emulator, str(built_for_aarch64(tmp_path))]
        assert checked(command, ["scalar", "baseline"], scale(60, 20000)) == digest


def checked(command: list[str], targets: list[str], count: int) -> str:
    """Run the operator's named cases, which must give their bits, and random ones; what it says of these."""
    named = subprocess.run(
        [*command, "cases"], check=True, capture_output=True, text=True, input=case_stream()
    )
    assert wrong_answers(named.stdout, targets) == []
    done = subprocess.run([*command, str(count)], check=False, capture_output=True, text=True)
    assert done.stdout.startswith(f"{count} cases, "), done.stdout + done.stderr[:4000]
    return done.stdout


def built_for_aarch64(folder: Path) -> Path:
    """The same program for another processor."""
    to = folder / "check_kernel-aarch64"
    zig = [sys.executable, "-m", "ziglang", "c++", "-target", "aarch64-linux-musl", "-static", "-O1"]
    subprocess.run([*zig, *FLAGS, *map(str, SOURCES), "-o", str(to)], check=True)
    return to


@pytest.mark.parametrize("target", ["avx2", "avx512"] if IS_X86 else ["baseline"])
def test_a_target_shares_no_function_with_the_others(target: str, tmp_path: Path) -> None:
    """The linker keeps one copy of a shared inline function, perhaps one that this processor cannot run."""
    object_file = compiled(CPU / f"target_{target}.cc", tmp_path, "-O0")
    names = subprocess.run(
        ["nm", "-C", "--defined-only", "--extern-only", str(object_file)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    defined = re.findall(r"^\S+ \w (?!DW\.ref\.)(.+)$", names, re.MULTILINE)  # the rest is no function
    assert f"maxpoolgrad::{target}::choose(maxpoolgrad::FastJob const&, bool)" in defined
    assert [name for name in defined if not name.startswith(f"maxpoolgrad::{target}::")] == []
