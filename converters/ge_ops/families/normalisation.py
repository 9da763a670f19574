"""Softmax and normalisation."""

from __future__ import annotations

from ..notation import bool_, ints, op

OPERATORS = [
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
