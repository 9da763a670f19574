"""docs/errors.md says what the code does."""

from __future__ import annotations

from pathlib import Path

import support_error_page
from maxpoolgrad_onnx.codes import CODES

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"


def test_the_page_is_what_the_code_says() -> None:
    wanted = support_error_page.page()
    assert PAGE.read_text(encoding="utf-8") == wanted, f"write it anew: {support_error_page.COMMAND}"


def test_every_rule_of_the_contract_has_a_row() -> None:
    rules = {rule for rule, _, _ in support_error_page.operator_refusals()}
    assert rules == support_error_page.rules_of_the_headers()


def test_every_sentence_of_the_operator_has_its_cure() -> None:
    for rule, code, sentence in support_error_page.operator_refusals():
        found, _, cure = sentence.partition("; ")
        assert found, rule
        assert cure, rule
        assert code in CODES, rule
