"""A page's tables of figures, each between two lines that say which one it is."""

from __future__ import annotations

import os
import re

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import read_file, write_atomically

from .report import Report

_PLACE = re.compile(r"(?m)^<!-- bench: (?P<title>.+) -->\n(?P<figures>(?s:.*?))^<!-- end -->$")


def require_place(page: str | os.PathLike[str], title: str) -> None:
    """Raise MaxPoolGradError for a page that cannot be read or has no place for the table of that title."""
    _place(page, title)


def fill(page: str | os.PathLike[str], report: Report) -> None:
    """Replace what stands between `<!-- bench: TITLE -->` and `<!-- end -->` by the report's table.

    TITLE is the report's, such as "float32 NCHW, random data, 1 thread". Raises MaxPoolGradError for a
    page that cannot be read or written, or has no such place.
    """
    place = _place(page, report.title)
    begin, end = place.span("figures")
    filled = f"{place.string[:begin]}{report.as_markdown()}{place.string[end:]}"
    write_atomically(page, filled.encode("utf-8", errors="surrogateescape"))


def _place(page: str | os.PathLike[str], title: str) -> re.Match[str]:
    text = read_file(page).decode("utf-8", errors="surrogateescape")
    places = {place["title"]: place for place in _PLACE.finditer(text)}
    if title not in places:
        there = ", ".join(f"'{known}'" for known in places) or "none"
        raise MaxPoolGradError(
            f"{page}: no place for '{title}', which is between the lines '<!-- bench: {title} -->' and "
            f"'<!-- end -->'; places there: {there}"
        )
    return places[title]
