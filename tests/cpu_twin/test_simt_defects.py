"""Each file of kernels/simt is a kernel with SIMT code in two versions: the twin names the fault of one, and
has nothing against the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

DEFECTS = sorted(path.stem for path in (Path(__file__).parent / "kernels" / "simt").glob("*.cc"))
Runs = dict[tuple[str, str], dict[str, Any]]


@pytest.mark.parametrize("name", DEFECTS)
def test_defect_is_caught_and_named(simt_runs: Runs, name: str) -> None:
    run = simt_runs[name, "faulty"]
    found = [fault for fault in run["faults"] if fault["kind"] == run["seeds"]]
    assert found, f"wanted {run['seeds']}, got {run['faults']}"
    assert any(mark in found[0]["sentence"] for mark in (";", ",", ":")), found[0]


@pytest.mark.parametrize("name", DEFECTS)
def test_the_same_kernel_without_its_defect_is_clean(simt_runs: Runs, name: str) -> None:
    assert simt_runs[name, "clean"]["faults"] == []


def test_every_kind_of_fault_of_threads_is_seeded_here(simt_runs: Runs) -> None:
    header = Path(__file__).parents[2] / "ascend_kernel" / "cpu_twin" / "include" / "twin" / "faults.h"
    kinds = header.read_text().split("// SIMT")[1].split("};")[0]
    names = {line.split(",")[0].strip()[1:].lower() for line in kinds.splitlines() if "," in line}
    seeded = {run["seeds"].replace("_", "") for run in simt_runs.values()}
    assert names - {""} <= seeded


def test_race_names_both_threads_and_lines(simt_runs: Runs) -> None:
    faults = simt_runs["thread_race_overlapping_windows", "faulty"]["faults"]
    [fault] = [fault for fault in faults if fault["kind"] == "thread_race"]
    where = f"line {fault['line']}"
    assert fault["sentence"].startswith(
        f"core 0, V, store at {where}: thread 0 writes bytes [0x10, 0x14) of 'y'"
    )
    assert f"thread 1 writes ({where})" in fault["sentence"]


def test_plain_pointers_are_seen_and_do_no_harm(simt_runs: Runs) -> None:
    """A store behind the output does not happen: its thread stops there."""
    faults = simt_runs["gm_store_past_end", "faulty"]["faults"]
    [fault] = [fault for fault in faults if fault["kind"] == "gm_out_of_bounds"]
    assert "asc_vf_call at line" in fault["sentence"]
    assert "thread 0 writes bytes [0x1000, 0x1004) of 'y', which has [0x0, 0x1000)" in fault["sentence"]
    assert fault["count"] == 256


def test_requests_are_lines_of_128_bytes(simt_runs: Runs) -> None:
    """4,096 B through the data cache and out again: a miss a line, and a request a warp's line."""
    run = simt_runs["core_race_shares", "clean"]
    for way in ("read", "written"):
        assert run[way]["bytes"] == 4096
        assert run[way]["bursts"] == 4096 / 128
