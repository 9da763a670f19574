"""A graph of operators as a self-contained SVG picture, drawn in layers from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from .layout import Box, Layout, Link, lay_out

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif"
_TITLE_SIZE = 13.0
_LINE_SIZE = 10.5
_CHARACTER = 0.62  # mean width of a character of these fonts, in font sizes, on the wide side
_PADDING = 9.0
_MARGIN = 16.0


@dataclass(frozen=True)
class PictureNode:
    """One box: a title, small lines below it, and a kind that picks its colours.

    `lane` orders boxes from left to right (lower lanes first); `tooltip` shows when the pointer rests on it.
    """

    id: str
    title: str
    lines: tuple[str, ...] = ()
    kind: str = "operator"
    lane: int = 0
    tooltip: str = ""


@dataclass(frozen=True)
class PictureEdge:
    """An arrow from one node to another. `upward` draws the target above its source.

    `value` names what flows: arrows of one value run together as long as they can.
    """

    source: str
    target: str
    value: str = ""
    upward: bool = False
    tooltip: str = ""


@dataclass(frozen=True)
class PictureStyle:
    """Colours (fill, border, text) by kind of node; a kind that is not listed looks like "operator".

    An arrow has the border colour of the node that it leaves.
    """

    kinds: Mapping[str, tuple[str, str, str]] = field(
        default_factory=lambda: {
            "operator": ("#f4f6f8", "#8a97a6", "#1f2933"),
            "forward": ("#e3eefb", "#5b8cc4", "#12304f"),
            "backward": ("#fdebd9", "#cf8a45", "#4d2b08"),
            "update": ("#e6f4e8", "#62a36b", "#173d1d"),
            "value": ("#ffffff", "#9aa5b1", "#3e4c59"),
            "highlight": ("#c81e3a", "#8f1028", "#ffffff"),
        }
    )

    def colours(self, kind: str) -> tuple[str, str, str]:
        """Fill, border and text of a kind of node."""
        return self.kinds.get(kind) or self.kinds["operator"]


def graph_picture(
    nodes: Sequence[PictureNode],
    edges: Sequence[PictureEdge],
    *,
    label: str,
    style: PictureStyle | None = None,
) -> str:
    """Draw a graph; edges to or from an id that is not among `nodes` are left out.

    Args:
        nodes: in any order; the order within a layer starts from it.
        edges: directed; a cycle is drawn, with one of its edges against the flow.
        label: one sentence that says what is seen, for readers who cannot see it.
        style: colours.

    Returns:
        An <svg> element with its styles inside, to be put into a page or written to a file as it is. For
        scripts, a node's group has its number as data-node, an arrow those of its ends as data-from, data-to.
    """
    style = style or PictureStyle()
    index = {node.id: at for at, node in enumerate(nodes)}
    shown = [edge for edge in edges if edge.source in index and edge.target in index]
    bundles: dict[tuple[str, str, bool], int] = {}
    links = []
    for edge in shown:
        source, target = index[edge.source], index[edge.target]
        bundle = bundles.setdefault((edge.source, edge.value, edge.upward), len(bundles))
        upper, lower = (target, source) if edge.upward else (source, target)
        links.append(Link(upper, lower, bundle))
    layout = lay_out([_box(node) for node in nodes], links)
    colours = [style.colours(nodes[index[edge.source]].kind)[1] for edge in shown]
    parts = [_head(layout, label, sorted(set(colours)))]
    for number, (edge, route, colour) in enumerate(zip(shown, layout.routes, colours, strict=True)):
        points = route[::-1] if edge.upward else route
        arc = layout.arcs.get(number)
        path = _through(points) if arc is None else _arc(points, arc)
        parts.append(_edge(edge, path, colour, (index[edge.source], index[edge.target])))
    for number, (node, centre) in enumerate(zip(nodes, layout.centres, strict=True)):
        parts.append(_node(node, number, centre, style))
    return "\n".join([*parts, "</g>", "</svg>"])


def _box(node: PictureNode) -> Box:
    widths = [len(node.title) * _TITLE_SIZE * 1.14, *(len(line) * _LINE_SIZE for line in node.lines)]
    width = max(widths) * _CHARACTER + 2 * _PADDING
    height = 24.0 + 14.0 * len(node.lines) + (2.0 if node.lines else 0.0)
    return Box(max(width, 48.0), height, node.lane)


def _head(layout: Layout, label: str, colours: Sequence[str]) -> str:
    width, height = layout.width + 2 * _MARGIN, layout.height + 2 * _MARGIN
    heads = "".join(
        f'<marker id="{_head_id(colour)}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6.5" '
        f'markerHeight="6.5" orient="auto"><path d="M0 0.6 8 4 0 7.4z" fill="{colour}"/></marker>'
        for colour in colours
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph-picture" role="img" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">\n'
        f"<title>{escape(label)}</title>\n"
        f"<style>.graph-picture text{{font-family:{_FONT};text-anchor:middle}}"
        f".graph-picture .t{{font-size:{_TITLE_SIZE}px;font-weight:600}}"
        f".graph-picture .l{{font-size:{_LINE_SIZE}px}}"
        f".graph-picture .e{{fill:none;stroke-width:1.4}}.graph-picture .e:hover{{stroke-width:3}}</style>\n"
        f"<defs>{heads}</defs>\n"
        f'<g transform="translate({_MARGIN:.0f} {_MARGIN:.0f})">'
    )


def _head_id(colour: str) -> str:
    """Colours are part of the id: a page may hold several pictures."""
    return f"graph-picture-head-{colour.lstrip('#')}"


def _through(points: Sequence[tuple[float, float]]) -> str:
    """A path through points: straight beside a layer's boxes, curved between layers."""
    (x, y), *rest = points
    path = [f"M{x:.1f} {y:.1f}"]
    for at, (to_x, to_y) in enumerate(rest):
        if at % 2 == 1 or abs(to_x - x) < 0.05:
            path.append(f"L{to_x:.1f} {to_y:.1f}")
        else:
            middle = (y + to_y) / 2
            path.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    return "".join(path)


