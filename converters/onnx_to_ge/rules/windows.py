"""What Conv and the pools share: windows that slide over height and width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from maxpoolgrad_onnx.contract import STRIDE_MAX
from maxpoolgrad_onnx.errors import quoted
from maxpoolgrad_onnx.padding import ge_order, same_pads

from ...ge_ir import Shape
from ...ge_ops.forms import FEWER_AXES
from ..graph_builder import Value
from ..onnx_node import OnnxNode

LAYOUT = "NCHW"


class Windows:
    """Windows over input 0 of a node, an image [N, C, H, W] or lines [N, C, L].

    GE has these operators for images: lines become images [N, C, 1, L] by Unsqueeze(axes [2]), the result
    becomes lines again by Squeeze(axis [2]), and lists of one value per axis get that of height in front.
    """

    def __init__(self, node: OnnxNode) -> None:
        """Raises MaxPoolGradError for an input of another rank."""
        value = node.input(0)
        if value.shape is None or len(value.shape) not in (3, 4):
            found = "of unknown rank" if value.shape is None else f"{len(value.shape)}-D"
            node.refuse(
                f"its input is {found}; converted are lines [N, C, L] and images [N, C, H, W]: give the "
                "model's inputs such a shape, or keep the node out of the model"
            )
        self._node = node
        self._lines = len(value.shape) == 3
        self.image = self.as_image(value, "image")

    def as_image(self, value: Value, suffix: str) -> Value:
        """The tensor with an axis for height, where the node works on lines."""
        if not self._lines:
            return value
        if value.shape is None or len(value.shape) != 3:
            found = "of unknown rank" if value.shape is None else f"{len(value.shape)}-D"
            self._node.refuse(f"its {suffix} is {found}; for lines [N, C, L] it is 3-D")
        if value.constant is not None:
            elements = value.constant
            return self._node.add_constant(elements[:, :, None], suffix, elements.dtype)
        output = (value.dtype, _with_height(value.shape))
        return self._node.add_inner("Unsqueeze", suffix, [value], output, {"axes": [2]})

    def sizes(self, name: str, missing: int | None = 1, height: int = 1) -> list[int]:
        """The list attribute as [h, w], `height` the value for the height of lines.

        `missing` is every value of a list that is left out; None refuses that.
        """
        count = 1 if self._lines else 2
        values = self._node.attr_ints(name, None if missing is None else [missing] * count)
        if values is None:
            self._node.refuse(f"{name} is missing; {self._node.proto.op_type} requires it")
        if len(values) != count:
            what = "lines it has one value" if self._lines else "a 4-D image it has 2 values"
            self._node.refuse(f"{name} is {values}; for {what}")
        return [height, *values] if self._lines else values

    def pads(self, window: Sequence[int], strides: Sequence[int]) -> list[int]:
        """Pads [top, left, bottom, right], auto_pad resolved. `window` is its extent, dilation included."""
        if self._node.attr_string("auto_pad", "NOTSET") == "NOTSET":
            return self.written_pads()
        return onnx_pads(self._node, self.image, window, strides)

    def written_pads(self) -> list[int]:
        """The attribute pads, [top, left, bottom, right]."""
        if not self._lines:
            return written_pads(self._node)
        left, right = _of_length(self._node, "pads", [0, 0])
        return [0, left, 0, right]

    def add(self, type_: str, inputs: Sequence[Value], attributes: Mapping[str, Any]) -> None:
        """GE's operator, whose result is the node's."""
        if not self._lines:
            self._node.add(type_, inputs, attributes)
            return
        dtype, shape = self._node.output_type()
        output = (dtype, _with_height(shape))
        result = self._node.add_inner(type_, "image", inputs, output, attributes, onnx_form=FEWER_AXES)
        self._node.add("Squeeze", [result], {"axis": [2]})


def in_range(node: OnnxNode, least: int, most: int, **lists: Sequence[int]) -> None:
    """Refuse values that are not from least to most, what GE's documentation of the operator allows."""
    for name, values in lists.items():
        if any(not least <= value <= most for value in values):
            node.refuse(f"{name} is {list(values)}; GE's operator takes {least} to {most}")


def in_nchw(sizes: Sequence[int], others: int = 1) -> list[int]:
    """[h, w] as GE writes it in NCHW: [1, 1, h, w]."""
    return [others, others, *sizes]


def height_and_width(node: OnnxNode, name: str, default: Sequence[int] = (1, 1)) -> list[int]:
    """A list attribute [h, w]; any other length is refused."""
    return _of_length(node, name, default)


def written_pads(node: OnnxNode) -> list[int]:
    """The attribute pads, [top, left, bottom, right]; any other length is refused."""
    return _of_length(node, "pads", [0, 0, 0, 0])


def checked_pads(node: OnnxNode, pads: Sequence[int]) -> list[int]:
    """Pads in GE's order [top, bottom, left, right], each from 0 to 255."""
    in_range(node, 0, 255, pads=pads)
    return list(ge_order(pads))


def onnx_pads(node: OnnxNode, image: Value, window: Sequence[int], strides: Sequence[int]) -> list[int]:
    """Pads [top, left, bottom, right] of auto_pad. `window` is its extent, dilation included."""
    auto_pad = node.attr_string("auto_pad", "NOTSET")
    if auto_pad == "NOTSET":
        return written_pads(node)
    if auto_pad == "VALID":
        return [0, 0, 0, 0]
    if auto_pad not in ("SAME_UPPER", "SAME_LOWER"):
        node.refuse(f"auto_pad is {quoted(auto_pad)}; allowed are NOTSET, VALID, SAME_UPPER and SAME_LOWER")
    sizes = [None if size < 0 else size for size in four_dimensions(node, image)[2:]]
    if any(extent < 1 for extent in window):
        node.refuse(f"auto_pad is {auto_pad} and the size of its window is not known; write pads")
    in_range(node, 1, STRIDE_MAX, strides=strides)
    pads = same_pads(auto_pad, sizes, window, strides)
    if pads is None:
        node.refuse(
            f"auto_pad is {auto_pad} and height or width is not known; fix the input's shape or write pads"
        )
    return list(pads)


def four_dimensions(node: OnnxNode, image: Value) -> Sequence[int]:
    """The shape of a 4-D tensor; anything else is refused."""
    if image.shape is None or len(image.shape) != 4:
        found = "of unknown rank" if image.shape is None else f"{len(image.shape)}-D"
        node.refuse(f"its input is {found}; converted are 4-D images [N, C, H, W] only")
    return image.shape


def extents(kernel: Sequence[int], dilations: Sequence[int]) -> list[int]:
    """What a window covers of each axis: dilation (kernel - 1) + 1."""
    return [dilation * (size - 1) + 1 for size, dilation in zip(kernel, dilations, strict=True)]


def _with_height(shape: Shape | None) -> Shape | None:
    return None if shape is None else (*shape[:2], 1, *shape[2:])


def _of_length(node: OnnxNode, name: str, default: Sequence[int]) -> list[int]:
    values = node.attr_ints(name, default) or []
    if len(values) != len(default):
        image = "lines" if name == "pads" and len(default) == 2 else "a 4-D image"
        node.refuse(f"{name} is {values}; for {image} it has {len(default)} values")
    return values
