"""Batch normalisation, with given and with the batch's own statistics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ge_ir import DataType, Shape
from ...ge_ops.forms import FEWER_AXES, RUNNING, running_factor, running_terms
from ..graph_builder import Value
from ..onnx_node import OnnxNode, TypeOf
from ..registry import rule

_HALVES = (DataType.FLOAT16, DataType.BF16)
_MISSING_AXES = {2: [2, 3], 3: [2], 4: [], 5: []}
"""By rank: the axes that an input lacks to be one of those that GE takes, [N, C, H, W] or [N, C, D, H, W]."""


@rule("BatchNormalization")
def batch_normalization(node: OnnxNode) -> None:
    """BatchNormalization(X, scale, B, mean, var) becomes BatchNorm(x, scale, offset, mean, variance).

    epsilon alike; data_format "NCHW", or "NCDHW" of 5 axes; is_training false; exponential_avg_factor 1.
    Inputs [N, C, L] and [N, C] get the axes that are missing by Unsqueeze and lose them by Squeeze. scale, B,
    mean and var of float16 or bfloat16 are cast to float32, GE's type for them.

    With training_mode 1 (opset 14 and later) it becomes BatchNorm(x, scale, offset) with is_training true,
    whose batch_mean and batch_variance give the running statistics that are used:

    | ONNX         | GE                                                                       |
    |--------------|--------------------------------------------------------------------------|
    | running_mean | Add(Muls(mean, momentum), Muls(batch_mean, 1 - momentum))                |
    | running_var  | Add(Muls(var, momentum), Muls(batch_variance, (1 - momentum)(n - 1) / n)) |

    n is the number of elements per channel: GE's variance is divided by n - 1, ONNX's by n. Where n is not
    known, as in an open batch of C channels, Mul(batch_variance, Sub(1 - momentum, RealDiv(
    C (1 - momentum), Cast(Size(x))))) stands for the second Muls. Refused: further outputs below opset 14,
    which mean training there, spatial 0, running_var where n is 1 or C is not known.
    """
    if node.opset < 9 and not node.attr_int("spatial", 1):
        node.refuse("spatial is 0; statistics per element are not converted: only per channel, spatial 1")
    if node.opset < 14 and any(node.proto.output[1:]):
        node.refuse(
            f"it has {len(node.proto.output)} outputs, which means training below opset 14; inference has "
            "one: export it for inference, or with opset 14 or above"
        )
    x = node.input(0)
    missing = missing_axes(node, x)
    image = as_image(node, x, missing, "image")
    parameters = [_float32(node, node.input(index), f"{index}") for index in range(1, 5)]
    training = node.opset >= 14 and bool(node.attr_int("training_mode", 0))
    inputs = [image, *(parameters[:2] if training else parameters)]
    attributes = {
        "epsilon": node.attr_float("epsilon", 1e-5),
        "data_format": layout(image),
        "is_training": training,
    }
    y, batch_mean, batch_variance = _normalised(node, inputs, image, missing, attributes)
    if not training:
        node.give(y)
        return
    outputs = [y]
    momentum = node.attr_float("momentum", 0.9)
    outputs.append(_running(node, 1, parameters[2], batch_mean, momentum, 1.0))
    if node.has_output(2):
        outputs.append(_running(node, 2, parameters[3], batch_variance, momentum, _bias(node, x)))
    node.give(*outputs)


def missing_axes(node: OnnxNode, x: Value) -> list[int]:
    """The axes that an input lacks to be an image; refuses one of another rank than 2 to 5."""
    missing = None if x.shape is None else _MISSING_AXES.get(len(x.shape))
    if missing is None:
        found = "of unknown rank" if x.shape is None else f"{len(x.shape)}-D"
        node.refuse(f"its input is {found}; converted are 2 to 5 axes, [N, C, ...]: reshape it")
    return missing


def layout(image: Value) -> str:
    """data_format of an image."""
    return "NCDHW" if image.shape is not None and len(image.shape) == 5 else "NCHW"


def as_image(node: OnnxNode, x: Value, missing: list[int], suffix: str) -> Value:
    """An input with the axes that it lacks, which another node may have given it already."""
    if not missing:
        return x
    if x.constant is not None:
        elements = np.expand_dims(x.constant, tuple(missing))
        return node.add_constant(elements, suffix, elements.dtype)
    attributes = {"axes": missing}
    found = node.find("Unsqueeze", x, attributes)
    if found is not None:
        return found[0]
    return node.add_inner("Unsqueeze", suffix, [x], (x.dtype, _grown(x.shape)), attributes)


def outputs_of(image: Value) -> list[TypeOf]:
    """Types of BatchNorm's outputs: y, four statistics, and what is not used."""
    channels = None if image.shape is None else (image.shape[1],)
    statistics: list[TypeOf] = [(DataType.FLOAT, channels)] * 4
    return [(image.dtype, image.shape), *statistics, (DataType.FLOAT, (1,))]


