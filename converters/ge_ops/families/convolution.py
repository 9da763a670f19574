"""Convolution and its gradients."""

from __future__ import annotations

from ..notation import OLD, int_, ints, op, string

_CONV = {
    "strides": ints(),
    "pads": ints(),
    "dilations": ints((1, 1, 1, 1)),
    "groups": int_(1),
    "data_format": string("NHWC"),
}
_TYPES = "float16 float int8 bf16 hifloat8"
_GRADIENT_TYPES = "float16 float double bf16"

OPERATORS = [
    op(
        "Conv2D",
        "x@ filter@ bias?:float16,float,bf16,int32 offset_w?:int8",
        "y@:float16,float,int32,bf16,hifloat8",
        "ops-nn/common/op_graph",
        _TYPES,
        **_CONV,
        offset_x=int_(0),
    ),
    op(
        "Conv2DTranspose",
        "input_size:index x@ filter@ bias?:float16,int32,float offset_w?:int8",
        "y@:float16,int32,float,bf16",
        "ops-nn/common/op_graph",
        "float16 float int8 bf16",  # float is in its table of supported types and not in its REG_OP
        **_CONV,
        output_padding=ints((0, 0, 0, 0)),
        offset_x=int_(0),
    ),
    op(
        "Conv2DBackpropInput",
        "input_size:int32 filter@ out_backprop@",
        "y@",
        f"{OLD}/nn_calculation_ops.h",
        _GRADIENT_TYPES,
        **_CONV,
    ),
    op(
        "Conv2DBackpropFilter",
        "x@ filter_size:int32 out_backprop@",
        "y@:float16,float,double",
        f"{OLD}/nn_calculation_ops.h",
        _GRADIENT_TYPES,
        **_CONV,
    ),
]
