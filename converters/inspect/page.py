"""A report as one self-contained page: its tables, and its graph to move about in."""

from __future__ import annotations

import json
import os
from html import escape
from importlib import resources
from typing import Any

from ..tables import Table
from .picture import picture, shown_nodes
from .report import GraphNode, Port, Report
from .report_tables import report_tables, shape_of, text_of


def report_page(report: Report) -> str:
    """The page, without anything from elsewhere: styles, script and picture are in it."""
    title = escape(os.path.basename(report.file))
    details = json.dumps([_details(report.nodes[number]) for number in shown_nodes(report)])
    # In a script element only "</" and "<!--" end what they stand in.
    data = details.replace("<", "\\u003c")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
{_resource("page.css")}</style>
</head>
<body>
<header><h1>{title}</h1>
<input id="search" type="search" placeholder="node or type" aria-label="Find a node">
<span id="found"></span>
<button id="fit" type="button">fit</button></header>
<main>
<section id="graph" aria-label="Graph">{picture(report)}</section>
<aside>
<section id="node"><p>Click a node to see what it is. Wheel: zoom; drag: move.</p></section>
{"".join(map(_table, report_tables(report)))}
</aside>
</main>
<script id="nodes" type="application/json">{data}</script>
<script>
{_resource("page.js")}</script>
</body>
</html>
"""


def _details(node: GraphNode) -> dict[str, Any]:
    """What the page shows of a node: its title, and pairs of texts."""
    rows = [("name", node.name), ("type", node.type)]
    if node.graph:
        rows.append(("graph", node.graph))
    rows += [(f"in {port.name}", _port(port)) for port in node.inputs]
    rows += [(f"out {port.name}", _port(port)) for port in node.outputs]
    rows += [(name, text_of(value)) for name, value in node.attributes.items()]
    if node.binding:
        rows.append(("binding", node.binding))
    return {"title": f"{node.type} {node.name}", "kind": node.kind, "rows": rows}


def _port(port: Port) -> str:
    return f"{port.dtype}{shape_of(port.shape)} {port.format}".rstrip()


def _table(table: Table) -> str:
    heading = f"<h2>{escape(table.title)}</h2>" if table.title else ""
    named = any(table.headers)
    head = "".join(f"<th>{escape(header)}</th>" for header in table.headers)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in table.rows
    )
    return f"<section>{heading}<table>{f'<tr>{head}</tr>' if named else ''}{rows}</table></section>"


def _resource(name: str) -> str:
    return resources.files(__package__ or "").joinpath(name).read_text(encoding="utf-8")
