"""docs/operators.md is what the converters' tables say."""

from __future__ import annotations

from pathlib import Path

import support_operator_table


def test_the_page_is_up_to_date() -> None:
    path = Path(__file__).parents[2] / "docs" / "operators.md"
    wanted = support_operator_table.page()
    assert path.read_text(encoding="utf-8") == wanted, f"write it anew: {support_operator_table.COMMAND}"
