"""The standard operators, for translations that onnxscript records."""

from __future__ import annotations

from typing import Any

from ..opsets import NEWEST_OPSET


def standard_opset() -> Any:
    """ONNX's operators as functions: inside an export, calling one adds its node."""
    from onnxscript.values import Opset

    return Opset("", NEWEST_OPSET)
