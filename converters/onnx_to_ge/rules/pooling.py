"""Pooling, and the gradient of max pooling, the operator itself."""

from __future__ import annotations

from typing import Any

from maxpoolgrad_onnx.contract import (
    ATTRIBUTES,
    DOMAIN,
    KSIZE_MAX,
    OP_TYPE,
    OP_TYPE_ALIAS,
    STRIDE_MAX,
    PoolAttributes,
    check_dtypes,
    check_inputs_and_outputs,
    check_shapes,
    node_subject,
)
from maxpoolgrad_onnx.padding import ge_order

from ...ge_ir import Shape
from ...ge_ops.forms import GLOBAL_MAX_POOL
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule
from .windows import LAYOUT, Windows, in_nchw, in_range

_MODES = {"SAME_UPPER": "SAME", "VALID": "VALID"}
_BOOLS = frozenset(name for name, kind, _, _ in ATTRIBUTES if kind == "BOOL")


@rule("MaxPool")
def max_pool(node: OnnxNode) -> None:
    """MaxPool(X) becomes MaxPoolV3(x); of lines [N, C, L] through height 1.

    kernel_shape -> ksize [1, 1, h, w]; strides likewise; pads [top, left, bottom, right] -> [top, bottom,
    left, right]; NOTSET and SAME_LOWER -> padding_mode "CALCULATED", SAME_UPPER -> "SAME", VALID -> "VALID",
    and with ceil_mode "CALCULATED"; ceil_mode a bool; data_format "NCHW"; global_pooling false. Refused: a
    second output, storage_order 1, dilations, 3-D, sizes beyond the operator's limits.
    """
    windows = Windows(node)
    if node.attr_int("storage_order", 0):
        node.refuse("storage_order is 1; only 0 is converted: it is of use with Indices alone, so drop both")
    if any(dilation != 1 for dilation in windows.sizes("dilations")):
        node.refuse(
            f"dilations is {node.attr_ints('dilations')}; MaxPoolV3 has none: only ones are converted"
        )
    attributes = PoolAttributes.make(node.subject, _attributes(node, windows))
    windows.add("MaxPoolV3", [windows.image], _with_bools(attributes))


@rule("AveragePool")
def average_pool(node: OnnxNode) -> None:
    """AveragePool(X) becomes AvgPoolV2(x); of lines [N, C, L] through height 1.

    Attributes as in MaxPool; count_include_pad -> exclusive, its opposite; divisor_override 0. Refused: 3-D,
    and what AvgPoolV2's documentation does not allow: windows of more than 255 elements, strides over 63, and
    windows that lie in the padding alone.
    """
    windows = Windows(node)
    values = _attributes(node, windows)
    kernel, strides = values["ksize"][2:], values["strides"][2:]
    in_range(node, 1, KSIZE_MAX, kernel_shape=kernel)
    in_range(node, 1, STRIDE_MAX, strides=strides)
    if kernel[0] * kernel[1] > KSIZE_MAX:
        node.refuse(
            f"kernel_shape is {kernel}, {kernel[0] * kernel[1]} elements; AvgPoolV2 takes {KSIZE_MAX} at "
            "most: pool twice, or use GlobalAveragePool"
        )
    for axis, size in enumerate(kernel):
        if any(not 0 <= pad < size for pad in values["pads"][2 * axis : 2 * axis + 2]):
            node.refuse(f"pads is {node.attr_ints('pads')}; each is 0 at least and less than its kernel")
    values["ceil_mode"] = bool(values["ceil_mode"])
    values["exclusive"] = not node.attr_int("count_include_pad", 0)
    windows.add("AvgPoolV2", [windows.image], values)


@rule("GlobalAveragePool")
def global_average_pool(node: OnnxNode) -> None:
    """GlobalAveragePool(X) becomes GE's GlobalAveragePool(x), any number of axes."""
    node.add("GlobalAveragePool", [node.input(0)])


@rule("GlobalMaxPool")
def global_max_pool(node: OnnxNode) -> None:
    """GlobalMaxPool(X) becomes ReduceMax(x, axes) over all axes behind the second, keep_dims true.

    As in CANN's own plugin: MaxPoolV3 with global_pooling is bound to windows of 255 elements.
    """
    x = node.input(0)
    if x.shape is None or len(x.shape) < 3:
        node.refuse("its input is of unknown rank, or has less than 3 axes; give it the shape [N, C, ...]")
    axes = node.add_constant(range(2, len(x.shape)), "axes")
    attributes = {"keep_dims": True, "noop_with_empty_axes": False}
    node.add("ReduceMax", [x, axes], attributes, onnx_form=GLOBAL_MAX_POOL)


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


def _attributes(node: OnnxNode, windows: Windows) -> dict[str, Any]:
    """What both pools write, by GE's names, ceil_mode as a number."""
    kernel, strides = windows.sizes("kernel_shape", missing=None), windows.sizes("strides")
    auto_pad, ceil_mode = node.attr_string("auto_pad", "NOTSET"), node.attr_int("ceil_mode", 0)
    if auto_pad.startswith("SAME"):
        ceil_mode = 0  # SAME fixes the size
    mode = "CALCULATED" if ceil_mode else _MODES.get(auto_pad, "CALCULATED")
    pads = windows.pads(kernel, strides) if mode == "CALCULATED" else [0, 0, 0, 0]
    return {
        "ksize": in_nchw(kernel),
        "strides": in_nchw(strides),
        "padding_mode": mode,
        "pads": list(ge_order(pads)),
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
