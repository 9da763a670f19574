"""Padding."""

from __future__ import annotations

from maxpoolgrad_onnx.errors import quoted

from ..ge_node import GeNode
from ..registry import rule

_MODES = ("constant", "reflect", "edge")


@rule("PadV3")
def pad(node: GeNode) -> None:
    """PadV3(x, paddings, constant_values) becomes Pad(data, pads, constant_value), the same mode.

    Where paddings_contiguous is true, constant paddings are put into ONNX's order, all begins first; computed
    ones are refused.
    """
    mode = node.attr("mode")
    if mode not in _MODES:
        node.refuse(f"mode is {quoted(mode)}; the host runs {', '.join(_MODES)}")
    if node.attr("paddings_contiguous"):
        paddings = node.integers(1, "paddings")
        if paddings.size % 2:
            node.refuse(f"its paddings have {paddings.size} elements; they must have two for each axis")
        pads = node.add_constant(paddings.reshape(-1, 2).T.ravel(), "pads")
    else:
        pads = node.as_int64(1, "pads")
    value = [node.input(2)] if node.has_input(2) else []
    node.add("Pad", [node.input(0), pads, *value], mode=mode)
