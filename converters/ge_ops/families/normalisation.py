"""Softmax and normalisation."""

from __future__ import annotations

from ..notation import bool_, bools, float_, ints, op, string

OPERATORS = [
    op(
        "BatchNorm",
        "x@:floats scale offset mean? variance?",
        "y@:floats batch_mean batch_variance reserve_space_1 reserve_space_2 reserve_space_3",
        "ops-nn/norm/batch_norm",
        "float",
        epsilon=float_(1e-4),
        data_format=string("NHWC"),
        is_training=bool_(True),
        exponential_avg_factor=float_(1.0),
    ),
    op(
        "BatchNormGrad",
        "y_backprop@:floats x@:floats scale reserve_space_1 reserve_space_2 reserve_space_3?",
        "x_backprop@:floats scale_backprop offset_backprop reserve_space_4 reserve_space_5",
        "ops-nn/norm/batch_norm_grad",
        "float",
        epsilon=float_(1e-4),
        data_format=string("NHWC"),
        is_training=bool_(True),
        output_mask=bools((True, False, False)),
    ),
    op(
        "SoftmaxV2",
        "x",
        "y",
        "ops-nn/activation/softmax_v2",
        "double floats",
        axes=ints((-1,)),
        half_to_float=bool_(False),
    ),
    op(
        "LogSoftmaxV2",
        "logits",
        "logsoftmax",
        "ops-nn/activation/log_softmax_v2",
        "double floats",
        axes=ints((-1,)),
    ),
]
