"""Max pooling and its gradient, the operator itself."""

from __future__ import annotations

from typing import Any

from maxpoolgrad_onnx.contract import (
    ATTRIBUTES,
    DOMAIN,
    OP_TYPE,
    OP_TYPE_ALIAS,
    PoolAttributes,
    check_dtypes,
    check_inputs_and_outputs,
    check_shapes,
    node_subject,
)
from maxpoolgrad_onnx.padding import ge_order

from ...ge_ir import Shape
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule
from .windows import LAYOUT, four_dimensions, height_and_width, in_nchw, onnx_pads

_MODES = {"SAME_UPPER": "SAME", "VALID": "VALID"}
_BOOLS = frozenset(name for name, kind, _, _ in ATTRIBUTES if kind == "BOOL")


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
    if any(dilation != 1 for dilation in height_and_width(node, "dilations")):
        node.refuse(
            f"dilations is {node.attr_ints('dilations')}; MaxPoolV3 has none: only [1, 1] is converted"
        )
    if node.attr_ints("kernel_shape") is None:
        node.refuse("kernel_shape is missing; MaxPool requires it")
    attributes = PoolAttributes.make(node.subject, _attributes(node, image))
    node.add("MaxPoolV3", [image], _with_bools(attributes))


@rule(OP_TYPE, OP_TYPE_ALIAS, domain=DOMAIN)
def max_pool_grad(node: OnnxNode) -> None:
    """npu::MaxPoolV3Grad (or its alias) becomes GE's MaxPoolV3Grad: same inputs, all seven attributes
    written.

    Attributes keep their values; the two that ONNX writes as 0 or 1 become bools. Everything that the
    operator refuses and that the shapes known now show is refused here.
    """
    subject = node_subject(node.proto.name)
    check_inputs_and_outputs(subject, node.proto.input, node.proto.output)
    attributes = PoolAttributes.from_node(node.proto)
    inputs = [node.input(i) for i in range(3)]
    check_dtypes(subject, *(_dtype_name(value) for value in inputs))
    check_shapes(subject, attributes, *(_contract_shape(value.shape) for value in inputs))
    node.add(OP_TYPE, inputs, _with_bools(attributes))


def _attributes(node: OnnxNode, image: Value) -> dict[str, Any]:
    kernel, strides = height_and_width(node, "kernel_shape", (0, 0)), height_and_width(node, "strides")
    auto_pad, ceil_mode = node.attr_string("auto_pad", "NOTSET"), node.attr_int("ceil_mode", 0)
    if auto_pad.startswith("SAME"):
        ceil_mode = 0  # SAME fixes the size
    mode = "CALCULATED" if ceil_mode else _MODES.get(auto_pad, "CALCULATED")
    pads = onnx_pads(node, image, kernel, strides) if mode == "CALCULATED" else [0, 0, 0, 0]
    return {
        "ksize": in_nchw(kernel),
        "strides": in_nchw(strides),
        "padding_mode": mode,
        "pads": ge_order(pads),
        "data_format": LAYOUT,
        "ceil_mode": ceil_mode,
    }


def _with_bools(attributes: PoolAttributes) -> dict[str, Any]:
    """The seven attributes as GE has them: what ONNX writes as 0 or 1 is a bool."""
    return {name: bool(value) if name in _BOOLS else value for name, value in attributes.as_dict().items()}


def _dtype_name(value: Value) -> str:
    return value.dtype.numpy.name if value.dtype.numpy is not None else value.dtype.label


def _contract_shape(shape: Shape | None) -> list[int | None] | None:
    return None if shape is None else [None if size < 0 else size for size in shape]
