"""Parameter types that several commands share: shapes and windows as a command line writes them."""

from __future__ import annotations

import click


class _Ints(click.ParamType):
    """Comma-separated ints, as many as one of `counts` (any number where it is empty)."""

    name = "ints"

    def __init__(self, *counts: int) -> None:
        self.counts = counts

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            values = tuple(int(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is not a list of ints such as 2,2", param, ctx)
        if self.counts and len(values) not in self.counts:
            allowed = " or ".join(str(count) for count in self.counts)
            self.fail(f"{value!r} has {len(values)} values; allowed are {allowed}", param, ctx)
        return values


SHAPE = _Ints()
WINDOW = _Ints(1, 2, 4)
PADS = _Ints(1, 2, 4)


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
