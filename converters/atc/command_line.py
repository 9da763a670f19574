"""atc's command line: words to values, by the rules that atc's own parser has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from .flags import BY_NAME, Flag, Value
from .other_flags import IGNORED, REFUSED

_TRUE = frozenset({"", "1", "t", "true", "y", "yes"})
_FALSE = frozenset({"0", "f", "false", "n", "no"})


class FlagError(MaxPoolGradError):
    """A command line that cannot be read. atc prints such a message without a code, after `ERROR: `."""


@dataclass(frozen=True)
class Given:
    """A flag as it was given: its name, the text of its value, and the words that it was written in."""

    name: str
    text: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class CommandLine:
    """The flags that were given, in order, of which the last of each name counts."""

    flags: Sequence[Given]

    def text(self, name: str) -> str:
        """The text of a flag's value; its default where it was not given."""
        given = [flag.text for flag in self.flags if flag.name == name]
        return given[-1] if given else str(BY_NAME[name].default)

    def has(self, *names: str) -> bool:
        """Whether one of these flags was given."""
        return any(flag.name in names for flag in self.flags)

    def values(self) -> Mapping[str, Value]:
        """The values of the flags of the table that were given, by name.

        Raises FlagError for a flag that atc does not have, and MaxPoolGradError (E10001, E10003) for a value
        that is not of the flag's type or not one of its choices.
        """
        for flag in self.flags:
            if flag.name not in (*BY_NAME, *IGNORED, *REFUSED):
                raise FlagError(f"unknown command line flag '{flag.name}'")
        return {
            flag.name: _value(BY_NAME[flag.name], flag.text) for flag in self.flags if flag.name in BY_NAME
        }

    def others(self) -> Sequence[str]:
        """The names of the flags outside the table."""
        return list(dict.fromkeys(flag.name for flag in self.flags if flag.name not in BY_NAME))

    def words_without(self, *names: str) -> list[str]:
        """The words of the flags as they were written, except those of these names."""
        return [word for flag in self.flags if flag.name not in names for word in flag.words]


def split(words: Sequence[str]) -> CommandLine:
    """The flags in these words.

    One dash or two, `--name=value` or `--name value`, `-` inside a name for `_`; a bool needs no value, and a
    flag that atc did not have in August 2026 takes the next word as its value unless that is a flag.
    Raises FlagError for a missing value or a word that belongs to no flag, which is told last, as atc does.
    """
    rest, flags, stray = list(words), [], []
    while rest:
        word = rest.pop(0)
        if word == "--":
            stray += rest
            break
        if not re.match(r"--?[A-Za-z]", word):
            stray.append(word)
            continue
        flags.append(_flag(word, rest))
        if flags[-1].name == "help":
            break
    if stray:
        raise FlagError(f"Non-option parameter: {stray[0]}; every value belongs to a flag: --name=value")
    return CommandLine(flags)


def parse(words: Sequence[str]) -> Mapping[str, Value]:
    """The values of the flags in these words, as `split` and `CommandLine.values` read them."""
    return split(words).values()


def _flag(word: str, rest: list[str]) -> Given:
    """The flag that a word begins, with a value that is the next word taken off the rest."""
    written, equals, text = word.partition("=")
    name = written.lstrip("-").replace("-", "_")
    name = "help" if name == "h" else name
    known = BY_NAME.get(name)
    if equals or (known is not None and isinstance(known.default, bool)):
        return Given(name, text, (word,))
    if known is None and name not in IGNORED | REFUSED and (not rest or rest[0].startswith("-")):
        return Given(name, "", (word,))
    if not rest:
        about = "" if known is None else f"; {name} is {known.help}"
        raise FlagError(f"flag '{written}' is missing its argument{about}")
    text = rest.pop(0)
    return Given(name, text, (word, text))


def _value(flag: Flag, text: str) -> Value:
    if flag.choices and text not in flag.choices:
        allowed = ", ".join(flag.embedded or flag.choices)
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
