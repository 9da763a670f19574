"""Padding."""

from __future__ import annotations

import numpy as np

from maxpoolgrad_onnx.errors import quoted

from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule

_MODES = ("constant", "reflect", "edge")


@rule("Pad")
def pad(node: OnnxNode) -> None:
    """Pad(data, pads, constant_value, axes), attributes below opset 11, becomes PadV3(x, paddings,
    constant_values).

    mode stays what it is; paddings_contiguous is false, for ONNX's order of pads: all begins, then all ends.
    With axes, constant pads are written out for all of them. Negative pads crop in both. Refused: axes of
    pads that are computed or of a tensor of unknown rank, other modes.
    """
    x, mode = node.input(0), node.attr_string("mode", "constant")
    if mode not in _MODES:
        node.refuse(f"mode is {quoted(mode)}; allowed are {', '.join(_MODES)}")
    value: Value | None
    if node.opset < 11:
        pads = node.add_constant(node.attr_ints("pads") or [], "pads")
        fill = node.attr_float("value", 0.0)
        value = node.add_constant(fill, "value", x.dtype.numpy) if mode == "constant" else None
    else:
        pads, value = node.input(1), node.optional_input(2)
    axes = node.optional_input(3) if node.opset >= 18 else None
    if axes is not None:
        pads = _for_all_axes(node, x, axes)
    inputs = [x, pads] if value is None or mode != "constant" else [x, pads, value]
    node.add("PadV3", inputs, {"mode": mode, "paddings_contiguous": False})


def _for_all_axes(node: OnnxNode, x: Value, axes: Value) -> Value:
    if x.shape is None:
        node.refuse("it pads some axes of a tensor of unknown rank; give the model's inputs a shape")
    listed = [int(axis) for axis in node.constant(3, "axes").ravel()]
    if any(not -len(x.shape) <= axis < len(x.shape) for axis in listed):
        node.refuse(f"axes is {listed}; its input has {len(x.shape)} axes")
    pads = node.constant_list(1, "pads", 2 * len(listed))
    whole = np.zeros((2, len(x.shape)), np.int64)
    whole[:, listed] = pads.reshape(2, -1)
    return node.add_constant(whole.ravel(), "pads")
