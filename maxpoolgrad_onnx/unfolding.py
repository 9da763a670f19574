"""Constants that nodes make of constants, counted before ONNX Runtime makes them, as it does on loading."""

from __future__ import annotations

import math
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from .errors import MaxPoolGradError, quoted
from .shapes import infer_types
from .values import shape_of, typed_values

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

MOST_ELEMENTS = 2**24
"""That a node may make of constants alone, where the model itself does not hold a quarter as many."""

# Operators whose result may be larger than all they read.
_GROWING = frozenset(
    {"Add", "And", "Concat", "ConstantOfShape", "Div", "Equal", "Expand", "EyeLike", "Gather", "GatherND"}
    | {"GatherElements", "Greater", "Less", "MatMul", "Mul", "OneHot", "Or", "Pad", "Pow", "Range", "Resize"}
    | {"Sub", "Tile", "Upsample", "Where", "Xor"}
)


def check_constants(model: ModelProto, name: str) -> None:
    """Refuse nodes that make very much of constants alone; `name` is what a sentence calls the model.

    Raises MaxPoolGradError (E10041).
    """
    model = _in_order(model)
    growing = [node for node in _computed_from_constants(model) if node.op_type in _GROWING]
    if not growing:
        return
    shapes = {value.name: shape_of(value.type) for value in typed_values(infer_types(model).graph)}
    held = sum(max(math.prod(tensor.dims), 0) for tensor in model.graph.initializer if tensor.raw_data)
    for node in growing:
        shape = shapes.get(node.output[0]) or []
        elements = math.prod(size for size in shape if size is not None)
        if elements > max(MOST_ELEMENTS, 4 * held):
            subject = f"{node.op_type} node {quoted(node.name or node.output[0])}"
            raise MaxPoolGradError(
                f"{name}: {subject} makes {elements} elements of constants alone; make them an input, or "
                "check the sizes that it reads",
                code="E10041",
            )


def _in_order(model: ModelProto) -> ModelProto:
    """The model, or a sorted copy where a node stands before one that it reads, as ONNX Runtime takes it."""
    makers = {name: index for index, node in enumerate(model.graph.node) for name in node.output}
    read = {
        index: {makers[name] for name in node.input if name in makers}
        for index, node in enumerate(model.graph.node)
    }
    if all(index > max(earlier, default=-1) for index, earlier in read.items()):
        return model
    try:
        order = list(TopologicalSorter(read).static_order())
    except CycleError:
        return model  # which ONNX Runtime refuses
    ordered = type(model)()
    ordered.CopyFrom(model)
    del ordered.graph.node[:]
    ordered.graph.node.extend(model.graph.node[index] for index in order)
    return ordered


def _computed_from_constants(model: ModelProto) -> list[NodeProto]:
    """The nodes of the main graph whose inputs are constants, and those that read what these make."""
    constant = {tensor.name for tensor in model.graph.initializer} | {""}
    found = []
    for node in model.graph.node:
        if node.output and constant.issuperset(node.input):
            constant.update(node.output)
            found.append(node)
    return found
