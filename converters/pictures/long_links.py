"""Which links of a large graph are too long to be led through the layers between their ends."""

from __future__ import annotations

from collections.abc import Sequence

MOST_BENDS = 4000
"""Of all links together: a bend costs as much time as a box, and there are easily 1,000 times as many."""


def long_bundles(bundles: Sequence[int], spans: Sequence[int]) -> frozenset[int]:
    """The bundles that are not led through layers: the longest, so many that MOST_BENDS suffices.

    Args:
        bundles: of each link; links of one bundle share their bends.
        spans: how many layers lie between a link's ends, plus one.
    """
    bends: dict[int, int] = {}
    for bundle, span in zip(bundles, spans, strict=True):
        bends[bundle] = max(bends.get(bundle, 0), span - 1)
    total = sum(bends.values())
    long = set()
    for bundle, count in sorted(bends.items(), key=lambda entry: -entry[1]):
        if total <= MOST_BENDS:
            break
        long.add(bundle)
        total -= count
    return frozenset(long)
