"""Arrays: the type of those that go in and out, and the elements of constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from .errors import MaxPoolGradError, quoted

if TYPE_CHECKING:
    from onnx import TensorProto

Array = npt.NDArray[Any]
"""A NumPy array of any dtype and shape; docstrings say which are meant."""


def elements_of(tensor: TensorProto) -> Array:
    """The elements of a constant. Raises MaxPoolGradError where they are not as many as its shape takes."""
    from onnx import numpy_helper

    try:
        return numpy_helper.to_array(tensor)
    except (KeyError, TypeError, ValueError) as error:
        raise MaxPoolGradError(
            f"the elements of {quoted(tensor.name)} cannot be read: {error}; export it again",
            code="E13005",
        ) from error
