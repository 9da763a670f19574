"""atc's command line: words to values, by the rules that atc's own parser has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from .flags import BY_NAME, Flag, Value

_TRUE = frozenset({"", "1", "t", "true", "y", "yes"})
_FALSE = frozenset({"0", "f", "false", "n", "no"})


class FlagError(MaxPoolGradError):
    """A command line that cannot be read. atc prints such a message without a code, after `ERROR: `."""


def parse(words: Sequence[str]) -> Mapping[str, Value]:
    """The values of the flags that were given, by name; the last of a flag given twice counts.

    One dash or two, `--name=value` or `--name value`, `-` inside a name for `_`; a bool needs no value.
    Raises FlagError for an unknown flag, a missing value or a word that belongs to no flag, and
    MaxPoolGradError (E10001, E10003) for a value that is not of the flag's type or not one of its choices.
    """
    values: dict[str, Value] = {}
    for flag, text in _pairs(words):
        values[flag.name] = _value(flag, text)
        if flag.name == "help":
            break
    return values


def _pairs(words: Sequence[str]) -> Iterator[tuple[Flag, str]]:
    """Flags and their values. What belongs to no flag is told last, as atc does."""
    rest = list(words)
    stray = []
    while rest:
        word = rest.pop(0)
        if word == "--":
            stray += rest
            break
        if not re.match(r"--?[A-Za-z]", word):
            stray.append(word)
            continue
        name, equals, text = word.partition("=")
        flag = _flag(name)
        if not equals and not isinstance(flag.default, bool):
            if not rest:
                raise FlagError(f"flag '{name}' is missing its argument; {flag.name} is {flag.help}")
            text = rest.pop(0)
        yield flag, text
    if stray:
        raise FlagError(f"Non-option parameter: {stray[0]}; every value belongs to a flag: --name=value")


def _flag(word: str) -> Flag:
    name = word.lstrip("-").replace("-", "_")
    flag = BY_NAME.get("help" if name == "h" else name)
    if flag is None:
        raise FlagError(f"unknown command line flag '{name}'")
    return flag


def _value(flag: Flag, text: str) -> Value:
    if flag.choices and text not in flag.choices:
        allowed = ", ".join(flag.choices)
        raise MaxPoolGradError(f"--{flag.name} is {quoted(text)}; allowed are {allowed}", code="E10001")
    if isinstance(flag.default, bool):
        if text.lower() in _TRUE | _FALSE:
            return text.lower() in _TRUE
        raise MaxPoolGradError(f"--{flag.name} is {quoted(text)}; it must be true or false", code="E10003")
    if isinstance(flag.default, int):
        if re.fullmatch(r"[0-9]{1,9}", text):
            return int(text)
        raise MaxPoolGradError(f"--{flag.name} is {quoted(text)}; it must be an int", code="E10003")
    return text
