"""What a list of profiles says, and which of them an input's shapes are."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..ge_ir import Shape


class Kind(enum.IntEnum):
    """Which sizes the profiles fix; the values are those of GE's attribute mbatch_dynamic_type."""

    BATCH = 1
    IMAGE = 2
    DIMS = 3


@dataclass(frozen=True)
class Profiles:
    """Alternatives for the open sizes of a model's inputs.

    `shapes` are those of the inputs that the user named, in that order, -1 where a size is open. Each of
    `sizes` is one profile: an input that has as many open axes as a profile has sizes takes them all, as
    every input does with a batch size or an image size; otherwise the inputs take theirs one after another.
    """

    kind: Kind
    shapes: Mapping[str, Shape]
    sizes: Sequence[tuple[int, ...]]

    def shapes_of(self, number: int) -> dict[str, Shape]:
        """The shapes of the named inputs in profile `number`, by name."""
        sizes, taken = self.sizes[number], 0
        found = {}
        for name, shape in self.shapes.items():
            count = shape.count(-1)
            own = iter(sizes if count == len(sizes) else sizes[taken : taken + count])
            found[name] = tuple(next(own) if size < 0 else size for size in shape)
            taken += count
        return found

    def number_of(self, shapes: Mapping[str, Sequence[int]]) -> int | None:
        """The profile that these shapes are of; inputs that no profile names do not count."""
        for number in range(len(self.sizes)):
            wanted = self.shapes_of(number)
            if all(tuple(shapes[name]) == shape for name, shape in wanted.items()):
                return number
        return None

    def __str__(self) -> str:
        """The profiles as the flags write them."""
        separator = "," if self.kind is Kind.BATCH else ";"
        return separator.join(",".join(map(str, sizes)) for sizes in self.sizes)

    def check(self) -> None:
        """Raise MaxPoolGradError (E10045) where the sizes are not as many as the open axes."""
        counts = {name: shape.count(-1) for name, shape in self.shapes.items()}
        for sizes in self.sizes:
            others = [name for name, count in counts.items() if count not in (0, len(sizes))]
            if others and sum(counts.values()) != len(sizes):
                raise MaxPoolGradError(
                    f"the profile {quoted(','.join(map(str, sizes)))} has {len(sizes)} sizes; the inputs "
                    f"have {sum(counts.values())} open axes, {counts[others[0]]} of them in "
                    f"{quoted(others[0])}: give each profile one size for each open axis",
                    code="E10045",
                )
