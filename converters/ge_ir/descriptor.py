"""TensorDescriptor: a TensorDesc without its free attributes, both ways.

GE keeps format, origin and the like in attributes of fixed names (keys.py); a format stands there twice, as a
number and as a label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from maxpoolgrad_onnx.errors import quoted

from . import keys
from .dtypes import DataType, Format
from .graph import AttrValue, Shape, TensorDesc
from .lists import LIST_FIELDS
from .refusal import fail

_BY_NUMBER: dict[int, Format] = {format.value: format for format in Format}
_MOST_SIZES = 32  # NumPy 1.26 has no more axes; GE has 25


def write_descriptor(desc: TensorDesc, message: Any) -> None:
    """Fill a TensorDescriptor, free attributes left out."""
    message.name = desc.name
    message.dtype = desc.dtype.wire
    message.layout = desc.format.label
    shape = keys.UNKNOWN_RANK if desc.shape is None else desc.shape
    message.shape.dim.extend(shape)
    origin_format = desc.origin_format or desc.format
    message.attr[keys.FORMAT].i = desc.format.value
    message.attr[keys.ORIGIN_FORMAT].s = origin_format.label.encode()
    message.attr[keys.ORIGIN_FORMAT_NUMBER].i = origin_format.value
    origin_dtype = desc.origin_dtype or desc.dtype
    if origin_dtype is not DataType.UNDEFINED:  # GE leaves it out too
        message.attr[keys.ORIGIN_DTYPE].s = origin_dtype.label.encode()
    message.attr[keys.ORIGIN_SHAPE_SET].b = True
    origin_shape = message.attr[keys.ORIGIN_SHAPE].list
    origin_shape.val_type = LIST_FIELDS["int"].val_type
    origin_shape.i.extend(shape if desc.origin_shape is None else desc.origin_shape)


def read_descriptor(message: Any, where: str) -> TensorDesc:
    """The TensorDesc of a TensorDescriptor; of its attributes only a sub-format, where there is one."""
    attrs: dict[str, AttrValue] = {}
    format = _read_format(message.layout, keys.FORMAT, message.attr, attrs, where)
    shape = _read_shape(message.shape.dim, where)
    try:
        dtype = DataType.from_wire(message.dtype)
    except KeyError:
        fail(where, f"dtype is {message.dtype}", "a TensorDescriptor's is 0 to 41")
    origin_shape = _read_origin_shape(message.attr, where)
    origin_format = _read_origin_format(message.attr, attrs, where)
    origin_dtype = _read_origin_dtype(message.attr, where)
    return TensorDesc(
        dtype,
        shape,
        format,
        None if origin_shape == shape else origin_shape,
        None if origin_format is format else origin_format,
        None if origin_dtype is dtype else origin_dtype,
        message.name,
        attrs,
    )


def _read_shape(sizes: Sequence[int], where: str) -> Shape | None:
    shape = tuple(sizes)
    if shape == keys.UNKNOWN_RANK:
        return None
    if len(shape) > _MOST_SIZES:
        fail(where, f"its shape has {len(shape)} sizes", f"{_MOST_SIZES} are the most")
    if any(size < -1 for size in shape):
        fail(where, f"one of its sizes is {min(shape)}", "a size is 0 or more, or -1 where it is unknown")
    return shape


def _read_format(label: str, key: str, message: Any, attrs: dict[str, AttrValue], where: str) -> Format:
    """The format under `label`. GE's loader obeys the number beside it, so the two must agree.

    GE writes RESERVED for a format that it has no label for. The number's upper bytes are a sub-format (the
    groups of FRACTAL_Z): then the attribute is kept as it is.
    """
    try:
        format = Format.from_label(label.partition(":")[0])
    except KeyError:
        fail(where, f"its layout is {quoted(label)}", "a layout is a format such as NCHW, NHWC or ND")
    if key in message:
        number = message[key].i
        if format is Format.RESERVED:
            format = _BY_NUMBER.get(number & 0xFF, format)
        if number < 0 or number & 0xFF != format.value:
            fail(where, f"{key} is {number} where the layout is {format.label}", f"that is {format.value}")
        if number != format.value:
            attrs[key] = number
    return format


def _read_origin_shape(message: Any, where: str) -> Shape | None:
    is_set = keys.ORIGIN_SHAPE_SET in message and message[keys.ORIGIN_SHAPE_SET].b
    if not is_set or keys.ORIGIN_SHAPE not in message:
        return None
    return _read_shape(message[keys.ORIGIN_SHAPE].list.i, where)


def _read_origin_format(message: Any, attrs: dict[str, AttrValue], where: str) -> Format | None:
    if keys.ORIGIN_FORMAT not in message:
        return None
    label = message[keys.ORIGIN_FORMAT].s.decode("utf-8", "replace")
    return _read_format(label, keys.ORIGIN_FORMAT_NUMBER, message, attrs, where)


def _read_origin_dtype(message: Any, where: str) -> DataType | None:
    if keys.ORIGIN_DTYPE not in message:
        return None
    label = message[keys.ORIGIN_DTYPE].s.decode("utf-8", "replace")
    try:
        return DataType.from_label(label)
    except KeyError:
        fail(where, f"{keys.ORIGIN_DTYPE} is {quoted(label)}", "it is one of GE's names, such as DT_FLOAT")
