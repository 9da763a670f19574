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
        "Conv2DBackpropInput",
        "input_size:int32 filter@ out_backprop@",
        "y@",
        OLD,
        _GRADIENT_TYPES,
        **_CONV,
    ),
    op(
        "Conv2DBackpropFilter",
        "x@ filter_size:int32 out_backprop@",
        "y@:float16,float,double",
        OLD,
        _GRADIENT_TYPES,
        **_CONV,
    ),
]
