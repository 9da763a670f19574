"""Each file of this folder is a kernel in two versions, with an ordinary mistake and without it, written from
public documents without a look at the twin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

KERNELS = sorted(path.stem for path in Path(__file__).parent.glob("*.cc"))
Runs = dict[tuple[str, str], dict[str, Any]]


@pytest.mark.parametrize("name", KERNELS)
def test_mistake_is_caught_and_named(runs: Runs, name: str) -> None:
    run = runs[name, "faulty"]
    assert run["seeds"] in {fault["kind"] for fault in run["faults"]}, run["faults"]


@pytest.mark.parametrize("name", KERNELS)
def test_the_same_kernel_without_its_mistake_is_clean(runs: Runs, name: str) -> None:
    assert runs[name, "clean"]["faults"] == []
