"""Convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import onnx_ir as ir

from ...contract import DOMAIN
from ...conv_gradients import CONV_FILTER_GRAD, CONV_INPUT_GRAD
from ...padding import same_pads
from ..refusal import refusal, unknown_size
from ..tape import Tape, dtype_of, shape_of


def conv(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = Conv2DBackpropInput(X's size, W, dY), dW = Conv2DBackpropFilter(X, W's size, dY), dB = sum of dY.

    The node's strides, pads, dilations and group are passed on, an auto_pad as the pads it stands for. The
    filter's gradient is float32; a Cast follows where W is of another type. The sum runs over all axes but
    the channels'.
    """
    x, w, b = (*node.inputs, None)[:3]
    assert x is not None
    assert w is not None
    if len(shape_of(x)) != 4:
        raise refusal(
            node,
            f"its input has {len(shape_of(x))} dimensions, and there is a rule for 4, [N, C, H, W], only",
            "write it as a 2-D convolution, with a dimension of size 1 for a missing one",
        )
    geometry = _geometry(node, x, w)
    _check_channels(node, x, w, geometry["group"])

    dx = dw = db = None
    if tape.needs(x):
        inputs = [tape.shape_tensor(x), w, dy]
        dx = tape.op(CONV_INPUT_GRAD, inputs, like=x, domain=DOMAIN, attributes=geometry)
    if tape.needs(w):
        dw = _filter_gradient(tape, [x, tape.shape_tensor(w), dy], w, geometry)
    if b is not None and tape.needs(b):
        axes = tape.ints([0, 2, 3], "axes")
        db = tape.op("ReduceSum", [dy, axes], like=b, attributes={"keepdims": 0})
    return [dx, dw, db][: len(node.inputs)]


def _filter_gradient(
    tape: Tape, inputs: Sequence[ir.Value], w: ir.Value, geometry: dict[str, Any]
) -> ir.Value:
    wide = tape.op(
        CONV_FILTER_GRAD, inputs, like=w, dtype=ir.DataType.FLOAT, domain=DOMAIN, attributes=geometry
    )
    if dtype_of(w) == ir.DataType.FLOAT:
        return wide
    return tape.op("Cast", [wide], like=w, attributes={"to": int(dtype_of(w))})


def _geometry(node: ir.Node, x: ir.Value, w: ir.Value) -> dict[str, Any]:
    """strides, pads, dilations and group of a Conv, all written out; pads are [top, left, bottom, right]."""
    strides = node.attributes.get_ints("strides", (1, 1))
    dilations = node.attributes.get_ints("dilations", (1, 1))
    auto_pad = node.attributes.get_string("auto_pad", "NOTSET")
    pads: Sequence[int] | None = node.attributes.get_ints("pads", (0, 0, 0, 0))
    if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        window = [_window(node, k, d) for k, d in zip(shape_of(w)[2:], dilations, strict=True)]
        pads = same_pads(auto_pad, shape_of(x)[2:], window, strides)
    elif auto_pad == "VALID":
        pads = (0, 0, 0, 0)
    if pads is None:
        raise unknown_size(node, auto_pad)
    return {
        "strides": list(strides),
        "pads": list(pads),
        "dilations": list(dilations),
        "group": node.attributes.get_int("group", 1),
    }


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


def _window(node: ir.Node, kernel: object, dilation: int) -> int:
    if not isinstance(kernel, int):
        raise refusal(
            node, "its filter's height and width are not known, and auto_pad needs them", "write pads"
        )
    return dilation * (kernel - 1) + 1
