"""A MaxPool node whose gradient is rewritten: its attributes as the operator has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import onnx_ir as ir

from ..contract import OP_TYPE, PoolAttributes, check_dtypes, check_shapes
from ..gradient.refusal import refusal, subject_of
from ..padding import ge_order


@dataclass(frozen=True)
class Replacement:
    """The operator's inputs and attributes, the value that it computes, and whose gradient it is."""

    inputs: Sequence[ir.Value]
    attributes: dict[str, Any]
    result: ir.Value
    pool: str


def gradient_of(pool: ir.Node, gradient: ir.Value, result: ir.Value) -> Replacement:
    """The gradient of a MaxPool node. Raises MaxPoolGradError for what the operator refuses."""
    x, y = pool.inputs[0], pool.outputs[0]
    assert x is not None
    attributes = _attributes(pool)
    subject = subject_of(pool)
    values = (x, y, gradient)
    check_dtypes(subject, *("" if value.dtype is None else value.dtype.numpy().name for value in values))
    check_shapes(subject, attributes, *map(known_shape, values))
    written = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in attributes.as_dict().items()
    }
    return Replacement(values, written, result, subject)


def known_shape(value: ir.Value) -> list[int | None] | None:
    """A value's dimensions, None for those that are unknown, and None where the rank is."""
    if value.shape is None:
        return None
    return [dim if isinstance(dim, int) else None for dim in value.shape]


def _attributes(pool: ir.Node) -> PoolAttributes:
    kernel = pool.attributes.get_ints("kernel_shape") or ()
    auto_pad = pool.attributes.get_string("auto_pad", "NOTSET")
    modes = {"NOTSET": "CALCULATED", "VALID": "VALID", "SAME_UPPER": "SAME"}
    if len(kernel) != 2:
        raise refusal(pool, f"it pools {len(kernel)} dimensions, and {OP_TYPE} 2", "use a 2-D pool")
    if any(step != 1 for step in pool.attributes.get_ints("dilations", ())):
        raise refusal(pool, f"it is dilated, and {OP_TYPE} has no dilations", "use dilations of 1")
    if pool.attributes.get_int("storage_order", 0):
        raise refusal(pool, "its Indices are column major (storage_order 1)", "use storage_order 0")
    if auto_pad not in modes:
        raise refusal(pool, f"its auto_pad is {auto_pad}, which {OP_TYPE} has no word for", "write pads")
    form: dict[str, Any] = {
        "ksize": (1, 1, *kernel),
        "strides": (1, 1, *pool.attributes.get_ints("strides", (1, 1))),
        "padding_mode": modes[auto_pad],
    }
    if auto_pad == "NOTSET":
        form["pads"] = ge_order(pool.attributes.get_ints("pads", (0, 0, 0, 0)))
        form["ceil_mode"] = pool.attributes.get_int("ceil_mode", 0)
    return PoolAttributes.make(subject_of(pool), form)
