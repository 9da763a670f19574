"""Batch normalisation's gradients: nodes of domain npu that are GE's own training operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from maxpoolgrad_onnx.batch_norm_gradients import BATCH_NORM_GRAD, BATCH_NORM_INFERENCE_GRAD
from maxpoolgrad_onnx.contract import DOMAIN

from ...ge_ir import DataType
from ...ge_ops.forms import FEWER_AXES
from ..graph_builder import Value
from ..onnx_node import OnnxNode, TypeOf
from ..registry import rule
from .batch_norm import as_image, layout, missing_axes, outputs_of


@rule(BATCH_NORM_GRAD, domain=DOMAIN)
def of_the_batch(node: OnnxNode) -> None:
    """BatchNormGrad(y_backprop, x, scale) becomes GE's operator of that name with is_training true.

    reserve_space_1 and 2, what the statistics of x left behind, are those of the BatchNorm that trains on the
    same x with the same epsilon, else those of a BatchNorm of its own. Axes and data_format as in
    BatchNormalization; output_mask is all true.
    """
    operands = _operands(node, 3)
    image = operands[1]
    form = {"epsilon": node.attr_float("epsilon", 1e-5), "data_format": layout(image), "is_training": True}
    normalised = node.find("BatchNorm", image, form)
    if normalised is None:
        # y is not used, so the offset may be anything.
        scale = operands[2]
        normalised = node.add_inner_all(
            "BatchNorm", "statistics", [image, scale, scale], outputs_of(image), form
        )
    _add(node, [*operands, *normalised[3:5]], form)


@rule(BATCH_NORM_INFERENCE_GRAD, domain=DOMAIN)
def of_given_statistics(node: OnnxNode) -> None:
    """BatchNormInferenceGrad(y_backprop, x, scale, mean, variance) becomes BatchNormGrad with is_training
    false: reserve_space_1 is mean, reserve_space_2 variance; the rest as in BatchNormGrad."""
    operands = _operands(node, 5)
    epsilon = node.attr_float("epsilon", 1e-5)
    _add(node, operands, {"epsilon": epsilon, "data_format": layout(operands[1]), "is_training": False})


def _operands(node: OnnxNode, count: int) -> list[Value]:
    """The inputs, the first two as images."""
    y_backprop, x, *vectors = [node.input(index) for index in range(count)]
    if node.input_count != count:
        node.refuse(f"it has {node.input_count} inputs; {node.proto.op_type} takes {count}")
    unlike = next((value for value in (y_backprop, *vectors) if value.dtype is not x.dtype), None)
    if unlike is not None:
        node.refuse(
            f"an input of it is {unlike.dtype.label} and x is {x.dtype.label}; all are of one type: cast them"
        )
    missing = missing_axes(node, x)
    images = [
        as_image(node, value, missing, name) for name, value in (("gradient", y_backprop), ("image", x))
    ]
    return [*images, *vectors]


def _add(node: OnnxNode, operands: Sequence[Value], form: dict[str, Any]) -> None:
    """The operator, and where x lacks axes the Squeeze that takes them from its gradient."""
    image, scale = operands[1:3]
    attributes = {**form, "output_mask": [True, True, True]}
    sums: list[TypeOf] = [(scale.dtype, scale.shape)] * 2
    reserved: list[TypeOf] = [(DataType.FLOAT, (0,))] * 2
    outputs = [(image.dtype, image.shape), *sums, *reserved]
    missing = missing_axes(node, node.input(1))
    if not missing:
        node.give(*node.add_named("BatchNormGrad", operands, outputs, attributes)[:3])
        return
    gradients = node.add_inner_all(
        "BatchNormGrad", "image", operands, outputs, attributes, onnx_form=FEWER_AXES
    )
    (x_backprop,) = node.add_named("Squeeze", gradients[:1], [node.output_type()], {"axis": missing})
    node.give(x_backprop, *gradients[1:3])
