"""Dropout, which does nothing outside of training."""

from __future__ import annotations

import numpy as np

from ...ge_ir import DataType
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule


@rule("Dropout")
def dropout(node: OnnxNode) -> None:
    """Dropout(data) becomes Identity(x), and its mask, where it is used, Fill(dims, value) of ones.

    dims are the sizes of data, a constant where they are known, else its Shape. GE's own Dropout, which
    CANN's ONNX parser writes, is made for training. Refused: training_mode that is true or computed, and a
    mask below opset 12, which does not say what is in it.
    """
    x = node.input(0)
    if node.opset >= 12 and node.optional_input(2) is not None and node.constant(2, "training_mode").any():
        node.refuse("training_mode is true; only inference is converted: export the model for inference")
    if node.opset < 12 and node.has_output(1):
        node.refuse(
            "its mask is used; what is in it is not defined below opset 12: export it with opset 12 or above"
        )
    same = node.add_inner("Identity", "same", [x], (x.dtype, x.shape))
    if node.has_output(1):
        node.give(same, _ones(node, x))
    else:
        node.give(same)


def _ones(node: OnnxNode, x: Value) -> Value:
    dtype, shape = node.output_type(1)
    one = node.add_constant(1, "one", dtype.numpy)
    if x.shape is not None and -1 not in x.shape:
        dims = node.add_constant(np.array(x.shape, np.int64), "dims")
    else:
        rank = -1 if x.shape is None else len(x.shape)
        attributes = {"dtype": DataType.INT64.value}
        dims = node.add_inner("Shape", "dims", [x], (DataType.INT64, (rank,)), attributes)
    return node.add_inner("Fill", "mask", [dims, one], (dtype, shape))
