"""Fixtures for all tests. Helpers that are plain functions stand in support*.py beside this file."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

CAMPAIGN = os.environ.get("MAXPOOLGRAD_CAMPAIGN") == "1"


@pytest.fixture(scope="session")
def scale() -> Callable[[int, int], int]:
    """`scale(sample, full)`: how many cases a test tries, in `make test` and in `make campaign`."""
    return lambda sample, full: full if CAMPAIGN else sample
