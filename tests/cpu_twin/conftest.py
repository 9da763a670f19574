"""Runs the small kernels, once a session."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from support_twin import programs

Runs = dict[tuple[str, str], dict[str, Any]]


def _run(program: str) -> Runs:
    printed = subprocess.run([programs() / program], check=True, capture_output=True, text=True).stdout
    return {(run["name"], run["variant"]): run for run in json.loads(printed)}


@pytest.fixture(scope="session")
def runs() -> Runs:
    """What came of every kernel, by its file's name and "clean", "faulty" or "values"."""
    return _run("kernels")


@pytest.fixture(scope="session")
def simt_runs() -> Runs:
    """The same for the kernels of SIMT code."""
    return _run("simt_kernels")
