"""Graphs as pictures: where boxes and arrows end up."""

import re
import xml.etree.ElementTree as ElementTree
from itertools import combinations

import numpy as np
import pytest

from maxpoolgrad_onnx.converters.pictures import PictureEdge, PictureNode, graph_picture
from maxpoolgrad_onnx.converters.pictures.layers import assign_layers
from maxpoolgrad_onnx.converters.pictures.layout import Box, Link, lay_out

SVG = "{http://www.w3.org/2000/svg}"


def _random_graph(seed: int, count: int, edges: int) -> tuple[list[Box], list[Link]]:
    rng = np.random.default_rng(seed)
    boxes = [Box(*map(float, rng.integers(20, 120, 2)), lane=int(rng.integers(3))) for _ in range(count)]
    pairs = {tuple(sorted(map(int, rng.choice(count, 2, replace=False)))) for _ in range(edges)}
    return boxes, [Link(upper, lower, bundle=upper) for upper, lower in sorted(pairs)]


def _draw(nodes, edges, **options):
    return ElementTree.fromstring(graph_picture(nodes, edges, label="A graph.", **options))


def _box_of(svg, title):
    for group in svg.iter(f"{SVG}g"):
        if any(text.text == title for text in group.findall(f"{SVG}text")):
            rect = group.find(f"{SVG}rect")
            return {key: float(rect.get(key)) for key in ("x", "y", "width", "height")}
    raise AssertionError(f"{title} is not drawn")


def test_every_edge_leads_down():
    layers = assign_layers(5, [(0, 1), (1, 2), (0, 2), (2, 3), (4, 3)])
    assert layers == [0, 1, 2, 3, 2]  # 4 is lowered to just above 3


def test_node_that_hangs_on_another_goes_with_it():
    # 3 is drawn just above 2, although 4, which hangs on it, lies as high as it may.
    assert assign_layers(5, [(0, 1), (1, 2), (3, 2), (3, 4)]) == [0, 1, 2, 1, 2]


def test_cycle_is_drawn_with_one_edge_against_the_flow():
    layers = assign_layers(3, [(0, 1), (1, 2), (2, 0)])
    assert sorted(layers) == [0, 1, 2]


@pytest.mark.parametrize("seed", range(8))
def test_boxes_do_not_overlap_and_edges_run_from_box_to_box(seed):
    boxes, links = _random_graph(seed, count=40, edges=60)
    layout = lay_out(boxes, links)
    frames = [
        (x - box.width / 2, y - box.height / 2, x + box.width / 2, y + box.height / 2)
        for box, (x, y) in zip(boxes, layout.centres, strict=True)
    ]
    for a, b in combinations(frames, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    for link, route in zip(links, layout.routes, strict=True):
        upper, lower = frames[link.upper], frames[link.lower]
        assert route[0] == pytest.approx(((upper[0] + upper[2]) / 2, upper[3]))
        assert route[-1] == pytest.approx(((lower[0] + lower[2]) / 2, lower[1]))
        heights = [y for _, y in route]
        assert heights == sorted(heights)
    assert min(x for x, *_ in frames) >= -1e-6
    assert max(right for _, _, right, _ in frames) <= layout.width + 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_edges_pass_beside_boxes(seed):
    boxes, links = _random_graph(seed, count=25, edges=40)
    layout = lay_out(boxes, links)
    for link, route in zip(links, layout.routes, strict=True):
        for (x, top), (same, bottom) in zip(route[1:-1:2], route[2:-1:2], strict=True):
            assert x == same
            for at, box in enumerate(boxes):
                centre_x, centre_y = layout.centres[at]
                beside = abs(x - centre_x) > box.width / 2
                away = bottom <= centre_y - box.height / 2 or top >= centre_y + box.height / 2
                assert beside or away or at in (link.upper, link.lower)


def test_order_within_layers_avoids_crossings():
    # a0..a4 each have one edge to b4..b0: drawn in the given order, all ten pairs would cross.
    boxes = [Box(40.0, 20.0) for _ in range(10)]
    links = [Link(at, 9 - at, bundle=at) for at in range(5)]
    xs = [x for x, _ in lay_out(boxes, links).centres]
    for (a, b), (c, d) in combinations([(link.upper, link.lower) for link in links], 2):
        assert (xs[a] - xs[c]) * (xs[b] - xs[d]) > 0


def test_chain_is_straight():
    centres = lay_out(
        [Box(30.0 + 20 * at, 20.0) for at in range(4)], [Link(i, i + 1, i) for i in range(3)]
    ).centres
    assert len({round(x, 6) for x, _ in centres}) == 1


def test_lanes_go_from_left_to_right():
    nodes = [PictureNode("a", "A", lane=2), PictureNode("b", "B", lane=0), PictureNode("c", "C", lane=1)]
    svg = _draw(nodes, [])
    assert _box_of(svg, "B")["x"] < _box_of(svg, "C")["x"] < _box_of(svg, "A")["x"]


@pytest.mark.parametrize("upward", [False, True])
def test_arrow_points_at_its_target(upward):
    svg = _draw([PictureNode("a", "A"), PictureNode("b", "B")], [PictureEdge("a", "b", upward=upward)])
    source, target = _box_of(svg, "A"), _box_of(svg, "B")
    assert (target["y"] < source["y"]) == upward
    (path,) = (path for path in svg.iter(f"{SVG}path") if path.get("class") == "e")
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path.get("d"))]
    end = target["y"] + target["height"] if upward else target["y"]
    assert numbers[-1] == pytest.approx(end, abs=0.1)
    assert path.get("marker-end")


