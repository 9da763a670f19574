"""Layered layout, step 1: which layer each node is drawn in, so that every edge leads downwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Edge = tuple[int, int]
"""(upper node, lower node), by index."""


def assign_layers(count: int, edges: Sequence[Edge]) -> list[int]:
    """The layer of each of `count` nodes, 0 on top, with upper above lower for every edge.

    Every node lies as high as its edges allow, save that a node with more edges below it than above it is
    lowered until it touches the first of those below, which shortens edges; nodes that hang on it alone go
    with it and do not count. What leads to one node only, from its beginnings on, lies right above that. In a
    cycle, one edge is taken the other way round.
    """
    order = _topological_order(count, edges)
    position = {node: at for at, node in enumerate(order)}
    straight = [(a, b) if position[a] < position[b] else (b, a) for a, b in set(edges) if a != b]
    above = _neighbours(count, ((b, a) for a, b in straight))
    below = _neighbours(count, straight)
    layers = [0] * count
    for node in order:
        layers[node] = max((layers[upper] + 1 for upper in above[node]), default=0)
    hanging = [not below[node] and len(above[node]) == 1 for node in range(count)]
    feeding = _feeding(order, above, below)
    for node in reversed(order):
        if feeding[node]:
            layers[node] = layers[below[node][0]] - 1
            continue
        holding = [lower for lower in below[node] if not hanging[lower]]
        if len(holding) > len(above[node]):
            layers[node] = min(layers[lower] for lower in holding) - 1
    for node in range(count):
        if hanging[node]:
            layers[node] = layers[above[node][0]] + 1
    return layers


def _feeding(order: Sequence[int], above: list[list[int]], below: list[list[int]]) -> list[bool]:
    """Which nodes lead to one node only, as do all above them."""
    feeding = [False] * len(order)
    for node in order:
        feeding[node] = len(below[node]) == 1 and all(feeding[upper] for upper in above[node])
    return feeding


def _topological_order(count: int, edges: Sequence[Edge]) -> list[int]:
    """Depth-first order, each node before those below it; where there is a cycle, one of its edges is not."""
    below = _neighbours(count, edges)
    seen = [False] * count
    finished: list[int] = []
    for root in range(count):
        if seen[root]:
            continue
        seen[root] = True
        path = [(root, iter(below[root]))]
        while path:
            node, rest = path[-1]
            following = next((lower for lower in rest if not seen[lower]), None)
            if following is None:
                finished.append(node)
                path.pop()
            else:
                seen[following] = True
                path.append((following, iter(below[following])))
    return finished[::-1]


def _neighbours(count: int, edges: Iterable[Edge]) -> list[list[int]]:
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for node, neighbour in edges:
        neighbours[node].append(neighbour)
    return neighbours
