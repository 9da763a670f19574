"""The names of ONNX's element types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def dtype_name(number: int) -> str:
    """NumPy's name of an element type, or ONNX's where NumPy has none, or its number."""
    from onnx import TensorProto

    found = numpy_dtype(number)
    if found is not None:
        return str(found)
    known = number in TensorProto.DataType.values()
    return TensorProto.DataType.Name(number).lower() if known else f"type {number}"


def numpy_dtype(number: int) -> np.dtype[Any] | None:
    """NumPy's type for an element type's number; None where it has none."""
    from onnx import TensorProto, helper

    if number in (TensorProto.UNDEFINED, TensorProto.STRING) or number not in TensorProto.DataType.values():
        return None
    return helper.tensor_dtype_to_np_dtype(number)
