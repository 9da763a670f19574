"""Parameter types that several commands share: shapes and windows as a command line writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


class _List(click.ParamType):
    """Comma-separated values, as many as one of `counts` (any number where there are none)."""

    name = "list"

    def __init__(self, read: Callable[[str], int | str], example: str, *counts: int) -> None:
        self.read = read
        self.example = example
        self.counts = counts

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int | str, ...]:
        if isinstance(value, tuple):
            return value
        try:
            values = tuple(self.read(part.strip()) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is not a list such as {self.example}", param, ctx)
        if self.counts and len(values) not in self.counts:
            allowed = " or ".join(str(count) for count in self.counts)
            self.fail(f"{value!r} has {len(values)} values; allowed are {allowed}", param, ctx)
        return values


def _dim(text: str) -> int | str:
    """A size, or the name of one that is known when the model runs."""
    return text if text.isidentifier() else int(text)


DIMS = _List(_dim, "1,3,8,8")
WINDOW = _List(int, "2,2", 1, 2, 4)
PADS = _List(int, "1,1", 1, 2, 4)


def window_of(values: tuple[int, ...], data_format: str) -> list[int]:
    """One value (square), two (height, width) or all four, as the operator's list of four."""
    if len(values) == 4:
        return list(values)
    height, width = values[0], values[-1]
    return [1, height, width, 1] if data_format == "NHWC" else [1, 1, height, width]


def pads_of(values: tuple[int, ...]) -> list[int]:
    """One value (every side), two (height, width) or all four [top, bottom, left, right]."""
    if len(values) == 4:
        return list(values)
    return [values[0], values[0], values[-1], values[-1]]
