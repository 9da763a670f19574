"""The type of the arrays that go in and out."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]
"""A NumPy array of any dtype and shape; docstrings say which are meant."""
