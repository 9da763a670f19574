"""Layered layout: where each node is drawn and along which points each edge runs.

The steps are those of Sugiyama, Tagawa and Toda (1981): layers (layers.py), bends where an edge passes a
layer, an order within each layer that crosses few edges, x positions that keep edges straight (places.py).
Where the edges of a large graph would pass very many layers, the longest of them are left out of the last
steps and drawn as arcs beside the boxes (long_links.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .layers import assign_layers
from .long_links import long_bundles
from .places import place_layers

NODE_GAP = 18.0
LAYER_GAP = 34.0
BEND_WIDTH = 4.0
_SWEEPS = 12
# How much a piece of a link wants to be vertical, by the number of its ends that are boxes.
_STRAIGHTNESS = (8.0, 2.0, 1.0)
_ARC_LEAST, _ARC_SWING, _ARC_MOST = 24.0, 0.08, 420.0
_WITHIN_LANE = 8.0  # times as much where both boxes are of one lane


@dataclass(frozen=True)
class Box:
    """A node to place. Lower lanes are drawn left of higher ones."""

    width: float
    height: float
    lane: int = 0


@dataclass(frozen=True)
class Link:
    """An edge that is drawn from an upper box to a lower one; links with one `bundle` run together."""

    upper: int
    lower: int
    bundle: int


@dataclass(frozen=True)
class Layout:
    """Centres of the boxes, and for each link the points that it passes, from its upper box to its lower.

    `arcs` has the links, by number, that swing out to the left as far as an x, instead of passing layers.
    """

    width: float
    height: float
    centres: tuple[tuple[float, float], ...]
    routes: tuple[tuple[tuple[float, float], ...], ...]
    arcs: Mapping[int, float] = field(default_factory=dict)


@dataclass
class _Grid:
    """Boxes and bends by layer: indices below len(boxes) are boxes, the others bends."""

    layers: list[list[int]]
    layer_of: list[int]
    widths: list[float]
    lanes: list[int]
    pairs: dict[tuple[int, int], float]
    chains: list[list[int]]
    arcs: set[int]


def lay_out(boxes: Sequence[Box], links: Sequence[Link]) -> Layout:
    """Place boxes in layers, every link leading downwards (but for one in each cycle)."""
    if not boxes:
        return Layout(0.0, 0.0, (), ())
    grid = _make_grid(boxes, links)
    _order_layers(grid)
    xs = place_layers(grid.layers, grid.widths, grid.pairs, NODE_GAP)
    heights = [max((boxes[i].height for i in layer if i < len(boxes)), default=0.0) for layer in grid.layers]
    tops = [sum(heights[:at]) + LAYER_GAP * at for at in range(len(heights))]
    middles = [top + height / 2 for top, height in zip(tops, heights, strict=True)]
    swings = {
        number: min(xs[i] for i in grid.chains[number])
        - min(_ARC_LEAST + _ARC_SWING * abs(tops[a] - tops[b]), _ARC_MOST)
        for number in grid.arcs
        for a, b in [[grid.layer_of[i] for i in grid.chains[number]]]
    }
    left = min(*(x - w / 2 for x, w in zip(xs, grid.widths, strict=True)), *swings.values(), float("inf"))
    right = max(x + w / 2 for x, w in zip(xs, grid.widths, strict=True))
    xs = [x - left for x in xs]

    def route(link: Link, chain: list[int]) -> tuple[tuple[float, float], ...]:
        first, *bends, last = chain
        points = [(xs[first], middles[grid.layer_of[first]] + boxes[first].height / 2)]
        for bend in bends:
            layer = grid.layer_of[bend]
            points += [(xs[bend], tops[layer]), (xs[bend], tops[layer] + heights[layer])]
        points.append((xs[last], middles[grid.layer_of[last]] - boxes[last].height / 2))
        return tuple(points if first == link.upper else points[::-1])

    centres = tuple((xs[i], middles[grid.layer_of[i]]) for i in range(len(boxes)))
    routes = tuple(route(link, chain) for link, chain in zip(links, grid.chains, strict=True))
    arcs = {number: x - left for number, x in swings.items()}
    return Layout(right - left, tops[-1] + heights[-1], centres, routes, arcs)


def _make_grid(boxes: Sequence[Box], links: Sequence[Link]) -> _Grid:
    layer_of = assign_layers(len(boxes), [(link.upper, link.lower) for link in links])
    grid = _Grid(
        layers=[[] for _ in range(max(layer_of) + 1)],
        layer_of=layer_of,
        widths=[box.width for box in boxes],
        lanes=[box.lane for box in boxes],
        pairs={},
        chains=[],
        arcs=set(),
    )
    bends: dict[tuple[int, int, int], int] = {}
    spans = [abs(layer_of[link.upper] - layer_of[link.lower]) for link in links]
    long = long_bundles([link.bundle for link in links], spans)
    for number, (link, span) in enumerate(zip(links, spans, strict=True)):
        if span > 1 and link.bundle in long:
            grid.arcs.add(number)
            grid.chains.append([link.upper, link.lower])
        else:
            grid.chains.append(_chain(grid, link, bends))
    for node, layer in enumerate(grid.layer_of):
        grid.layers[layer].append(node)
    for layer_nodes in grid.layers:
        layer_nodes.sort(key=lambda node: (grid.lanes[node], node))
    return grid


def _chain(grid: _Grid, link: Link, bends: dict[tuple[int, int, int], int]) -> list[int]:
    """The nodes that a link passes, its bends made where the bundle has none yet."""
    upper, lower = link.upper, link.lower
    if grid.layer_of[upper] > grid.layer_of[lower]:
        upper, lower = lower, upper
    first, last = grid.layer_of[upper], grid.layer_of[lower]
    chain = [upper]
    for layer in range(first + 1, last):
        key = (link.bundle, layer, upper)
        if key not in bends:
            bends[key] = len(grid.layer_of)
            grid.layer_of.append(layer)
            grid.widths.append(BEND_WIDTH)
            grid.lanes.append(max(grid.lanes[upper], grid.lanes[lower]))
        chain.append(bends[key])
    chain.append(lower)
    same_lane = _WITHIN_LANE if grid.lanes[upper] == grid.lanes[lower] else 1.0
    for piece in pairwise(chain):
        grid.pairs[piece] = same_lane * _STRAIGHTNESS[len({upper, lower}.intersection(piece))]
    return chain


def _order_layers(grid: _Grid) -> None:
    """Sort each layer by the mean place of its neighbours, downwards and upwards, keeping the best result."""
    above: dict[int, list[int]] = {node: [] for node in range(len(grid.layer_of))}
    below: dict[int, list[int]] = {node: [] for node in range(len(grid.layer_of))}
    for a, b in grid.pairs:
        above[b].append(a)
        below[a].append(b)
    best, fewest = [list(layer) for layer in grid.layers], _crossings(grid.layers, below)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        neighbours = above if downwards else below
        places = {node: float(at) for layer in grid.layers for at, node in enumerate(layer)}
        for layer in grid.layers if downwards else grid.layers[::-1]:
            _sort_layer(layer, neighbours, places, grid.lanes)
        crossings = _crossings(grid.layers, below)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in grid.layers], crossings
    grid.layers = best


def _sort_layer(
    layer: list[int], neighbours: dict[int, list[int]], places: dict[int, float], lanes: list[int]
) -> None:
    def key(node: int) -> tuple[int, float]:
        near = neighbours[node]
        mean = sum(places[other] for other in near) / len(near) if near else places[node]
        return lanes[node], mean

    layer.sort(key=key)
    # Places are relative to the layer's width, so that layers of different sizes can be compared.
    for at, node in enumerate(layer):
        places[node] = (at + 0.5) / len(layer)


def _crossings(layers: list[list[int]], below: dict[int, list[int]]) -> int:
    """How many pairs of edge pieces cross (counted by insertion into a Fenwick tree)."""
    total = 0
    for upper, lower in pairwise(layers):
        place = {node: at for at, node in enumerate(lower)}
        ends = [end for node in upper for end in sorted(place[other] for other in below[node])]
        tree = [0] * (len(lower) + 1)
        for inserted, end in enumerate(ends):
            total += inserted - _count_up_to(tree, end + 1)
            _insert(tree, end + 1)
    return total


def _count_up_to(tree: list[int], index: int) -> int:
    count = 0
    while index > 0:
        count += tree[index]
        index -= index & -index
    return count


def _insert(tree: list[int], index: int) -> None:
    while index < len(tree):
        tree[index] += 1
        index += index & -index
