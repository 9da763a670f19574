"""What every loss is, and what several of them need."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import onnx_ir as ir

from ...errors import MaxPoolGradError, quoted
from ..tape import Dim, Tape, dtype_of, shape_of, static_shape

FLOATS = (ir.DataType.FLOAT16, ir.DataType.FLOAT, ir.DataType.DOUBLE)


class Loss(Protocol):
    """A loss with its options."""

    def target(self, output: ir.Value, dims: tuple[Dim, ...]) -> ir.Value | None:
        """The input of labels or targets, None where the loss reads none.

        `dims` are the output's dimensions, the first one with its name where inference lost it. Raises
        MaxPoolGradError for an output that the loss cannot be of.
        """

    def write(self, tape: Tape, output: ir.Value, target: ir.Value | None) -> tuple[ir.Value, ir.Value]:
        """The loss, a scalar, and its gradient by the output, in `computed_in(output)`."""


def computed_in(value: ir.Value) -> ir.DataType:
    """The type to compute a loss or an update in: float32 for float16, else the value's own.

    A mean of float16 numbers over an image's pixels has no float16 result to speak of.
    """
    dtype = dtype_of(value)
    return ir.DataType.FLOAT if dtype == ir.DataType.FLOAT16 else dtype


def widened(tape: Tape, value: ir.Value) -> ir.Value:
    """The value in `computed_in(value)`."""
    wide = computed_in(value)
    if dtype_of(value) == wide:
        return value
    return tape.op("Cast", [value], like=value, dtype=wide, attributes={"to": wide})


def given(target: ir.Value | None) -> ir.Value:
    """A target that the loss has asked for."""
    assert target is not None
    return target


def element_count(tape: Tape, value: ir.Value, like: ir.Value) -> ir.Value:
    """The number of elements of a value, a scalar of the dtype of `like`; constant where it is known."""
    static = static_shape(value)
    if static is not None:
        return tape.scalar(int(np.prod(static)), like, "count")
    size = tape.op("Size", [value], dtype=ir.DataType.INT64, shape=[])
    return tape.op("Cast", [size], like=like, shape=[], attributes={"to": dtype_of(like)})


def total(tape: Tape, value: ir.Value) -> ir.Value:
    """The sum of all elements, a scalar."""
    axes = tape.ints(list(range(len(shape_of(value)))), "axes")
    return tape.op("ReduceSum", [value, axes], like=value, shape=[], attributes={"keepdims": 0})


def one_hot(tape: Tape, labels: ir.Value, like: ir.Value, off: float = 0.0, on: float = 1.0) -> ir.Value:
    """`on` where the class (axis 1) is the label's and `off` elsewhere, of the shape and dtype of `like`."""
    depth = tape.constant(np.array(shape_of(like)[1], np.int64), "classes")
    if dtype_of(like) != ir.DataType.DOUBLE:
        values = tape.constant(np.array([off, on], dtype_of(like).numpy()), "off_on")
        return tape.op("OneHot", [labels, depth, values], like=like, attributes={"axis": 1})
    # ONNX Runtime has no OneHot of doubles.
    values = tape.constant(np.array([0, 1], np.float32), "off_on")
    single = tape.op(
        "OneHot", [labels, depth, values], like=like, dtype=ir.DataType.FLOAT, attributes={"axis": 1}
    )
    chosen = tape.op("Cast", [single], like=like, attributes={"to": ir.DataType.DOUBLE})
    if (off, on) != (0.0, 1.0):
        chosen = tape.op("Mul", [chosen, tape.scalar(on - off, like, "rise")], like=like)
        chosen = tape.op("Add", [chosen, tape.scalar(off, like, "off")], like=like)
    return chosen


def labels_of(name: str, output: ir.Value, dims: tuple[Dim, ...]) -> ir.Value:
    """The input of class numbers: int64, the logits' shape without the classes' axis.

    Raises MaxPoolGradError for an output that is no logits [N, classes, ...].
    """
    found = f"output {quoted(output.name)} is {output.dtype} {output.shape}"
    wanted = (
        "the loss needs logits: float16, float32 or double [N, classes, ...], the number of classes known, "
        "and no size 0"
    )
    if output.dtype not in FLOATS or len(dims) < 2 or not isinstance(dims[1], int) or 0 in dims:
        raise MaxPoolGradError(f"{found}; {wanted}")
    shape = ir.Shape([dims[0], *dims[2:]])
    return ir.Value(name=name, type=ir.TensorType(ir.DataType.INT64), shape=shape)


def targets_of(name: str, output: ir.Value, dims: tuple[Dim, ...]) -> ir.Value:
    """The input of values to hit: of the output's dtype and shape.

    Raises MaxPoolGradError for an output that holds no floating-point numbers, or none at all.
    """
    if output.dtype not in FLOATS or 0 in dims:
        raise MaxPoolGradError(
            f"output {quoted(output.name)} is {output.dtype} {output.shape}; the loss needs float16, float32 "
            "or double, and no size 0"
        )
    return ir.Value(name=name, type=ir.TensorType(output.dtype), shape=ir.Shape(dims))
