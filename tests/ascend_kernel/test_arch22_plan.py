"""The plan for A2 and A3: every position has one owner, what is planned fits, and planning is quick."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

from support_twin import programs

UB = (192 - 8) * 1024 - 256  # bytes of a core's unified buffer, without what Select and CANN keep


def test_random_poolings(scale: Callable[[int, int], int]) -> None:
    count = scale(3000, 300_000)
    printed = subprocess.run(
        [programs() / "arch22_plans", "2201", str(count)], check=True, capture_output=True, text=True
    ).stdout
    found = json.loads(printed)
    assert found["wrong"] == []
    assert found["ub"] <= UB
    assert sum(found["strategies"].values()) == count
    assert set(found["strategies"]) == {"zeros", "search", "taps", "separable", "running"}
    assert found["seconds"] / count < 0.01  # tiling runs for every new shape; about 0.2 ms on a desktop


def test_planning_takes_less_than_a_launch() -> None:
    """It runs inside the tiling function, for each new shape."""
    printed = subprocess.run(
        [programs() / "arch22_plan_time", "7", "500"], check=True, capture_output=True, text=True
    ).stdout
    milliseconds = json.loads(printed)
    assert max(milliseconds["shapes"].values()) < 1, milliseconds
    assert milliseconds["slowest"] < 5
