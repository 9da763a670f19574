"""The table of traffic in docs/kernel.md: `python tests/support_kernel_table.py` measures it anew."""

from __future__ import annotations

from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs" / "kernel.md"
BATCH = 32
BEGIN, END = "<!-- traffic -->\n", "\n<!-- /traffic -->"


def table_in_docs() -> str:
    """The table as it stands there."""
    return DOCS.read_text().split(BEGIN)[1].split(END)[0]


def refresh() -> None:
    """Put what kernel-report says now in its place: some minutes."""
    from maxpoolgrad_onnx.converters.kernel_report import kernel_report

    before, rest = DOCS.read_text().split(BEGIN)
    table = kernel_report(batch=BATCH).as_markdown()
    DOCS.write_text(before + BEGIN + table + END + rest.split(END)[1])


if __name__ == "__main__":
    refresh()
