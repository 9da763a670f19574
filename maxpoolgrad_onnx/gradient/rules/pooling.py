"""Pooling."""

from __future__ import annotations

from typing import Any

import onnx_ir as ir

from ...contract import DOMAIN, OP_TYPE, PoolAttributes, check_dtypes, check_shapes
from ...errors import MaxPoolGradError, quoted
from ...padding import ge_order, same_pads
from ..refusal import refusal, subject_of, unknown_size
from ..tape import Tape, dtype_of, shape_of


def max_pool(tape: Tape, node: ir.Node, dy: ir.Value, *others: ir.Value | None) -> list[ir.Value | None]:
    """dX = MaxPoolV3Grad(X, Y, dY), with pads [top, bottom, left, right] from [top, left, bottom, right].

    | ONNX                           | MaxPoolV3Grad                                              |
    |--------------------------------|------------------------------------------------------------|
    | auto_pad NOTSET                | CALCULATED, the same pads and ceil_mode                    |
    | auto_pad VALID                 | VALID                                                      |
    | auto_pad SAME_UPPER            | SAME, where an odd padding is longer at the end            |
    | auto_pad SAME_LOWER            | SAME where both paddings are even, else CALCULATED         |

    Refused: Indices in use, dilations, storage_order 1, other than 2-D pooling, and what the operator itself
    refuses (window above 255, stride above 63, dtypes other than float16 and float32).
    """
    x, y = node.inputs[0], node.outputs[0]
    assert x is not None
    _refuse_forms_without_gradient(node, x)
    attributes = _operator_attributes(node, x)
    _check_with_contract(node, attributes, x, y)
    written = {name: _plain(value) for name, value in attributes.as_dict().items()}
    return [tape.op(OP_TYPE, [x, y, dy], like=x, domain=DOMAIN, attributes=written)]


def _refuse_forms_without_gradient(node: ir.Node, x: ir.Value) -> None:
    rank = len(shape_of(x))
    dilations = node.attributes.get_ints("dilations", ())
    if rank != 4:
        raise refusal(
            node,
            f"its input has {rank} dimensions; {OP_TYPE} pools 4 dimensions [N, C, H, W]",
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
    kernel = node.attributes.get_ints("kernel_shape")
    strides = node.attributes.get_ints("strides", (1, 1))
    assert kernel is not None
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
        same = same_pads(auto_pad, shape_of(x)[2:], kernel, strides)
        if same is None:
            raise unknown_size(node, auto_pad)
        pads, ceil_mode = ge_order(same), 0
        if pads[0] == pads[1] and pads[2] == pads[3]:
            padding_mode, pads = "SAME", (0, 0, 0, 0)
    elif auto_pad == "VALID":
        padding_mode = "VALID"
    else:
        pads = ge_order(node.attributes.get_ints("pads", (0, 0, 0, 0)))
    return _checked(
        node,
        {
            "ksize": (1, 1, *kernel),
            "strides": (1, 1, *strides),
            "padding_mode": padding_mode,
            "pads": pads,
            "data_format": "NCHW",
            "global_pooling": 0,
            "ceil_mode": ceil_mode,
        },
    )


def _checked(node: ir.Node, values: dict[str, Any]) -> PoolAttributes:
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
