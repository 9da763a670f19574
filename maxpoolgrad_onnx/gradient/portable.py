"""Convolutions and pools in forms that all runtimes understand alike.

Runtimes disagree about two of ONNX's forms, so that one graph has other shapes or other values in each:

- ceil_mode where the last window would begin past the input. PyTorch, ONNX from opset 22 and newer ONNX
  Runtimes drop it; ONNX's shape inference below opset 22 counts it, and so do older ONNX Runtimes. Newer ones
  count it when they load a model and drop it when they run.
- auto_pad SAME where stride exceeds window and windows leave a margin. ONNX says no padding; some ONNX
  Runtimes refuse the node, others shift the windows.

Where sizes are known, both are written with explicit pads in floor mode: the same windows, understood by all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import onnx
from onnx import helper

from ..contract import PoolAttributes
from ..errors import MaxPoolGradError
from ..padding import ge_order, same_pads, same_total
from ..shapes import inferred_by_onnx
from ..values import shape_of, typed_values

Shape = Sequence[int | None]
Attributes = Mapping[str, Any]


def in_portable_form(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with nodes in those two forms rewritten, and every shape that can be inferred."""
    model = _without_stated_sizes_of_ceil_pools(model)
    while True:
        inferred = inferred_by_onnx(model)
        shapes = _shapes(inferred.graph)
        if not any(_rewrite(node, shapes) for node in model.graph.node):
            return inferred
        del model.graph.value_info[:]  # what follows may have been stated for the other size


def _without_stated_sizes_of_ceil_pools(model: onnx.ModelProto) -> onnx.ModelProto:
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    pools = {name for node in copy.graph.node if _attributes(node).get("ceil_mode") for name in node.output}
    kept = [value for value in copy.graph.value_info if value.name not in pools]
    del copy.graph.value_info[:]
    copy.graph.value_info.extend(kept)
    return copy


def _rewrite(node: onnx.NodeProto, shapes: Mapping[str, Shape | None]) -> bool:
    """Rewrite a node if it is in one of the forms; returns whether it was."""
    form = _FORMS.get(node.op_type)
    if form is None or node.domain:
        return False
    size, result = shapes.get(node.input[0]), shapes.get(node.output[0])
    if size is None or result is None or len(size) != 4 or None in size[2:]:
        return False
    attributes = _attributes(node)
    kernel = attributes.get("kernel_shape") or (shapes.get(node.input[1]) or ())[2:]
    window = [length for length in kernel if isinstance(length, int)]
    if len(window) != 2:
        return False
    try:
        changes = form(attributes, window, [int(length or 0) for length in size[2:]], result[2:])
    except MaxPoolGradError:
        return False  # the rule for MaxPool refuses it, and says why
    kept = [attribute for attribute in node.attribute if attribute.name not in changes]
    del node.attribute[:]
    node.attribute.extend([*kept, *(helper.make_attribute(name, value) for name, value in changes.items())])
    return bool(changes)


def _conv(
    attributes: Attributes, kernel: Sequence[int], size: Sequence[int], _result: Shape
) -> dict[str, Any]:
    dilations = attributes.get("dilations", [1, 1])
    window = [d * (k - 1) + 1 for d, k in zip(dilations, kernel, strict=True)]
    return _same_with_a_margin(attributes, window, size)


def _max_pool(
    attributes: Attributes, window: Sequence[int], size: Sequence[int], result: Shape
) -> dict[str, Any]:
    changes = _same_with_a_margin(attributes, window, size)
    if not attributes.get("ceil_mode"):
        return changes
    auto_pad = _auto_pad(attributes)
    if auto_pad.startswith("SAME"):
        return {**changes, "ceil_mode": 0}  # it has no meaning there
    strides = attributes.get("strides", [1, 1])
    pads = attributes.get("pads", [0, 0, 0, 0])
    begins = pads[:2]

    def pooled(**mode: Any) -> tuple[int, ...]:
        form = {"ksize": (1, 1, *window), "strides": (1, 1, *strides), **mode}
        return PoolAttributes.make("MaxPool", form).output_shape([1, 1, *size])[2:]

    if auto_pad == "VALID":
        return {"ceil_mode": 0} if pooled(padding_mode="VALID") == pooled(ceil_mode=1) else {}
    windows = pooled(pads=ge_order(pads), ceil_mode=1)
    if list(windows) == list(result):
        return {}
    ends = [
        max((count - 1) * stride + kernel - length - begin, 0)
        for count, stride, kernel, length, begin in zip(windows, strides, window, size, begins, strict=True)
    ]
    return {"pads": [*begins, *ends], "ceil_mode": 0}


def _same_with_a_margin(attributes: Attributes, window: Sequence[int], size: Sequence[int]) -> dict[str, Any]:
    auto_pad, strides = _auto_pad(attributes), attributes.get("strides", [1, 1])
    if not auto_pad.startswith("SAME"):
        return {}
    if all(same_total(*axis) >= 0 for axis in zip(size, window, strides, strict=True)):
        return {}
    return {"auto_pad": "NOTSET", "pads": list(same_pads(auto_pad, size, window, strides) or ())}


_FORMS: Mapping[str, Callable[[Attributes, Sequence[int], Sequence[int], Shape], dict[str, Any]]] = {
    "Conv": _conv,
    "MaxPool": _max_pool,
}


def _auto_pad(attributes: Attributes) -> str:
    return str(attributes.get("auto_pad", b"NOTSET").decode())


def _attributes(node: onnx.NodeProto) -> dict[str, Any]:
    return {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}


def _shapes(graph: onnx.GraphProto) -> dict[str, Shape | None]:
    weights = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
    return weights | {value.name: shape_of(value.type) for value in typed_values(graph)}
