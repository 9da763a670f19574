"""Output sizes of ceil-mode pools that every runtime agrees on.

Where the last window would begin past the input, PyTorch, ONNX from opset 22 and newer ONNX Runtimes drop it.
ONNX's shape inference below opset 22 counts it, and so do older ONNX Runtimes; newer ones count it when they
load a model and drop it when they run. With the padding at the end cut to what the remaining windows do read,
the same windows come out of floor mode, and nobody can disagree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import onnx
import onnx.shape_inference
from onnx import helper

from ..contract import PoolAttributes
from ..errors import MaxPoolGradError

Shape = tuple[int | None, ...]


def infer_shapes(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with every shape that can be inferred, and pools that drop a window written in floor mode.

    | auto_pad | rewritten where           | to                                                           |
    |----------|---------------------------|--------------------------------------------------------------|
    | NOTSET   | a window is dropped       | pads at the end (windows - 1) stride + kernel - size - begin |
    | VALID    | floor mode drops the same | floor mode                                                   |
    | SAME_*   | always                    | floor mode: ceil_mode has no meaning there                   |

    Except for SAME, pools of unknown height or width stay as they are.
    """
    model = _without_stated_sizes_of_ceil_pools(model)
    while True:
        inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
        shapes = _shapes(inferred.graph)
        if not any(_rewrite(node, shapes) for node in model.graph.node):
            return inferred
        del model.graph.value_info[:]  # what follows the pool may have been stated for the other size


def _without_stated_sizes_of_ceil_pools(model: onnx.ModelProto) -> onnx.ModelProto:
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    pools = {name for node in copy.graph.node if _attributes(node).get("ceil_mode") for name in node.output}
    kept = [value for value in copy.graph.value_info if value.name not in pools]
    del copy.graph.value_info[:]
    copy.graph.value_info.extend(kept)
    return copy


def _rewrite(node: onnx.NodeProto, shapes: Mapping[str, Shape | None]) -> bool:
    """Rewrite a node if it is such a pool; returns whether it was one."""
    attributes = _attributes(node)
    if not attributes.get("ceil_mode"):
        return False
    if attributes.get("auto_pad", b"NOTSET").startswith(b"SAME"):
        return _write(node, ceil_mode=0)
    size, inferred = shapes.get(node.input[0]), shapes.get(node.output[0])
    if size is None or inferred is None or len(size) != 4 or None in size[2:]:
        return False
    height_and_width = [int(length or 0) for length in size[2:]]
    try:
        return _rewrite_known(node, attributes, height_and_width, inferred[2:])
    except MaxPoolGradError:
        return False  # the rule for MaxPool refuses it, and says why


def _rewrite_known(
    node: onnx.NodeProto, attributes: Mapping[str, Any], size: Sequence[int], inferred: Shape
) -> bool:
    kernel, strides = attributes["kernel_shape"], attributes.get("strides", [1, 1])
    top, left, bottom, right = attributes.get("pads", [0, 0, 0, 0])
    pads = (top, bottom, left, right)

    def pooled(**mode: Any) -> tuple[int, ...]:
        window = {"ksize": (1, 1, *kernel), "strides": (1, 1, *strides)}
        return PoolAttributes.make(node.name, {**window, **mode}).output_shape([1, 1, *size])[2:]

    if attributes.get("auto_pad") == b"VALID":
        same = pooled(padding_mode="VALID") == pooled(ceil_mode=1)
        return same and _write(node, ceil_mode=0)
    windows = pooled(pads=pads, ceil_mode=1)
    if windows == inferred:
        return False
    ends = [
        max((count - 1) * stride + window - length - begin, 0)
        for count, stride, window, length, begin in zip(
            windows, strides, kernel, size, (top, left), strict=True
        )
    ]
    return _write(node, pads=[top, left, *ends], ceil_mode=0)


def _attributes(node: onnx.NodeProto) -> dict[str, Any]:
    if node.op_type != "MaxPool" or node.domain not in ("", "ai.onnx"):
        return {}
    return {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}


def _write(node: onnx.NodeProto, **values: Any) -> bool:
    kept = [attribute for attribute in node.attribute if attribute.name not in values]
    del node.attribute[:]
    node.attribute.extend([*kept, *(helper.make_attribute(name, value) for name, value in values.items())])
    return True


def _shapes(graph: onnx.GraphProto) -> dict[str, Shape | None]:
    values = (*graph.input, *graph.value_info, *graph.output)
    weights = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    return {**weights, **{value.name: _shape(value) for value in values}}


def _shape(value: onnx.ValueInfoProto) -> Shape | None:
    tensor = value.type.tensor_type
    if not tensor.HasField("shape"):
        return None
    return tuple(dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim)
