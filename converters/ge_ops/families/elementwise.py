"""Operators that work element by element."""

from __future__ import annotations

from ..notation import OLD, float_, int_, op

_MATH = "ops-math/math"
_SCALED = {"base": float_(-1.0), "scale": float_(1.0), "shift": float_(0.0)}

_UNARY = [
    op(
        "Abs", "x", "y", f"{_MATH}/abs", "uint8 bool floats double int8 int16 int32 int64 complex32 complex64"
    ),
    op("Ceil", "x", "y", f"{_MATH}/ceil", "floating bf16"),
    op("Erf", "x", "y", f"{_MATH}/erf", "floating bf16"),
    op("Exp", "x", "y", f"{_MATH}/exp", "unary", **_SCALED),
    op("Floor", "x", "y", f"{_MATH}/floor", "floating bf16"),
    op(
        "Log",
        "x:uint8,int8,int16,int32,int64,floats,double,bool,complex64,complex128",
        "y",
        f"{_MATH}/log",
        "unary",
        **_SCALED,
    ),
    op(
        "HardSigmoid",
        "input_x",
        "output_y",
        "ops-nn/activation/hard_sigmoid",
        "floats int32",
        alpha=float_(0.16666666),
        beta=float_(0.5),
    ),
    op("HardSwish", "x", "y", f"{OLD}/nonlinear_fuc_ops.h", "floats"),
    op(
        "LeakyRelu",
        "x",
        "y",
        "ops-nn/activation/leaky_relu",
        "floats double",
        negative_slope=float_(0.0),
    ),
    op("LogicalNot", "x", "y", f"{_MATH}/logical_not", "bool"),
    op("Neg", "x", "y", f"{_MATH}/neg", "floats double int8 int32 int64 complex64 complex128"),
    op("Reciprocal", "x", "y", f"{_MATH}/reciprocal", "unary"),
    op(
        "Relu",
        "x",
        "y",
        "ops-nn/activation/relu",
        "floats double int8 int32 int16 int64 uint8 uint16 qint8",
    ),
    op("Sigmoid", "x", "y", "ops-nn/activation/sigmoid", "unary"),
    op("Sign", "x", "y", f"{_MATH}/sign", "real complex64 complex128"),
    op("Sqrt", "x", "y", f"{_MATH}/sqrt", "unary"),
    op("Tanh", "x", "y", f"{_MATH}/tanh", "unary"),
    op("Muls", "x", "y", f"{_MATH}/muls", "floats int16 int32 int64 complex32 complex64", value=float_()),
    op("Cast", "x", "y", f"{_MATH}/cast", dst_type=int_()),
]

_CLIPPED = "floats double int8 int16 int32 int64 uint8 uint16 qint8 qint32 quint8"
_BOTH = "floats double uint8 int8 uint16 int16 int32 int64 bool complex64 complex128"
_ORDERED = "floats double int32 int64 int8 uint8"

_BINARY = [
    op(
        "Add",
        "x1 x2",
        "y",
        f"{_MATH}/add",
        "bool floats int32 int64 int16 int8 uint8 double complex128 complex64 string complex32",
    ),
    op("LogicalAnd", "x1 x2", "y", f"{_MATH}/logical_and", "bool"),
    op(
        "LogicalOr",
        "x1 x2",
        "y:bool",
        f"{_MATH}/logical_or",
        "bool int8 uint8 int16 int32 int64 floats",
    ),
    op("Maximum", "x1 x2", "y", f"{_MATH}/maximum", _ORDERED),
    op("Minimum", "x1 x2", "y", f"{_MATH}/minimum", _ORDERED),
    op("Mul", "x1 x2", "y", f"{_MATH}/mul", f"{_BOTH} complex32"),
    op(
        "Pow",
        "x1 x2",
        "y",
        f"{_MATH}/pow",
        "floats double int32 int64 int8 int16 uint8 complex64 complex128",
    ),
    op("RealDiv", "x1 x2", "y", f"{_MATH}/real_div", _BOTH),
    op("Sub", "x1 x2", "y", f"{_MATH}/sub", f"{_BOTH} complex32"),
    op(
        "TruncateDiv",
        "x1 x2",
        "y",
        f"{_MATH}/truncate_div",
        "floats double int8 uint8 int32 uint16 int16 int64",
    ),
]

_COMPARISONS = [
    op(
        "Equal",
        "x1 x2",
        "y:bool",
        f"{_MATH}/equal",
        "floats double int8 uint8 int16 int32 int64 complex64 complex128 quint8 qint8 qint32 string bool",
    ),
    op("Greater", "x1 x2", "y:bool", f"{_MATH}/greater", "real"),
    op("GreaterEqual", "x1 x2", "y:bool", f"{_MATH}/greater_equal", "real"),
    op("Less", "x1 x2", "y:bool", f"{_MATH}/less", "real"),
    op("LessEqual", "x1 x2", "y:bool", f"{_MATH}/less_equal", "real"),
]

_OTHERS = [
    op(
        "ClipByValue",
        "x clip_value_min clip_value_max",
        "y",
        "ops-math/conversion/clip_by_value",
        f"{_CLIPPED} complex32 complex64 complex128",
    ),
    op("ReluGrad", "gradients features", "backprops", "ops-nn/activation/relu_grad", "real"),
    op("AccumulateNV2", "x*", "y", f"{_MATH}/accumulate_nv2", "float16 float int32 int8 uint8", N=int_()),
    op(
        "SelectV2",
        "condition:bool then else",
        "result",
        f"{_MATH}/select_v2",
        "floats double int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128",
    ),
]

OPERATORS = [*_UNARY, *_BINARY, *_COMPARISONS, *_OTHERS]
