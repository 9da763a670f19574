"""Names that nobody else has."""

from __future__ import annotations

from collections.abc import Iterable


class UniqueNames:
    """Hands out names: the wanted one, or where it is taken the first free of `name_1`, `name_2` ..."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def claim(self, wanted: str) -> str:
        """A name that was free, and is taken from now on."""
        name = wanted
        if not wanted or wanted in self._taken:
            number = self._next.get(wanted, 1)
            while f"{wanted}_{number}" in self._taken:
                number += 1
            self._next[wanted] = number + 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name