def _arc(points: Sequence[tuple[float, float]], swing: float) -> str:
    """A path that swings out to the left as far as `swing`, where its control points lie."""
    (x, y), (to_x, to_y) = points
    return f"M{x:.1f} {y:.1f}C{swing:.1f} {y:.1f} {swing:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}"


def _edge(edge: PictureEdge, path: str, colour: str, ends: tuple[int, int]) -> str:
    tooltip = f"<title>{escape(edge.tooltip)}</title>" if edge.tooltip else ""
    head = f'marker-end="url(#{_head_id(colour)})"'
    between = f'data-from="{ends[0]}" data-to="{ends[1]}"'
    return f'<path class="e" d="{path}" stroke="{colour}" {head} {between}>{tooltip}</path>'


def _node(node: PictureNode, number: int, centre: tuple[float, float], style: PictureStyle) -> str:
    fill, border, text = style.colours(node.kind)
    box = _box(node)
    left, top = centre[0] - box.width / 2, centre[1] - box.height / 2
    radius = box.height / 2 if node.kind == "value" else 5.0
    parts = [
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="{min(radius, 14.0):.0f}" fill="{fill}" stroke="{border}" stroke-width="1.2"/>',
        f'<text class="t" x="{centre[0]:.1f}" y="{top + 17:.1f}" fill="{text}">{escape(node.title)}</text>',
    ]
    for at, line in enumerate(node.lines):
        y = top + 31 + 14 * at
        parts.append(f'<text class="l" x="{centre[0]:.1f}" y="{y:.1f}" fill="{text}">{escape(line)}</text>')
    tooltip = f"<title>{escape(node.tooltip)}</title>" if node.tooltip else ""
    return f'<g data-node="{number}">{tooltip}{"".join(parts)}</g>'
