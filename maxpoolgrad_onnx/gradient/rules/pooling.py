"""Pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import onnx_ir as ir

from ...contract import (
    DEFAULTS,
    DOMAIN,
    KSIZE_MAX,
    OP_TYPE,
    PoolAttributes,
    check_dtypes,
    check_shapes,
)
from ...errors import MaxPoolGradError, quoted
from ...padding import ge_order, same_pads
from ..refusal import refusal, subject_of, unknown_size
from ..tape import Tape, dtype_of, shape_of
from .reduction import share_among_equals
from .windows import as_image, as_line, pads_with_height, with_height

_DTYPES = (ir.DataType.FLOAT16, ir.DataType.FLOAT)


def max_pool(tape: Tape, node: ir.Node, dy: ir.Value, *others: ir.Value | None) -> list[ir.Value | None]:
    """dX = MaxPoolV3Grad(X, Y, dY), with pads [top, bottom, left, right] from [top, left, bottom, right].

    | ONNX                           | MaxPoolV3Grad                                              |
    |--------------------------------|------------------------------------------------------------|
    | auto_pad NOTSET                | CALCULATED, the same pads and ceil_mode                    |
    | auto_pad VALID                 | VALID                                                      |
    | auto_pad SAME_UPPER            | SAME, where an odd padding is longer at the end            |
    | auto_pad SAME_LOWER            | SAME where both paddings are even, else CALCULATED         |

    Lines [N, C, L] are images of height 1. Refused: Indices in use, dilations, storage_order 1, 3-D pooling,
    and what the operator itself refuses (window above 255, stride above 63, dtypes other than float16 and
    float32).
    """
    x = node.inputs[0]
    assert x is not None
    _refuse_forms_without_gradient(node, x)
    return [_routed(tape, node, dy, x, _operator_attributes(node, x))]


def global_max_pool(tape: Tape, node: ir.Node, dy: ir.Value) -> list[ir.Value | None]:
    """dX = MaxPoolV3Grad(X, Y, dY) with the plane as its one window: the first of equal maxima has it all.

    A plane of unknown size, beyond MaxPoolV3Grad's window, or of more than two axes, and a dtype that it does
    not have: equal maxima have equal parts, as in ReduceMax.
    """
    x = node.inputs[0]
    assert x is not None
    plane = shape_of(x)[2:]
    window = [size for size in plane if isinstance(size, int) and 1 <= size <= KSIZE_MAX]
    if len(window) != len(plane) or len(plane) > 2 or dtype_of(x) not in _DTYPES:
        return [share_among_equals(tape, node, dy, list(range(2, len(shape_of(x)))))]
    return [_routed(tape, node, dy, x, _attributes(node, with_height(window, 1), [1, 1]))]


def _routed(tape: Tape, node: ir.Node, dy: ir.Value, x: ir.Value, attributes: PoolAttributes) -> ir.Value:
    images = [as_image(tape, value) for value in (x, node.outputs[0], dy)]
    _check_with_contract(node, attributes, images[0], images[1])
    written = {name: _plain(value) for name, value in attributes.as_dict().items()}
    return as_line(tape, tape.op(OP_TYPE, images, like=images[0], domain=DOMAIN, attributes=written), x)


def _refuse_forms_without_gradient(node: ir.Node, x: ir.Value) -> None:
    rank = len(shape_of(x))
    dilations = node.attributes.get_ints("dilations", ())
    if rank not in (3, 4):
        raise refusal(
            node,
            f"its input has {rank} dimensions; {OP_TYPE} pools [N, C, H, W], and [N, C, L] with height 1",
            "write it as 2-D pooling, with a dimension of size 1 for a missing one",
        )
    if len(node.outputs) > 1 and node.outputs[1].uses():
        raise refusal(
            node,
            f"its second output, Indices ({quoted(node.outputs[1].name)}), is in use, and {OP_TYPE} has none",
            "remove what reads it",
        )
    if any(dilation != 1 for dilation in dilations):
        raise refusal(
            node,
            f"dilations is {list(dilations)}; {OP_TYPE} has none",
            "use dilations of 1 and another window",
        )
    if node.attributes.get_int("storage_order", 0) != 0:
        raise refusal(
            node,
            "storage_order is 1 (column major); Ascend's compiler takes 0 only",
            "remove the attribute: it changes nothing but Indices",
        )


def _operator_attributes(node: ir.Node, x: ir.Value) -> PoolAttributes:
    axes = len(shape_of(x)) - 2
    given = node.attributes.get_ints("kernel_shape")
    assert given is not None
    kernel = with_height(given, 1)
    strides = with_height(node.attributes.get_ints("strides", [1] * axes), 1)
    auto_pad = node.attributes.get_string("auto_pad", "NOTSET")
    ceil_mode = node.attributes.get_int("ceil_mode", 0)
    if auto_pad == "VALID" and ceil_mode:
        raise refusal(
            node,
            "auto_pad is VALID and ceil_mode is 1, and runtimes disagree about the output size",
            "write pads [0, 0, 0, 0] in place of auto_pad",
        )
    padding_mode, pads = "CALCULATED", (0, 0, 0, 0)
    if auto_pad == "SAME_UPPER":
        padding_mode, ceil_mode = "SAME", 0
    elif auto_pad == "SAME_LOWER":
        same = same_pads(auto_pad, with_height(shape_of(x)[2:], 1), kernel, strides)
        if same is None:
            raise unknown_size(node, auto_pad)
        pads, ceil_mode = ge_order(same), 0
        if pads[0] == pads[1] and pads[2] == pads[3]:
            padding_mode, pads = "SAME", (0, 0, 0, 0)
    elif auto_pad == "VALID":
        padding_mode = "VALID"
    else:
        pads = ge_order(pads_with_height(node.attributes.get_ints("pads", [0] * 2 * axes)))
    return _attributes(node, kernel, strides, padding_mode=padding_mode, pads=pads, ceil_mode=ceil_mode)


def _attributes(
    node: ir.Node, kernel: Sequence[int], strides: Sequence[int], **others: Any
) -> PoolAttributes:
    values = {**DEFAULTS, "ksize": (1, 1, *kernel), "strides": (1, 1, *strides), **others}
    try:
        return PoolAttributes.make(subject_of(node), values)
    except MaxPoolGradError as error:
        raise MaxPoolGradError(
            f"{error} in {OP_TYPE}; pool in several steps with smaller windows or strides", code=error.code
        ) from error


def _check_with_contract(node: ir.Node, attributes: PoolAttributes, x: ir.Value, y: ir.Value) -> None:
    """What the operator would refuse at run time, refused now, as far as shapes are known."""
    subject = subject_of(node)
    shapes = [[dim if isinstance(dim, int) else None for dim in shape_of(value)] for value in (x, y, y)]
    check_dtypes(subject, *(dtype_of(value).numpy().name for value in (x, y, y)))
    check_shapes(subject, attributes, *shapes)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
