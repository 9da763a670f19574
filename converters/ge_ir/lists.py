"""Where AttrDef.ListValue keeps a list of each kind, and the val_type that says so."""

from __future__ import annotations

from typing import NamedTuple

from .graph import ListKind


class ListField(NamedTuple):
    """val_type of a kind of list, and the field that holds its elements."""

    val_type: int
    field: str


LIST_FIELDS: dict[ListKind, ListField] = {
    "str": ListField(1, "s"),
    "int": ListField(2, "i"),
    "float": ListField(3, "f"),
    "bool": ListField(4, "b"),
    "bytes": ListField(5, "bt"),
    "desc": ListField(6, "td"),
    "tensor": ListField(7, "t"),
    "graph": ListField(8, "g"),
    "named": ListField(9, "na"),
    "dtype": ListField(10, "dt"),
}
LIST_KINDS: dict[int, ListKind] = {entry.val_type: kind for kind, entry in LIST_FIELDS.items()}