def _grown(shape: Shape | None) -> Shape | None:
    return None if shape is None else (*shape[:2], *[1] * (4 - len(shape)), *shape[2:])


def _float32(node: OnnxNode, value: Value, suffix: str) -> Value:
    if value.dtype not in _HALVES:
        return value
    if value.constant is not None:
        return node.add_constant(value.constant, f"float{suffix}", np.float32)
    target = {"dst_type": DataType.FLOAT.value}
    return node.add_inner("Cast", f"float{suffix}", [value], (DataType.FLOAT, value.shape), target)


def _normalised(
    node: OnnxNode, inputs: list[Value], image: Value, missing: list[int], attributes: dict[str, Any]
) -> tuple[Value, Value, Value]:
    """y, batch_mean and batch_variance."""
    outputs = outputs_of(image)
    if not missing:
        y, mean, variance, *_ = node.add_named("BatchNorm", inputs, outputs, attributes)
        return y, mean, variance
    result, mean, variance, *_ = node.add_inner_all(
        "BatchNorm", "image", inputs, outputs, attributes, onnx_form=FEWER_AXES
    )
    (y,) = node.add_named("Squeeze", [result], [node.output_type()], {"axis": missing})
    return y, mean, variance


def _running(
    node: OnnxNode, output: int, old: Value, batch: Value, momentum: float, bias: float | None
) -> Value:
    """old momentum + batch (1 - momentum) bias, or the batch's statistics where nobody asks."""
    if not node.has_output(output):
        return batch
    kept = node.add_inner("Muls", f"kept{output}", [old], (old.dtype, old.shape), {"value": momentum})
    if bias is None:
        inputs, attributes = [batch, _factor(node, momentum)], {}
    else:
        inputs, attributes = [batch], {"value": running_factor(momentum, bias)}
    scales = "Mul" if bias is None else "Muls"
    added = node.add_inner(scales, f"added{output}", inputs, (batch.dtype, batch.shape), attributes)
    dtype, shape = node.output_type(output)
    mixed = (DataType.FLOAT, shape)
    total = node.add_inner("Add", f"running{output}", [kept, added], mixed, onnx_form=RUNNING)
    if dtype is DataType.FLOAT:
        return total
    return node.add_inner("Cast", f"cast{output}", [total], (dtype, shape), {"dst_type": dtype.value})


def _bias(node: OnnxNode, x: Value) -> float | None:
    """(n - 1) / n for n elements per channel: what makes the variance that GE gives the one of ONNX.

    None where n is not known.
    """
    shape = x.shape or (-1,)
    sizes = (*shape[:1], *shape[2:])
    count = math.prod(sizes)
    if -1 in sizes and shape[1:2] != (-1,):
        return None
    if -1 in shape or count < 2:
        node.refuse(
            f"its input has the shape {list(shape)}; the running variance needs 2 elements per channel at "
            "least, and the number of channels: fix the shapes"
        )
    return (count - 1) / count


def _factor(node: OnnxNode, momentum: float) -> Value:
    """(1 - momentum)(1 - 1 / n), n being counted while the model runs."""
    x = node.input(0)
    assert x.shape is not None
    scalar = (DataType.FLOAT, ())
    whole, part = (
        node.add_constant(term, name, np.float32)
        for term, name in zip(running_terms(momentum, x.shape[1]), ("whole", "part"), strict=True)
    )
    size = node.add_inner(
        "Size", "size", [x], (DataType.INT64, ()), {"dtype": DataType.INT64.value}, onnx_form=RUNNING
    )
    count = node.add_inner(
        "Cast", "count", [size], scalar, {"dst_type": DataType.FLOAT.value}, onnx_form=RUNNING
    )
    share = node.add_inner("RealDiv", "share", [part, count], scalar, onnx_form=RUNNING)
    return node.add_inner("Sub", "factor", [whole, share], scalar, onnx_form=RUNNING)
