"""Attributes that atc compresses in an .om (its --enable_attr_compression, on by default), written out.

The model then says `om_compress_version`. A compressed name is a NUL byte and digits of base 127, each plus
one, the lowest first: an index into `attr_name_enum`. Where `attrs_use_string_value` is true at that index,
the value is an index too, or a list of them, into `attr_value_enum`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from maxpoolgrad_onnx.errors import quoted

from ..ge_ir.lists import LIST_FIELDS
from ..ge_ir.refusal import BAD_FILE, fail

VERSION = "om_compress_version"
_NAMES = "attr_name_enum"
_VALUES = "attr_value_enum"
_VALUE_IS_INDEX = "attrs_use_string_value"
TABLES = (VERSION, _NAMES, _VALUES, _VALUE_IS_INDEX)

_MARK = "\0"
_BASE = 127
_LONGEST = 9  # digits; more cannot be an index into anything


def expand(message: Any, source: str) -> None:
    """Write out a ModelDef's attributes, in place; one without om_compress_version stays as it is.

    Raises MaxPoolGradError where an index leads nowhere.
    """
    if VERSION not in message.attr:
        return
    names: Sequence[bytes] = message.attr[_NAMES].list.s
    values: Sequence[bytes] = message.attr[_VALUES].list.s
    flags: Sequence[bool] = message.attr[_VALUE_IS_INDEX].list.b
    if len(flags) != len(names):
        found = f"{_NAMES} has {len(names)} entries, {_VALUE_IS_INDEX} {len(flags)}"
        fail(source, found, "both have as many; build the .om again", BAD_FILE)
    for attrs in _compressible(message):
        for key in [key for key in attrs if key.startswith(_MARK)]:
            index = _index(key)
            name = _entry(names, index, source, _NAMES).decode("utf-8", "replace")
            if name not in attrs:  # descriptions carry the plain attribute as well
                attrs[name].CopyFrom(attrs[key])
                if flags[index]:
                    _put_strings(attrs[name], values, source)
            del attrs[key]


def _compressible(message: Any) -> Iterator[Any]:
    """The attribute maps of every operator and of its descriptions."""
    for graph in message.graph:
        for op in graph.op:
            yield op.attr
            for desc in (*op.input_desc, *op.output_desc):
                yield desc.attr


def _index(key: str) -> int:
    digits = key.removeprefix(_MARK)
    if not 0 < len(digits) <= _LONGEST:
        return -1
    return sum((ord(digit) - 1) * _BASE**place for place, digit in enumerate(digits))


def _put_strings(attr: Any, values: Sequence[bytes], source: str) -> None:
    """Replace an index by its string, a list of indices by their strings."""
    if attr.WhichOneof("value") == "i":
        attr.s = _entry(values, attr.i, source, _VALUES)
    elif attr.WhichOneof("value") == "list":
        strings = [_entry(values, index, source, _VALUES) for index in attr.list.i]
        attr.list.Clear()
        attr.list.s.extend(strings)
        attr.list.val_type = LIST_FIELDS["str"].val_type
    else:
        fail(source, "a compressed attribute holds no index", "build the .om again", BAD_FILE)


def _entry(table: Sequence[bytes], index: int, source: str, name: str) -> bytes:
    if not 0 <= index < len(table):
        found = f"an attribute is number {quoted(index)} of {name}"
        fail(source, found, f"it has {len(table)} entries; build the .om again", BAD_FILE)
    return table[index]
