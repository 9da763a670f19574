"""The operators that ONNX has under another name at most."""

from __future__ import annotations

from ...ge_ops.direct import DIRECT
from ..ge_node import GeNode
from ..registry import rule

_ONNX = {ge_type: op_type for op_type, ge_type in DIRECT.items()}


@rule(*_ONNX)
def direct(node: GeNode) -> None:
    """GE's operator becomes ONNX's of the table DIRECT, inputs in order. Exp and Log run with their defaults
    only."""
    node.add(_ONNX[node.type], node.inputs())
