"""The rules by ONNX operator: each turns one node into nodes of GE, or refuses it with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from .onnx_node import OnnxNode

Rule: TypeAlias = Callable[["OnnxNode"], None]

RULES: dict[tuple[str, str], Rule] = {}
"""By domain ("" is ai.onnx) and operator type."""


def rule(*op_types: str, domain: str = "") -> Callable[[Rule], Rule]:
    """Register a function as the rule for these operators. Its docstring says what becomes what."""

    def register(function: Rule) -> Rule:
        for op_type in op_types:
            RULES[domain, op_type] = function
        return function

    return register


def known_operators() -> list[str]:
    """Every operator with a rule: ONNX's own by their type, then the others as domain::type."""
    return [f"{domain}::{op_type}" if domain else op_type for domain, op_type in sorted(RULES)]
