"""The operators that GE has under another name at most."""

from __future__ import annotations

from ...ge_ops.direct import DIRECT
from ..onnx_node import OnnxNode
from ..registry import rule


@rule(*DIRECT)
def direct(node: OnnxNode) -> None:
    """Op(inputs in order) becomes GE's operator of the table DIRECT with the same inputs in order.

    Exp and Log are written with base -1 (e), scale 1, shift 0, GE's defaults.
    """
    node.add(DIRECT[node.proto.op_type], node.inputs())
