"""Convolutions and pools in forms that all runtimes understand alike.

Runtimes disagree about some of ONNX's forms, so that one graph has other shapes or other values in each:

- ceil_mode where the last window would begin past the input. PyTorch, ONNX from opset 22 and newer ONNX
  Runtimes drop it; ONNX's shape inference below opset 22 counts it, and so do older ONNX Runtimes. Newer ones
  count it when they load a model and drop it when they run.
- auto_pad SAME where stride exceeds window and windows leave a margin. ONNX says no padding; some ONNX
  Runtimes refuse the node, others shift the windows. And of a dilated Conv, which ONNX Runtime does not have.
- MaxPool's window larger than the padded input, by less than a stride: ONNX's size is 1, the formula's 0.

Where sizes are known, they are written with explicit pads in floor mode, and with a window inside the padded
input: the same windows, understood by all.
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
    """The model with nodes in those forms rewritten, and every shape that can be inferred."""
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
    if size is None or result is None or len(size) not in (3, 4) or None in size[2:]:
        return False
    attributes = _attributes(node)
    kernel = attributes.get("kernel_shape") or (shapes.get(node.input[1]) or ())[2:]
    window = [length for length in kernel if isinstance(length, int)]
    if len(window) != len(size) - 2:
        return False
    known = [int(length or 0) for length in size[2:]]
    image = _of_an_image(attributes, len(window))
    try:
        changes = form(image, *(_with_height(lengths, 1) for lengths in (window, known, result[2:])))
    except MaxPoolGradError:
        return False  # the rule for MaxPool refuses it, and says why
    changes = {name: _of_axes(value, len(window)) for name, value in changes.items()}
    kept = [attribute for attribute in node.attribute if attribute.name not in changes]
    del node.attribute[:]
    node.attribute.extend([*kept, *(helper.make_attribute(name, value) for name, value in changes.items())])
    return bool(changes)


def _of_an_image(attributes: Attributes, axes: int) -> dict[str, Any]:
    """Attributes of windows over two axes: those over one get a height of 1."""
    values = {"strides": [1] * axes, "dilations": [1] * axes, "pads": [0] * 2 * axes, **attributes}
    if axes == 2:
        return values
    begin, end = values["pads"]
    sizes = {name: _with_height(values[name], 1) for name in ("strides", "dilations")}
    return {**values, **sizes, "pads": [0, begin, 0, end]}


def _of_axes(value: Any, axes: int) -> Any:
    """A changed attribute for as many axes as the node has."""
    if axes == 2 or not isinstance(value, list):
        return value
    return value[1:] if len(value) == 2 else value[1::2]


def _with_height(lengths: Sequence[Any], height: int) -> list[Any]:
    return list(lengths) if len(lengths) == 2 else [height, *lengths]


def _conv(
    attributes: Attributes, kernel: Sequence[int], size: Sequence[int], _result: Shape
) -> dict[str, Any]:
    dilations = attributes["dilations"]
    window = [d * (k - 1) + 1 for d, k in zip(dilations, kernel, strict=True)]
    return _explicit_same(attributes, window, size, always=any(dilation != 1 for dilation in dilations))


def _average_pool(
    attributes: Attributes, window: Sequence[int], size: Sequence[int], _result: Shape
) -> dict[str, Any]:
    changes = _explicit_same(attributes, window, size)
    if not attributes.get("ceil_mode"):
        return changes
    auto_pad = _auto_pad(attributes)
    if auto_pad.startswith("SAME"):
        return {**changes, "ceil_mode": 0}
    floor, ceil = (_pooled(attributes, window, size, mode) for mode in (0, 1))
    if floor == ceil:
        return {"ceil_mode": 0}
    if attributes.get("count_include_pad") or auto_pad == "VALID":
        return {}  # more padding would be counted
    return {"pads": [*attributes["pads"][:2], *_ends(attributes, window, size, ceil)], "ceil_mode": 0}


def _max_pool(
    attributes: Attributes, window: Sequence[int], size: Sequence[int], result: Shape
) -> dict[str, Any]:
    changes = _explicit_same(attributes, window, size)
    auto_pad = _auto_pad(attributes)
    if auto_pad == "NOTSET" and attributes["dilations"] == [1, 1]:
        changes = _window_inside(attributes, window, size, result)
    if changes or not attributes.get("ceil_mode"):
        return changes
    if auto_pad.startswith("SAME"):
        return {"ceil_mode": 0}  # it has no meaning there
    windows = _pooled(attributes, window, size, 1)
    if auto_pad == "VALID":
        return {"ceil_mode": 0} if _pooled(attributes, window, size, 0) == windows else {}
    if windows == list(result):
        return {}
    return {"pads": [*attributes["pads"][:2], *_ends(attributes, window, size, windows)], "ceil_mode": 0}


def _window_inside(
    attributes: Attributes, window: Sequence[int], size: Sequence[int], result: Shape
) -> dict[str, Any]:
    """The window cut to the padded input where it is larger, and yet there is one by ONNX's sizes."""
    pads, cut = attributes["pads"], list(window)
    for axis in (0, 1):
        room = size[axis] + pads[axis] + pads[axis + 2]
        if window[axis] > room > 0 and result[axis] == 1:
            cut[axis] = room
    return {"kernel_shape": cut} if cut != list(window) else {}


def _pooled(attributes: Attributes, window: Sequence[int], size: Sequence[int], ceil_mode: int) -> list[int]:
    """The sizes of a pool's result, as PyTorch and newer ONNX Runtimes have them."""
    pads = [0] * 4 if _auto_pad(attributes) == "VALID" else attributes["pads"]
    form = {"ksize": (1, 1, *window), "strides": (1, 1, *attributes["strides"]), "pads": ge_order(pads)}
    pool = PoolAttributes.make("MaxPool", {**form, "ceil_mode": ceil_mode})
    return list(pool.output_shape([1, 1, *size])[2:])


def _ends(
    attributes: Attributes, window: Sequence[int], size: Sequence[int], windows: Sequence[int]
) -> list[int]:
    """Padding at the end with which floor mode has as many windows."""
    axes = zip(windows, attributes["strides"], window, size, attributes["pads"][:2], strict=True)
    return [
        max((count - 1) * stride + kernel - length - begin, 0)
        for count, stride, kernel, length, begin in axes
    ]


def _explicit_same(
    attributes: Attributes, window: Sequence[int], size: Sequence[int], *, always: bool = False
) -> dict[str, Any]:
    auto_pad, strides = _auto_pad(attributes), attributes["strides"]
    if not auto_pad.startswith("SAME"):
        return {}
    if not always and all(same_total(*axis) >= 0 for axis in zip(size, window, strides, strict=True)):
        return {}
    return {"auto_pad": "NOTSET", "pads": list(same_pads(auto_pad, size, window, strides) or ())}


_FORMS: Mapping[str, Callable[[Attributes, Sequence[int], Sequence[int], Shape], dict[str, Any]]] = {
    "AveragePool": _average_pool,
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
