"""The elements of an ONNX tensor as GE can hold them."""

from __future__ import annotations

import math

import numpy as np
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


def mapped_elements_of(tensor: TensorProto, content: memoryview) -> Array:
    """The elements of a tensor whose bytes lie outside it, as a view where NumPy has the type. Raises
    ValueError that says what is wrong with it."""
    try:
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
        plain = DataType.of(dtype).bits == 8 * dtype.itemsize
    except KeyError:
        plain = False
    if not plain:  # several elements share a byte, or it is an error
        whole = TensorProto(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
        whole.raw_data = bytes(content)
        return elements_of(whole)
    if len(content) != math.prod(tensor.dims) * dtype.itemsize:
        raise ValueError(f"has {len(content)} bytes, not those of {dtype} of shape {list(tensor.dims)}")
    return np.frombuffer(content, dtype.newbyteorder("<")).reshape(tuple(tensor.dims))


def _type_name(tensor: TensorProto) -> str:
    types = TensorProto.DataType
    return str(types.Name(tensor.data_type)) if tensor.data_type in types.values() else str(tensor.data_type)
