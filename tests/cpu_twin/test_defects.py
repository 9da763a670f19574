"""Each file of kernels/defects is a kernel in two versions: the twin names the fault of one, and has nothing
against the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

DEFECTS = sorted(path.stem for path in (Path(__file__).parent / "kernels" / "defects").glob("*.cc"))
Runs = dict[tuple[str, str], dict[str, Any]]


@pytest.mark.parametrize("name", DEFECTS)
def test_defect_is_caught_and_named(runs: Runs, name: str) -> None:
    run = runs[name, "faulty"]
    found = [fault for fault in run["faults"] if fault["kind"] == run["seeds"]]
    assert found, f"wanted {run['seeds']}, got {run['faults']}"
    # A fault says what is allowed or what to do, behind what it has found.
    assert any(mark in found[0]["sentence"] for mark in (";", ",")), found[0]


@pytest.mark.parametrize("name", DEFECTS)
def test_the_same_kernel_without_its_defect_is_clean(runs: Runs, name: str) -> None:
    assert runs[name, "clean"]["faults"] == []


def test_every_kind_of_fault_but_those_of_threads_is_seeded_here(runs: Runs) -> None:
    header = Path(__file__).parents[2] / "ascend_kernel" / "cpu_twin" / "include" / "twin" / "faults.h"
    kinds = header.read_text().split("enum class FaultKind")[1].split("};")[0].split("// SIMT")[0]
    names = {line.split(",")[0].strip()[1:] for line in kinds.splitlines() if line.strip().startswith("k")}
    seeded = {run["seeds"].replace("_", "") for (_, variant), run in runs.items() if variant == "faulty"}
    assert {name.lower() for name in names} == seeded - {"atomicorder"}  # one of both kinds of code


def test_core_pipe_instruction_and_place_are_named(runs: Runs) -> None:
    [fault] = [f for f in runs["missing_flag_mte2_v", "faulty"]["faults"] if f["kind"] == "missing_flag"]
    assert fault["sentence"].startswith("core 0, V, Adds at line ")
    assert "which MTE2 (DataCopy, line " in fault["sentence"]
    assert "WaitFlag<MTE2_V>" in fault["sentence"]


def test_gm_fault_names_tensor_offset_and_size(runs: Runs) -> None:
    [fault] = [
        f for f in runs["gm_out_of_bounds_read", "faulty"]["faults"] if f["kind"] == "gm_out_of_bounds"
    ]
    assert "reads bytes [0xfa0, 0x1020) of 'x', which has [0x0, 0x1000)" in fault["sentence"]


def test_race_names_both_cores(runs: Runs) -> None:
    fault = next(f for f in runs["core_race_write", "faulty"]["faults"] if f["kind"] == "core_race")
    assert "core 0 (" in fault["sentence"]
    assert "core 1 (" in fault["sentence"]
    assert fault["count"] == 3  # between four cores
