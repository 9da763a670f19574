"""For every rule of the converters: ONNX nodes, and the operators of GE that come of them."""

from __future__ import annotations

import support_rules_movement
import support_rules_numbers
import support_rules_pools
import support_rules_shapes
import support_rules_windows
from support_case import Case

__all__ = ["CASES", "Case"]

CASES = [
    *support_rules_windows.CASES,
    *support_rules_pools.CASES,
    *support_rules_movement.CASES,
    *support_rules_numbers.CASES,
    *support_rules_shapes.CASES,
]
