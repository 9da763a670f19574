"""Parameter types that several commands share: shapes and windows as a command line writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import click

from maxpoolgrad_onnx.errors import quoted

PATH = click.Path(readable=False)
"""A path of any kind: whoever opens it says what is wrong with it."""

Callback: TypeAlias = Callable[
    [click.Context, click.Parameter, str | None], tuple[int | float | str, ...] | None
]


def _list(read: Callable[[str], int | float | str], example: str, *counts: int) -> Callback:
    """Read comma-separated values, as many as one of `counts` (any number where there are none)."""

    def convert(
        context: click.Context, parameter: click.Parameter, text: str | None
    ) -> tuple[int | float | str, ...] | None:
        if text is None:
            return None
        try:
            values = tuple(read(part.strip()) for part in text.split(","))
        except ValueError:
            raise click.BadParameter(
                f"{quoted(text)} is not a list such as {example}", context, parameter
            ) from None
        if counts and len(values) not in counts:
            allowed = " or ".join(map(str, counts))
            sentence = f"{quoted(text)} has {len(values)} values; allowed are {allowed}"
            raise click.BadParameter(sentence, context, parameter)
        return values

    return convert


def _dim(text: str) -> int | str:
    """A size, or the name of one that is known when the model runs."""
    return text if text.isidentifier() else int(text)


dims = _list(_dim, "1,3,8,8")
window = _list(int, "2,2", 1, 2, 4)
pads = _list(int, "1,1", 1, 2, 4)
numbers = _list(float, "0.9,0.999")


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


def switch(value: object) -> bool:
    """The type of a flag with a value as ais_bench's have: 1, true, t, yes, y and 0, false, f, no, n."""
    text = str(value).lower()
    if text in ("1", "true", "t", "yes", "y"):
        return True
    if text in ("0", "false", "f", "no", "n"):
        return False
    raise click.BadParameter(f"{quoted(value)} is neither 0 nor 1")


def spelled(flag: str) -> tuple[str, str]:
    """A flag of several words in both spellings, --a_b and --a-b."""
    return flag, f"--{flag[2:].replace('_', '-')}"
