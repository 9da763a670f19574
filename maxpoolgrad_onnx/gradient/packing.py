"""Parameters packed into one tensor, so that one node updates many of them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import onnx_ir as ir

from .tape import Tape, dtype_of, static_shape

_FEWEST = 3
"""With fewer members, packing and unpacking are more nodes than they save."""

_LARGEST = 65536
"""Elements of a parameter that is packed: a larger one is longer copied than a node takes to start."""


@dataclass(frozen=True)
class Pack:
    """Parameters of one type that differ in their first size at most, by their numbers."""

    numbers: Sequence[int]

    def join(self, tape: Tape, values: Sequence[ir.Value]) -> ir.Value:
        """The members' values as one, along the first axis."""
        members = [values[number] for number in self.numbers]
        if len(members) == 1:
            return members[0]
        shape = [sum(_sizes(members)), *_shape(members[0])[1:]]
        return tape.op("Concat", members, like=members[0], shape=shape, attributes={"axis": 0})

    def split(self, tape: Tape, value: ir.Value, like: Sequence[ir.Value]) -> list[ir.Value]:
        """The members of a joint value, as large as theirs in `like`."""
        members = [like[number] for number in self.numbers]
        if len(members) == 1:
            return [value]
        results = [(dtype_of(value), _shape(member)) for member in members]
        sizes = tape.ints(_sizes(members), "sizes")
        return tape.ops("Split", [value, sizes], results, attributes={"axis": 0})


def packs_of(parameters: Sequence[ir.Value]) -> list[Pack]:
    """Each parameter in one pack: those that can share it are in one, in their order."""
    groups: dict[Hashable, list[int]] = {}
    for number, parameter in enumerate(parameters):
        shape = _shape(parameter)
        small = math.prod(shape) <= _LARGEST
        key = (dtype_of(parameter), shape[1:]) if small and shape else number
        groups.setdefault(key, []).append(number)
    packs = []
    for members in groups.values():
        packs += [Pack(members)] if len(members) >= _FEWEST else [Pack([number]) for number in members]
    return packs


def _shape(parameter: ir.Value) -> tuple[int, ...]:
    """A parameter's, which is an initializer's: every size is known."""
    shape = static_shape(parameter)
    assert shape is not None, parameter.name
    return shape


def _sizes(members: Sequence[ir.Value]) -> list[int]:
    return [_shape(member)[0] for member in members]
