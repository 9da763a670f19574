"""Matrix products."""

from __future__ import annotations

from ..notation import bool_, int_, op, string

_SOURCE = "ops-nn/common/op_graph"
_TYPES = "float float16 int32 int8 int4 bf16 hifloat8"
_INPUTS = "x1 x2 bias?:float,float16,int32,bf16 offset_w?:int8,int4"
_OUTPUT = "y:float,float16,int32,bf16,hifloat8"

OPERATORS = [
    op(
        "MatMulV2",
        _INPUTS,
        _OUTPUT,
        _SOURCE,
        _TYPES,
        transpose_x1=bool_(False),
        transpose_x2=bool_(False),
        offset_x=int_(0),
    ),
    op(
        "BatchMatMulV2",
        _INPUTS,
        _OUTPUT,
        _SOURCE,
        _TYPES,
        adj_x1=bool_(False),
        adj_x2=bool_(False),
        offset_x=int_(0),
    ),
    op(
        "GEMM",
        "a b c alpha beta",
        "y",
        _SOURCE,
        "float float16 int8 int32",
        transpose_a=bool_(False),
        transpose_b=bool_(False),
    ),
    op("BiasAdd", "x bias", "y", "ops-math/math/bias_add", "number", data_format=string("NHWC")),
]
