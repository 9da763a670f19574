"""The way back: rules by GE operator, each turning one node into ONNX nodes, the mirror of onnx_to_ge's
rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from .ge_node import GeNode

Rule: TypeAlias = Callable[["GeNode"], None]

RULES: dict[str, Rule] = {}
"""By GE operator type."""


def rule(*types: str) -> Callable[[Rule], Rule]:
    """Register a function as the rule for these operators. Its docstring says what becomes what."""

    def register(function: Rule) -> Rule:
        for type_ in types:
            RULES[type_] = function
        return function

    return register


Test: TypeAlias = Callable[["GeNode"], bool]

PARTS: dict[str, list[Test]] = {}
"""By GE operator type: tests whether a node is but a part of what another node becomes."""


def part(*types: str) -> Callable[[Test], Test]:
    """Register a test for nodes of these types: those for which it is true become nothing themselves."""

    def register(test: Test) -> Test:
        for type_ in types:
            PARTS.setdefault(type_, []).append(test)
        return test

    return register
