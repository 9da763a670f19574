"""The elements of an ONNX tensor as GE can hold them."""

from __future__ import annotations

import onnx
from onnx import TensorProto

from maxpoolgrad_onnx.arrays import Array

from ..ge_ir import DataType


def elements_of(tensor: TensorProto) -> Array:
    """A tensor's elements. Raises ValueError that says what is wrong with it."""
    try:
        array: Array = onnx.numpy_helper.to_array(tensor)
        DataType.of(array.dtype)
    except KeyError:
        raise ValueError(f"has elements that GE has no data type for ({_type_name(tensor)})") from None
    except (ValueError, TypeError) as error:
        raise ValueError(f"cannot be read: {error}") from error
    return array


def _type_name(tensor: TensorProto) -> str:
    types = TensorProto.DataType
    return str(types.Name(tensor.data_type)) if tensor.data_type in types.values() else str(tensor.data_type)
