"""The pieces of an HTML page that needs no other file."""

from __future__ import annotations

import base64
from collections.abc import Container, Sequence
from html import escape

_STYLE = """
:root { color-scheme: light; }
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 1140px; color: #1f2933; background: #fff;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; }
h1 { font-size: 1.9rem; margin: 0 0 .4rem; }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .6rem; border-bottom: 1px solid #e4e7eb; padding-bottom: .25rem; }
p, ul { max-width: 46rem; }
table { border-collapse: collapse; margin: .8rem 0; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0;
  border-bottom: 1px solid #e4e7eb; }
th { font-weight: 600; color: #52606d; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td ul { margin: 0; padding-left: 1.1rem; }
img { max-width: 100%; }
figure { margin: 1rem 0; }
figcaption { color: #52606d; font-size: .88rem; max-width: 46rem; }
code { font: .88em ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; background: #f4f6f8;
  padding: .1em .3em; border-radius: 3px; }
pre { background: #f4f6f8; padding: .8rem 1rem; border-radius: 5px; overflow-x: auto; }
pre code { padding: 0; }
.graph { overflow-x: auto; border: 1px solid #e4e7eb; border-radius: 5px; }
.graph svg { max-width: 100%; height: auto; }
.key span { display: inline-block; margin-right: 1.1rem; font-size: .9rem; }
.key i { display: inline-block; width: .9rem; height: .9rem; border-radius: 3px; margin-right: .4rem;
  vertical-align: -2px; }
.digits { display: flex; flex-wrap: wrap; gap: .9rem; }
.digits figure { margin: 0; width: 7.6rem; }
.digits img { width: 6rem; height: 6rem; image-rendering: pixelated; border: 1px solid #cbd2d9; }
"""


def page(title: str, summary: str, sections: Sequence[str]) -> str:
    """A whole page. `summary` and `sections` are HTML."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{summary}\n" + "\n".join(sections) + "\n</body>\n</html>\n"
    )


def section(title: str, content: str) -> str:
    """A titled part of the page; `content` is HTML."""
    return f"<section>\n<h2>{escape(title)}</h2>\n{content}\n</section>"


def paragraph(text: str) -> str:
    """Plain text, with code between backquotes."""
    return f"<p>{marked(text)}</p>"


def bullets(texts: Sequence[str]) -> str:
    """Plain texts, with code between backquotes."""
    return f"<ul>{''.join(f'<li>{marked(text)}</li>' for text in texts)}</ul>"


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Container[int] = ()) -> str:
    """Cells are HTML; the columns in `numbers` are set to the right."""

    def line(tag: str, cells: Sequence[str]) -> str:
        kinds = [' class="number"' if at in numbers else "" for at in range(len(cells))]
        filled = [f"<{tag}{kind}>{cell}</{tag}>" for kind, cell in zip(kinds, cells, strict=True)]
        return f"<tr>{''.join(filled)}</tr>"

    body = "".join(line("td", row) for row in rows)
    head = line("th", [escape(header) for header in headers])
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def picture(png: bytes, description: str, caption: str = "") -> str:
    """A picture inside the page; `description` is for readers who cannot see it."""
    data = base64.b64encode(png).decode()
    below = f"<figcaption>{marked(caption)}</figcaption>" if caption else ""
    return f'<figure><img alt="{escape(description)}" src="data:image/png;base64,{data}">{below}</figure>'


def marked(text: str) -> str:
    """Plain text as HTML; what stands between backquotes is code."""
    parts = escape(text, quote=False).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))
