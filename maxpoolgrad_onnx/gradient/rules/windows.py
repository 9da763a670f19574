"""What convolutions and pools have in common: windows over two axes, or over one, as an image of height 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import onnx_ir as ir

from ...padding import same_pads
from ..refusal import refusal, unknown_size
from ..tape import Dim, Tape, shape_of

_Number = TypeVar("_Number", bound=Dim)


def check_rank(node: ir.Node, x: ir.Value) -> None:
    """Refuse what is neither [N, C, H, W] nor [N, C, L]."""
    rank = len(shape_of(x))
    if rank not in (3, 4):
        raise refusal(
            node,
            f"its input has {rank} dimensions; there is a rule for [N, C, H, W] and for [N, C, L]",
            "write it with one or two dimensions behind the channels",
        )


def as_image(tape: Tape, value: ir.Value) -> ir.Value:
    """A value [N, C, H, W] itself; one [N, C, L] as [N, C, 1, L], made once."""
    dims = shape_of(value)
    if len(dims) == 4:
        return value
    if value not in tape.images:
        axes = tape.ints([2], "axes")
        tape.images[value] = tape.op("Unsqueeze", [value, axes], like=value, shape=[*dims[:2], 1, dims[2]])
    return tape.images[value]


def as_line(tape: Tape, image: ir.Value, like: ir.Value) -> ir.Value:
    """An image with the rank of `like`: itself, or [N, C, L] of [N, C, 1, L]."""
    if len(shape_of(like)) == 4:
        return image
    line = tape.op("Squeeze", [image, tape.ints([2], "axes")], like=image, shape=shape_of(like))
    tape.images[line] = image
    return line


def image_shape(tape: Tape, value: ir.Value) -> ir.Value:
    """The shape of a value as an image, as a tensor of 4 elements."""
    dims = shape_of(value)
    known = [dim for dim in dims if isinstance(dim, int)]
    if len(dims) == 3 and len(known) == 3:
        return tape.ints([*known[:2], 1, known[2]], "shape")
    return tape.shape_tensor(as_image(tape, value))


def with_height(sizes: Sequence[_Number], height: _Number) -> list[_Number]:
    """Sizes along H and W; of those along L alone, with a height."""
    return [height, *sizes] if len(sizes) == 1 else list(sizes)


def pads_with_height(pads: Sequence[int]) -> list[int]:
    """Pads [top, left, bottom, right] of those, or of [begin, end]."""
    return [0, pads[0], 0, pads[1]] if len(pads) == 2 else list(pads)


def window_attributes(node: ir.Node, x: ir.Value, kernel: Sequence[Dim]) -> dict[str, Any]:
    """strides, pads [top, left, bottom, right] and dilations of a node, all written, auto_pad resolved."""
    axes = len(shape_of(x)) - 2
    strides = with_height(node.attributes.get_ints("strides", [1] * axes), 1)
    dilations = with_height(node.attributes.get_ints("dilations", [1] * axes), 1)
    auto_pad = node.attributes.get_string("auto_pad", "NOTSET")
    pads: Sequence[int] | None = pads_with_height(node.attributes.get_ints("pads", [0] * 2 * axes))
    if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        pads = same_pads(auto_pad, with_height(shape_of(x)[2:], 1), extents(node, kernel, dilations), strides)
    elif auto_pad == "VALID":
        pads = [0, 0, 0, 0]
    if pads is None:
        raise unknown_size(node, auto_pad)
    return {"strides": strides, "pads": list(pads), "dilations": dilations}


def extents(node: ir.Node, kernel: Sequence[Dim], dilations: Sequence[int]) -> list[int]:
    """How far a window reaches on both axes: dilation (kernel - 1) + 1."""
    lengths: list[int] = []
    for size, dilation in zip(with_height(kernel, 1), dilations, strict=True):
        if not isinstance(size, int):
            raise refusal(
                node, "its filter's height and width are not known, and auto_pad needs them", "write pads"
            )
        lengths.append(dilation * (size - 1) + 1)
    return lengths