def test_names_of_any_kind_stay_text():
    nasty = "<script>alert('&\"')</script>"
    svg = _draw(
        [PictureNode("a", nasty, (nasty,), tooltip=nasty), PictureNode("b", "B")], [PictureEdge("a", "b")]
    )
    assert not list(svg.iter(f"{SVG}script"))
    assert [text.text for text in svg.iter(f"{SVG}text")].count(nasty) == 2


def test_kinds_have_colours_and_unknown_ones_those_of_operators():
    nodes = [PictureNode(kind, kind, kind=kind) for kind in ("operator", "highlight", "unheard-of")]
    fills = [rect.get("fill") for rect in _draw(nodes, []).iter(f"{SVG}rect")]
    assert fills[0] == fills[2] != fills[1]


def test_edge_to_a_node_that_is_not_drawn_is_left_out():
    svg = _draw([PictureNode("a", "A")], [PictureEdge("a", "nowhere"), PictureEdge("elsewhere", "a")])
    assert not [path for path in svg.iter(f"{SVG}path") if path.get("class") == "e"]


def test_empty_graph_is_an_empty_picture():
    assert not list(_draw([], []).iter(f"{SVG}rect"))


def test_same_graph_gives_the_same_picture():
    nodes = [PictureNode(str(at), f"N{at}") for at in range(30)]
    edges = [PictureEdge(str(at), str(at + step)) for at in range(20) for step in (1, 3, 9)]
    assert graph_picture(nodes, edges, label="") == graph_picture(nodes, edges, label="")


def _there_and_back(half):
    """A chain, each node of whose second half reads one of its first: the longest links of all."""
    links = [Link(at, at + 1, at) for at in range(2 * half - 1)]
    return links + [Link(2 * half - 1 - at, at, 2 * half - 1 - at) for at in range(half + 1, 2 * half)]


def test_long_links_of_a_large_graph_are_arcs():
    small, large = _there_and_back(20), _there_and_back(150)
    assert not lay_out([Box(40.0, 20.0)] * 40, small).arcs
    layout = lay_out([Box(40.0, 20.0)] * 300, large)
    assert 0 < len(layout.arcs) < 149
    lengths = [large[number].lower - large[number].upper for number in layout.arcs]
    others = [link.lower - link.upper for at, link in enumerate(large) if at not in layout.arcs]
    assert min(lengths) >= max(others), "the longest ones"
    for number, swing in layout.arcs.items():
        start, end = layout.routes[number]
        assert start[1] < end[1]
        assert 0 <= swing < min(start[0], end[0])


def test_arcs_are_drawn_from_box_to_box():
    nodes = [PictureNode(str(at), f"N{at}") for at in range(300)]
    edges = [PictureEdge(str(link.upper), str(link.lower)) for link in _there_and_back(150)]
    svg = _draw(nodes, edges)
    arrow = next(path for path in svg.iter(f"{SVG}path") if path.get("data-to") == "299")
    last = [path for path in svg.iter(f"{SVG}path") if path.get("data-from") == "0"][-1]
    assert arrow.get("data-from") == "298"
    assert (last.get("data-to"), last.get("d").count("C")) == ("299", 1)


def test_what_leads_to_one_node_only_lies_above_it():
    # 4 and 5 lead to 3 alone, by way of 6: they are not drawn on top, beside 0.
    assert assign_layers(7, [(0, 1), (1, 2), (2, 3), (4, 6), (5, 6), (6, 3)]) == [0, 1, 2, 3, 1, 1, 2]
