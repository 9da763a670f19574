"""Convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import onnx_ir as ir

from ...contract import DOMAIN
from ...conv_gradients import CONV_FILTER_GRAD, CONV_GRAD, CONV_GRAD_WITHOUT_BIAS, CONV_INPUT_GRAD
from ..operations import cast, reduce
from ..refusal import refusal
from ..tape import Dim, Tape, dtype_of, shape_of
from .windows import as_image, as_line, check_rank, image_shape, window_attributes


def conv(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX, dW, dB = ConvGrad(dY, X, W), or dX, dW = ConvGradWithoutBias(dY, X, W).

    Where not both of dX and dW are needed: dX = Conv2DBackpropInput(X's size, W, dY),
    dW = Conv2DBackpropFilter(X, W's size, dY), dB = sum of dY.

    The node's strides, pads, dilations and group are passed on, an auto_pad as the pads it stands for; lines
    [N, C, L] are images of height 1. The filter's gradient is float32; a Cast follows where W is of another
    type. The sum runs over all axes but the channels'.
    """
    x, w, b = (*node.inputs, None)[:3]
    assert x is not None
    assert w is not None
    check_rank(node, x)
    group = node.attributes.get_int("group", 1)
    _check_channels(node, x, w, group)
    geometry = {**window_attributes(node, x, shape_of(w)[2:]), "group": group}
    if tape.needs(x) and tape.needs(w):
        return _together(tape, node, dy, geometry)[: len(node.inputs)]
    dx = dw = None
    if tape.needs(x):
        dx = input_gradient(tape, w, dy, x, geometry)
    if tape.needs(w):
        dw = filter_gradient(tape, x, dy, w, geometry)
    return [dx, dw, bias_gradient(tape, b, dy)][: len(node.inputs)]


def _together(tape: Tape, node: ir.Node, dy: ir.Value, geometry: dict[str, Any]) -> list[ir.Value | None]:
    x, w, b = (*node.inputs, None)[:3]
    assert x is not None
    assert w is not None
    inputs = [as_image(tape, value) for value in (dy, x, w)]
    results = [(dtype_of(x), _image_dims(x)), (ir.DataType.FLOAT, _image_dims(w))]
    op_type = CONV_GRAD_WITHOUT_BIAS
    if tape.needs(b):
        op_type = CONV_GRAD
        results.append((dtype_of(dy), shape_of(b)))
    dx, dw, *db = tape.ops(op_type, inputs, results, domain=DOMAIN, attributes=geometry)
    wanted = cast(tape, as_line(tape, dw, w), dtype_of(w))
    return [as_line(tape, dx, x), wanted, next(iter(db), None)]


def _image_dims(value: ir.Value) -> tuple[Dim, ...]:
    dims = shape_of(value)
    return dims if len(dims) == 4 else (*dims[:2], 1, dims[2])


def input_gradient(tape: Tape, w: ir.Value, dy: ir.Value, x: ir.Value, geometry: dict[str, Any]) -> ir.Value:
    """Conv2DBackpropInput with the shape of `x`."""
    inputs = [image_shape(tape, x), as_image(tape, w), as_image(tape, dy)]
    dims = _image_dims(x)
    dx = tape.op(CONV_INPUT_GRAD, inputs, like=x, shape=dims, domain=DOMAIN, attributes=geometry)
    return as_line(tape, dx, x)


def filter_gradient(tape: Tape, x: ir.Value, dy: ir.Value, w: ir.Value, geometry: dict[str, Any]) -> ir.Value:
    """Conv2DBackpropFilter of `x` and `dy` with the shape and type of `w`."""
    inputs = [as_image(tape, x), image_shape(tape, w), as_image(tape, dy)]
    wide = [(ir.DataType.FLOAT, _image_dims(w))]
    (dw,) = tape.ops(CONV_FILTER_GRAD, inputs, wide, domain=DOMAIN, attributes=geometry)
    return cast(tape, as_line(tape, dw, w), dtype_of(w))


def bias_gradient(tape: Tape, b: ir.Value | None, dy: ir.Value) -> ir.Value | None:
    """The sum of dY over all axes but the channels'."""
    if b is None or not tape.needs(b):
        return None
    return reduce(tape, "ReduceSum", dy, per_channel(dy), keepdims=False)


def per_channel(value: ir.Value) -> Sequence[int]:
    """All axes but the second."""
    return [axis for axis in range(len(shape_of(value))) if axis != 1]


def _check_channels(node: ir.Node, x: ir.Value, w: ir.Value, group: int) -> None:
    """onnx infers the same shapes whether or not the filter fits the input's channels."""
    channels, (filters, taken) = shape_of(x)[1], shape_of(w)[:2]
    if group < 1:
        raise refusal(node, f"group is {group}", "it must be 1 or more")
    if isinstance(filters, int) and filters % group:
        raise refusal(node, f"its {filters} filters are no multiple of group {group}", "change one of them")
    if isinstance(channels, int) and isinstance(taken, int) and channels != taken * group:
        raise refusal(
            node,
            f"its filter takes {taken} channels in each of {group} groups, and the input has {channels}",
            "give it as many as the input has",
        )
