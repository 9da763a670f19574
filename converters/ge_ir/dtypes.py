"""Data types and formats of GE, with every spelling that a file uses for them.

GE numbers its data types twice: `ge::DataType` (attributes of kind `dtype`, the .om's input and output
table) and the wire schema's own enumeration (`TensorDescriptor.dtype`). `DataType.value` is the first,
`DataType.wire` the second.
"""

from __future__ import annotations

import enum
from typing import Any, Self

import ml_dtypes
import numpy as np


class DataType(enum.Enum):
    """ge::DataType.

    `value` is ge's number, `wire` the number in a TensorDescriptor, `bits` the size of an element (0: not
    fixed), `numpy` the NumPy dtype or None where NumPy has none.
    """

    wire: int
    bits: int
    numpy: np.dtype[Any] | None

    def __new__(cls, number: int, wire: int, bits: int, numpy: Any = None) -> Self:
        """A member from the columns of the table below."""
        member = object.__new__(cls)
        member._value_ = number
        member.wire = wire
        member.bits = bits
        member.numpy = None if numpy is None else np.dtype(numpy)
        return member

    FLOAT = 0, 1, 32, np.float32
    FLOAT16 = 1, 2, 16, np.float16
    INT8 = 2, 3, 8, np.int8
    INT32 = 3, 7, 32, np.int32
    UINT8 = 4, 4, 8, np.uint8
    INT16 = 6, 5, 16, np.int16
    UINT16 = 7, 6, 16, np.uint16
    UINT32 = 8, 9, 32, np.uint32
    INT64 = 9, 8, 64, np.int64
    UINT64 = 10, 10, 64, np.uint64
    DOUBLE = 11, 12, 64, np.float64
    BOOL = 12, 11, 8, np.bool_
    STRING = 13, 13, 0
    DUAL_SUB_INT8 = 14, 14, 8
    DUAL_SUB_UINT8 = 15, 15, 8
    COMPLEX64 = 16, 16, 64, np.complex64
    COMPLEX128 = 17, 17, 128, np.complex128
    QINT8 = 18, 18, 8
    QINT16 = 19, 19, 16
    QINT32 = 20, 20, 32
    QUINT8 = 21, 21, 8
    QUINT16 = 22, 22, 16
    RESOURCE = 23, 23, 64
    STRING_REF = 24, 24, 0
    DUAL = 25, 25, 40
    VARIANT = 26, 26, 64
    BF16 = 27, 27, 16, ml_dtypes.bfloat16
    UNDEFINED = 28, 0, 0
    INT4 = 29, 28, 4
    UINT1 = 30, 29, 1
    INT2 = 31, 30, 2
    UINT2 = 32, 31, 2
    COMPLEX32 = 33, 32, 32
    HIFLOAT8 = 34, 33, 8
    FLOAT8_E5M2 = 35, 34, 8, ml_dtypes.float8_e5m2
    FLOAT8_E4M3FN = 36, 35, 8, ml_dtypes.float8_e4m3fn
    FLOAT8_E8M0 = 37, 36, 8
    FLOAT6_E3M2 = 38, 37, 6
    FLOAT6_E2M3 = 39, 38, 6
    FLOAT4_E2M1 = 40, 39, 4
    FLOAT4_E1M2 = 41, 40, 4
    HIFLOAT4 = 42, 41, 4

    @property
    def label(self) -> str:
        """GE's own spelling, as in the attribute origin_data_type: DT_FLOAT, DT_BFLOAT16, ..."""
        return "DT_BFLOAT16" if self is DataType.BF16 else f"DT_{self.name}"

    @classmethod
    def of(cls, dtype: Any) -> DataType:
        """The GE type of a NumPy dtype. Raises KeyError where GE has none."""
        return _BY_NUMPY[np.dtype(dtype)]

    @classmethod
    def from_number(cls, number: int) -> DataType:
        """The type with this number in ge::DataType. Raises KeyError where there is none."""
        return _BY_NUMBER[number]

    @classmethod
    def from_wire(cls, number: int) -> DataType:
        """The type with this number in the wire schema. Raises KeyError where there is none."""
        return _BY_WIRE[number]

    @classmethod
    def from_label(cls, label: str) -> DataType:
        """The type that GE spells so. Raises KeyError where there is none."""
        return _BY_LABEL[label]


