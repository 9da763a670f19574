"""Cases of the rules for average and global pools and batch normalisation."""

from __future__ import annotations

from support_case import MATRIX, Case, floats
from support_rules_windows import NORM, POOL, statistics

CASES = [
    # Other pools
    Case(
        "y = AveragePool<kernel_shape=[3,2], strides=[2,1], pads=[0,1,2,1], ceil_mode=1>(x)",
        "AvgPoolV2",
        attributes={
            **POOL,
            "ksize": [1, 1, 3, 2],
            "strides": [1, 1, 2, 1],
            "pads": [0, 2, 1, 1],
            "padding_mode": "CALCULATED",
            "ceil_mode": True,
            "exclusive": True,
            "divisor_override": 0,
        },
    ),
    Case(
        'y = AveragePool<kernel_shape=[3,2], strides=[2,2], auto_pad="SAME_UPPER", count_include_pad=1>(x)',
        "AvgPoolV2",
        attributes={"padding_mode": "SAME", "pads": [0] * 4, "exclusive": False},
    ),
    Case(
        'y = AveragePool<kernel_shape=[3,2], strides=[2,1], auto_pad="SAME_LOWER">(x)',
        "AvgPoolV2",
        attributes={"padding_mode": "CALCULATED", "pads": [1, 0, 1, 0]},
    ),
    Case("y = AveragePool<kernel_shape=[3,2]>(x)", "AvgPoolV2", opset=8),
    Case("y = GlobalAveragePool(x)", "GlobalAveragePool"),
    Case("y = GlobalAveragePool(x)", "GlobalAveragePool", "float[2,3,4,5,6] x", "float[a,b,c,d,e] y"),
    Case("y = GlobalMaxPool(x)", "ReduceMax", attributes={"keep_dims": True, "noop_with_empty_axes": False}),
    # Batch normalisation
    Case(
        "y = BatchNormalization<epsilon=0.01>(x, s, o, m, v)",
        "BatchNorm",
        weights=statistics(3),
        attributes={"data_format": "NCHW", "is_training": False, "exponential_avg_factor": 1.0},
    ),
    *(Case(NORM, "BatchNorm", weights=statistics(3), opset=n) for n in (8, 9, 14)),
    Case(
        NORM,
        "BatchNorm",
        "float[2,3,4,5,6] x",
        "float[a,b,c,d,e] y",
        statistics(3),
        attributes={"data_format": "NCDHW"},
    ),
    Case(
        NORM,
        "Unsqueeze BatchNorm Squeeze",
        "float[N,3] x",
        MATRIX,
        statistics(3),
        attributes={"axis": [2, 3]},
    ),
    Case(
        "c = Conv(x, w) n = BatchNormalization(c, s, o, m, v) y = Relu(n)",
        "Conv2D BatchNorm Relu",
        weights={"w": floats(16, 3, 3, 3), **statistics(16)},
    ),
    Case(
        "y, p, q = BatchNormalization<training_mode=1, momentum=0.7>(x, s, o, m, v)",
        "BatchNorm Muls Muls Add Muls Muls Add",
        outputs="float[a,b,c,d] y, float[e] p, float[f] q",
        weights=statistics(3),
    ),
    Case(
        "y, p, q = BatchNormalization<training_mode=1>(x, s, o, m, v)",
        "Unsqueeze BatchNorm Squeeze Muls Muls Add",
        "float[4,3,5] x",
        "float[a,b,c] y, float[f] q",
        statistics(3),
        opset=14,
    ),
]
