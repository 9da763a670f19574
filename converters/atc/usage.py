"""The text of `--help`, made from the table of flags."""

from __future__ import annotations

import textwrap

from .flags import FLAGS, Flag

_HEAD = """usage: maxpoolgrad atc <flags>
example:
  maxpoolgrad atc --framework=5 --model=step.onnx --output=step --soc_version=Ascend910B1
"""
_COLUMN = 24
_WIDTH = 110


def usage() -> str:
    """Every flag under its group, with its default and the values that the embedded compiler takes."""
    parts = [_HEAD]
    for group in dict.fromkeys(flag.group for flag in FLAGS):
        parts.append(f"[{group}]")
        parts += [_row(flag) for flag in FLAGS if flag.group == group]
        parts.append("")
    return "\n".join(parts)


def _row(flag: Flag) -> str:
    told = flag.help
    if flag.embedded or flag.choices:
        told += f"; one of {', '.join(flag.embedded or flag.choices)}"
    if not isinstance(flag.default, bool) and flag.default not in ("", -1):
        told += f"; default {flag.default}"
    lines = textwrap.wrap(told, _WIDTH - _COLUMN)
    head = f"  --{flag.name}".ljust(_COLUMN - 1) + " "
    return "\n".join([head + lines[0], *(" " * _COLUMN + line for line in lines[1:])])
