"""What an operator of GE takes and gives: its ports, its attributes and their kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..ge_ir import AttrValue, DataType, ListOf, Tensor

Kind = Literal["Int", "Float", "Bool", "String", "ListInt", "ListBool", "Tensor"]

REQUIRED = object()
"""Stands for the default of an attribute that has none."""

_TYPES: Mapping[Kind, type] = {"Int": int, "Float": float, "Bool": bool, "String": str, "Tensor": Tensor}
_LISTS: Mapping[Kind, tuple[Literal["int", "bool"], type]] = {
    "ListInt": ("int", int),
    "ListBool": ("bool", bool),
}


@dataclass(frozen=True)
class Attribute:
    """An attribute's kind and its default as a plain value (REQUIRED: none).

    The kind decides how a value is written into a graph, so it is never guessed from the value.
    """

    kind: Kind
    default: Any = REQUIRED

    def encode(self, value: Any) -> AttrValue:
        """A plain value as GE keeps it. Raises TypeError for a value of another kind."""
        self._check(value)
        return ListOf(_LISTS[self.kind][0], value) if self.kind in _LISTS else value

    def decode(self, value: AttrValue) -> Any:
        """GE's value as a plain one, a list for a ListOf. Raises TypeError for a value of another kind."""
        plain = list(value.values) if isinstance(value, ListOf) else value
        self._check(plain)
        return plain

    def _check(self, value: Any) -> None:
        if self.kind in _LISTS:
            _, item_type = _LISTS[self.kind]
            fits = isinstance(value, list | tuple) and all(type(item) is item_type for item in value)
        else:
            fits = type(value) is _TYPES[self.kind]
        if not fits:
            raise TypeError(f"is {value!r}; it must be of kind {self.kind}")


@dataclass(frozen=True)
class Port:
    """An input or output. `spatial`: its axes are those of the attribute data_format.

    A dynamic port stands for any number of them, named name0, name1, ... `dtypes` are the types that it takes
    or gives; None is any.
    """

    name: str
    optional: bool = False
    dynamic: bool = False
    spatial: bool = False
    dtypes: frozenset[DataType] | None = None


@dataclass(frozen=True)
class Prototype:
    """An operator of GE; `source` is the public repository and header that its prototype is from."""

    type: str
    inputs: Sequence[Port]
    outputs: Sequence[Port]
    attributes: Mapping[str, Attribute]
    source: str

    @property
    def input_counts(self) -> tuple[int, int | None]:
        """The least and the largest number of inputs; None where there is no largest."""
        least = sum(not port.optional for port in self.inputs)
        return least, None if any(port.dynamic for port in self.inputs) else len(self.inputs)

    @property
    def output_counts(self) -> tuple[int, int | None]:
        """The same for outputs; a dynamic one is there at least once."""
        return len(self.outputs), None if any(port.dynamic for port in self.outputs) else len(self.outputs)

    def unfit(self, dtypes: Sequence[DataType]) -> str | None:
        """Which input is of a type that its port does not take, in words, or None. `dtypes`: the inputs'."""
        for (name, port), dtype in zip(port_names(self.inputs, len(dtypes)), dtypes, strict=False):
            if port.dtypes is not None and dtype not in port.dtypes:
                usual = [one for one in port.dtypes if one.numpy is not None and one.numpy.kind != "c"]
                allowed = ", ".join(sorted(one.label for one in usual))
                return f"{name} of {self.type} is {dtype.label}; it takes {allowed}"
        return None

    def encode_attributes(self, values: Mapping[str, Any]) -> dict[str, AttrValue]:
        """All attributes, typed, defaults written out.

        Raises KeyError for an unknown name, TypeError for a wrong kind.
        """
        unknown = set(values) - set(self.attributes)
        if unknown:
            raise KeyError(f"{self.type} has no attribute {sorted(unknown)}")
        encoded: dict[str, AttrValue] = {}
        for name, attribute in self.attributes.items():
            value = values.get(name, attribute.default)
            if value is REQUIRED:
                raise KeyError(f"{self.type} needs the attribute {name}")
            encoded[name] = attribute.encode(value)
        return encoded


def port_names(ports: Sequence[Port], count: int) -> list[tuple[str, Port]]:
    """Name and prototype of the first `count` ports, a dynamic one stretched to fit."""
    names: list[tuple[str, Port]] = []
    for position, port in enumerate(ports):
        rest = len(ports) - position - 1
        if port.dynamic:
            names += [(f"{port.name}{i}", port) for i in range(count - len(names) - rest)]
        else:
            names.append((port.name, port))
    return names[:count]
