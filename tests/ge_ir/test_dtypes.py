from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from maxpoolgrad_onnx.converters.ge_ir import DataType, Format

# name, ge::DataType, TensorDescriptor.dtype, NumPy
NUMBERS = [
    ("FLOAT", 0, 1, np.float32),
    ("FLOAT16", 1, 2, np.float16),
    ("INT8", 2, 3, np.int8),
    ("INT32", 3, 7, np.int32),
    ("UINT8", 4, 4, np.uint8),
    ("INT64", 9, 8, np.int64),
    ("DOUBLE", 11, 12, np.float64),
    ("BOOL", 12, 11, np.bool_),
    ("BF16", 27, 27, ml_dtypes.bfloat16),
    ("UNDEFINED", 28, 0, None),
]


@pytest.mark.parametrize(("name", "number", "wire", "numpy"), NUMBERS)
def test_both_numberings(name: str, number: int, wire: int, numpy: object) -> None:
    dtype = DataType[name]
    assert (dtype.value, dtype.wire) == (number, wire)
    assert DataType.from_number(number) is DataType.from_wire(wire) is dtype
    assert DataType.from_label(dtype.label) is dtype
    if numpy is not None:
        assert DataType.of(numpy) is dtype
        assert dtype.bits == 8 * np.dtype(numpy).itemsize  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("name", "number"), [("NCHW", 0), ("NHWC", 1), ("ND", 2), ("NC1HWC0", 3), ("NCDHW", 30)]
)
def test_formats(name: str, number: int) -> None:
    assert Format[name].value == number
    assert Format.from_label(name) is Format(number)


def test_no_number_or_label_stands_twice() -> None:
    assert (
        len({dtype.wire for dtype in DataType})
        == len({dtype.label for dtype in DataType})
        == len(DataType)
        == 42
    )
    assert len({format.label for format in Format}) == len(Format) == 55


def test_spellings_of_their_own() -> None:
    assert DataType.BF16.label == "DT_BFLOAT16"
    assert Format.RESERVED.label == "FORMAT_RESERVED"
    assert Format.from_label("RESERVED") is Format.from_label("UNDEFINED") is Format.RESERVED


def test_a_numpy_type_without_one_of_ge() -> None:
    with pytest.raises(KeyError):
        DataType.of("datetime64[s]")
