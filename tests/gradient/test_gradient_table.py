"""docs/gradients.md is what the rules say."""

from __future__ import annotations

from pathlib import Path

import support_gradient_table


def test_page() -> None:
    path = Path(__file__).parents[2] / "docs" / "gradients.md"
    wanted = support_gradient_table.page()
    assert path.read_text(encoding="utf-8") == wanted, f"write it anew: {support_gradient_table.COMMAND}"
