"""Reductions over axes."""

from __future__ import annotations

from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule

_AXES_ARE_AN_INPUT_SINCE = {"ReduceSum": 13}


@rule("ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum")
def reduce(node: OnnxNode) -> None:
    """ReduceX(data, axes) becomes GE's operator of the same name, ReduceX(x, axes), in every opset.

    keepdims -> keep_dims. axes given as an attribute become a constant int64 input; axes left out become all
    axes written out, because GE's products disagree on what an empty list means; noop_with_empty_axes is then
    false. With noop_with_empty_axes = 1 and no axes the node becomes Identity(x).
    """
    x = node.input(0)
    axes = _axes(node)
    if axes is None and node.attr_int("noop_with_empty_axes", 0):
        node.add("Identity", [x])
        return
    attributes = {"keep_dims": bool(node.attr_int("keepdims", 1)), "noop_with_empty_axes": False}
    node.add(node.proto.op_type, [x, _all_axes(node, x) if axes is None else axes], attributes)


def _axes(node: OnnxNode) -> Value | None:
    """The axes as a value; None where there are none."""
    if node.opset < _AXES_ARE_AN_INPUT_SINCE.get(node.proto.op_type, 18):
        listed = node.attr_ints("axes")
        return node.add_constant(listed, "axes") if listed else None
    axes = node.optional_input(1)
    return None if axes is None or axes.shape == (0,) else axes


def _all_axes(node: OnnxNode, x: Value) -> Value:
    if x.shape is None:
        node.refuse("it reduces all axes of a tensor of unknown rank; give the model's inputs a shape")
    return node.add_constant(range(len(x.shape)), "axes")