class Format(enum.Enum):
    """ge::Format, the meaning of a tensor's axes. `value` is ge's number, `label` GE's spelling of it."""

    NCHW = 0
    NHWC = 1
    ND = 2
    NC1HWC0 = 3
    FRACTAL_Z = 4
    NC1C0HWPAD = 5
    NHWC1C0 = 6
    FSR_NCHW = 7
    FRACTAL_DECONV = 8
    C1HWNC0 = 9
    FRACTAL_DECONV_TRANSPOSE = 10
    FRACTAL_DECONV_SP_STRIDE_TRANS = 11
    NC1HWC0_C04 = 12
    FRACTAL_Z_C04 = 13
    CHWN = 14
    FRACTAL_DECONV_SP_STRIDE8_TRANS = 15
    HWCN = 16
    NC1KHKWHWC0 = 17
    BN_WEIGHT = 18
    FILTER_HWCK = 19
    HASHTABLE_LOOKUP_LOOKUPS = 20
    HASHTABLE_LOOKUP_KEYS = 21
    HASHTABLE_LOOKUP_VALUE = 22
    HASHTABLE_LOOKUP_OUTPUT = 23
    HASHTABLE_LOOKUP_HITS = 24
    C1HWNCoC0 = 25
    MD = 26
    NDHWC = 27
    FRACTAL_ZZ = 28
    FRACTAL_NZ = 29
    NCDHW = 30
    DHWCN = 31
    NDC1HWC0 = 32
    FRACTAL_Z_3D = 33
    CN = 34
    NC = 35
    DHWNC = 36
    FRACTAL_Z_3D_TRANSPOSE = 37
    FRACTAL_ZN_LSTM = 38
    FRACTAL_Z_G = 39
    RESERVED = 40
    ALL = 41
    NULL = 42
    ND_RNN_BIAS = 43
    FRACTAL_ZN_RNN = 44
    NYUV = 45
    NYUV_A = 46
    NCL = 47
    FRACTAL_Z_WINO = 48
    C1HWC0 = 49
    FRACTAL_NZ_C0_16 = 50
    FRACTAL_NZ_C0_32 = 51
    FRACTAL_NZ_C0_2 = 52
    FRACTAL_NZ_C0_4 = 53
    FRACTAL_NZ_C0_8 = 54

    @property
    def label(self) -> str:
        """GE's own spelling, as in TensorDescriptor.layout."""
        return _LABELS.get(self, self.name)

    @classmethod
    def from_label(cls, label: str) -> Format:
        """The format that GE spells so. Raises KeyError where there is none."""
        return _BY_FORMAT_LABEL[label]


# The spellings that are not the enumerator's name.
_LABELS = {
    Format.RESERVED: "FORMAT_RESERVED",
    Format.FRACTAL_DECONV_SP_STRIDE8_TRANS: "DECONV_SP_STRIDE8_TRANS",
    Format.HASHTABLE_LOOKUP_LOOKUPS: "LOOKUP_LOOKUPS",
    Format.HASHTABLE_LOOKUP_KEYS: "LOOKUP_KEYS",
    Format.HASHTABLE_LOOKUP_VALUE: "LOOKUP_VALUE",
    Format.HASHTABLE_LOOKUP_OUTPUT: "LOOKUP_OUTPUT",
    Format.HASHTABLE_LOOKUP_HITS: "LOOKUP_HITS",
}
# RESERVED and UNDEFINED: spellings that GE reads too.
_BY_FORMAT_LABEL = {format.label: format for format in Format}
_BY_FORMAT_LABEL |= {"RESERVED": Format.RESERVED, "UNDEFINED": Format.RESERVED}
_BY_NUMPY = {dtype.numpy: dtype for dtype in DataType if dtype.numpy is not None}
_BY_NUMBER: dict[int, DataType] = {dtype.value: dtype for dtype in DataType}
_BY_WIRE = {dtype.wire: dtype for dtype in DataType}
_BY_LABEL = {dtype.label: dtype for dtype in DataType}
