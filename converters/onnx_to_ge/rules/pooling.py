"""Forward pooling."""

from __future__ import annotations

from typing import Any

from maxpoolgrad_onnx.contract import PoolAttributes

from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule
from .windows import LAYOUT, four_dimensions, ge_pads, on_height_and_width, onnx_pads, two

_MODES = {"SAME_UPPER": "SAME", "VALID": "VALID"}


@rule("MaxPool")
def max_pool(node: OnnxNode) -> None:
    """MaxPool(X) becomes MaxPoolV3(x), 4-D only.

    kernel_shape -> ksize [1, 1, h, w]; strides likewise; pads [top, left, bottom, right] -> [top, bottom,
    left, right]; NOTSET and SAME_LOWER -> padding_mode "CALCULATED", SAME_UPPER -> "SAME", VALID -> "VALID";
    ceil_mode a bool; data_format "NCHW"; global_pooling false. Refused: a second output, storage_order 1,
    dilations, sizes beyond the operator's limits.
    """
    image = node.input(0)
    four_dimensions(node, image)
    if node.attr_int("storage_order", 0):
        node.refuse("storage_order is 1; only 0 is converted")
    if any(dilation != 1 for dilation in two(node, "dilations", [1, 1])):
        node.refuse(
            f"dilations is {node.attr_ints('dilations')}; MaxPoolV3 has none: only [1, 1] is converted"
        )
    if node.attr_ints("kernel_shape") is None:
        node.refuse("kernel_shape is missing; MaxPool requires it")
    attributes = PoolAttributes.make(node.subject, _attributes(node, image)).as_dict()
    bools = {name: bool(attributes[name]) for name in ("global_pooling", "ceil_mode")}
    node.add("MaxPoolV3", [image], attributes | bools)


def _attributes(node: OnnxNode, image: Value) -> dict[str, Any]:
    kernel, strides = two(node, "kernel_shape", [0, 0]), two(node, "strides", [1, 1])
    auto_pad, ceil_mode = node.attr_string("auto_pad", "NOTSET"), node.attr_int("ceil_mode", 0)
    if auto_pad.startswith("SAME"):
        ceil_mode = 0  # SAME fixes the size
    mode = "CALCULATED" if ceil_mode else _MODES.get(auto_pad, "CALCULATED")
    pads = onnx_pads(node, image, kernel, strides) if mode == "CALCULATED" else [0, 0, 0, 0]
    return {
        "ksize": on_height_and_width(kernel),
        "strides": on_height_and_width(strides),
        "padding_mode": mode,
        "pads": ge_pads(pads),
        "data_format": LAYOUT,
        "ceil_mode": ceil_mode,
    }
