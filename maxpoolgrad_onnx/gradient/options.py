"""Options of losses, optimizers and steps: what they may be, refused in one sentence where they are not."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from typing import Any

from ..errors import MaxPoolGradError, quoted

LARGEST = 65504.0
"""The largest number that float16 holds: no option is larger."""


def choice(name: str, value: Any, allowed: Iterable[str]) -> str:
    """One of several words. Raises MaxPoolGradError (E10001) for another one."""
    words = list(allowed)
    if value not in words:
        raise MaxPoolGradError(
            f"{name} is {quoted(value)}; allowed are {', '.join(map(quoted, words))}", code="E10001"
        )
    return str(value)


def number(
    name: str, value: Any, *, least: float = 0.0, below: float = math.inf, most: float = LARGEST
) -> float:
    """A number from `least` on, `most` at most and less than `below`.

    Raises MaxPoolGradError (E10001) for another one, and for what is no number.
    """
    if isinstance(value, numbers.Real) and least <= float(value) <= most and float(value) < below:
        return float(value)
    too_large = isinstance(value, numbers.Real) and float(value) > most
    upper = " or more"
    if below < math.inf:
        upper = f" or more and less than {below:g}"
    elif most < LARGEST or too_large:
        upper = f" to {most:g}"
    wanted = f"a number, {least:g}{upper}"
    raise MaxPoolGradError(f"{name} is {value!r}; it must be {wanted}", code="E10001")


def positive(name: str, value: Any, *, most: float = LARGEST) -> float:
    """A number above 0. Raises MaxPoolGradError (E10001) for another one."""
    if isinstance(value, numbers.Real) and 0 < float(value) <= most:
        return float(value)
    raise MaxPoolGradError(
        f"{name} is {value!r}; it must be a number above 0, {most:g} at most", code="E10001"
    )
