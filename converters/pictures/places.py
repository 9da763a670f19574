"""Layered layout, last step: x positions that keep edges straight and boxes apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

_SWEEPS = 24


def place_layers(
    layers: Sequence[Sequence[int]],
    widths: Sequence[float],
    pairs: Mapping[tuple[int, int], float],
    gap: float,
) -> list[float]:
    """The x of each node's centre, the order within the layers kept and boxes at least `gap` apart.

    Layer after layer, downwards and upwards, each node is drawn to the weighted mean of its neighbours; a
    layer's positions are then the closest to those (in weighted least squares) that keep the distances.

    Args:
        layers: nodes of each layer, from left to right.
        widths: of every node.
        pairs: (node, node of the layer below) -> how strongly they draw each other.
    """
    above: list[list[tuple[int, float]]] = [[] for _ in widths]
    below: list[list[tuple[int, float]]] = [[] for _ in widths]
    for (upper, lower), weight in pairs.items():
        above[lower].append((upper, weight))
        below[upper].append((lower, weight))
    xs = [0.0] * len(widths)
    for layer in layers:
        for node, offset in zip(layer, _offsets(layer, widths, gap), strict=True):
            xs[node] = offset
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        both = sweep >= _SWEEPS // 2
        for layer in layers if downwards else layers[::-1]:
            near = [
                above[node] + below[node] if both else (above if downwards else below)[node] for node in layer
            ]
            _draw_together(layer, near, xs, _offsets(layer, widths, gap))
    return xs


def _offsets(layer: Sequence[int], widths: Sequence[float], gap: float) -> list[float]:
    """The least x of each node of a layer, the first one's being 0."""
    offsets = [0.0]
    for left, right in pairwise(layer):
        offsets.append(offsets[-1] + (widths[left] + widths[right]) / 2 + gap)
    return offsets[: len(layer)]


def _draw_together(
    layer: Sequence[int],
    near: Sequence[Sequence[tuple[int, float]]],
    xs: list[float],
    offsets: Sequence[float],
) -> None:
    """Weighted isotonic regression of (wanted x - offset), by pooling adjacent violators."""
    blocks: list[tuple[float, float, int]] = []  # mean, weight, number of nodes
    for node, neighbours, offset in zip(layer, near, offsets, strict=True):
        weight = sum(w for _, w in neighbours)
        wanted = sum(xs[other] * w for other, w in neighbours) / weight if weight else xs[node]
        block = (wanted - offset, weight or 0.1, 1)
        while blocks and blocks[-1][0] > block[0]:
            mean, mass, size = blocks.pop()
            total = mean * mass + block[0] * block[1]
            block = (total / (mass + block[1]), mass + block[1], size + block[2])
        blocks.append(block)
    at = 0
    for mean, _, size in blocks:
        for _ in range(size):
            xs[layer[at]] = mean + offsets[at]
            at += 1
