"""Cases of the rules for average and global pools and batch normalisation."""

from __future__ import annotations

from support_case import MATRIX, Case, floats
from support_rules_windows import NORM, POOL, statistics

GRADIENT_INPUTS = "float[2,3,4,5] x, float[2,3,4,5] g"
GRADIENTS = "float[a,b,c,d] y, float[c] d, float[c] e"

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
    # Its gradients
    Case(
        "y, d, e = npu.BatchNormGrad<epsilon=0.01>(g, x, s)",
        "BatchNorm BatchNormGrad",
        GRADIENT_INPUTS,
        GRADIENTS,
        {"s": floats(3)},
        attributes={"is_training": True, "output_mask": [True] * 3, "data_format": "NCHW"},
    ),
    Case(
        "y, p, q = BatchNormalization<training_mode=1, epsilon=0.01>(x, s, o, m, v) "
        "z, d, e = npu.BatchNormGrad<epsilon=0.01>(y, x, s)",
        "BatchNorm BatchNormGrad",
        outputs="float[a,b,c,d] y, float[a,b,c,d] z, float[c] d, float[c] e",
        weights=statistics(3),
    ),
    Case(
        "y, p, q = BatchNormalization<training_mode=1, epsilon=0.01>(x, s, o, m, v) "
        "z, d, e = npu.BatchNormGrad<epsilon=0.02>(y, x, s)",
        "BatchNorm BatchNorm BatchNormGrad",
        outputs="float[a,b,c,d] y, float[a,b,c,d] z, float[c] d",
        weights=statistics(3),
    ),
    Case(
        "y, p, q = BatchNormalization<training_mode=1>(x, s, o, m, v) "
        "z, d, e = npu.BatchNormGrad<epsilon=0.00001>(y, x, s)",
        "Unsqueeze BatchNorm Squeeze Unsqueeze BatchNormGrad Squeeze",
        "float[4,3,5] x",
        "float[a,b,c] y, float[a,b,c] z, float[c] d, float[c] e",
        statistics(3),
    ),
    Case(
        "y, d, e = npu.BatchNormGrad<epsilon=0.01>(g, x, s)",
        "Unsqueeze Unsqueeze BatchNorm BatchNormGrad Squeeze",
        "float[N,3] x, float[N,3] g",
        "float[a,b] y, float[c] d, float[c] e",
        {"s": floats(3)},
        opset=14,
        attributes={"axis": [2, 3]},
    ),
    Case(
        "y, d, e = npu.BatchNormInferenceGrad<epsilon=0.01>(g, x, s, m, v)",
        "BatchNormGrad",
        GRADIENT_INPUTS,
        GRADIENTS,
        statistics(3),
        attributes={"is_training": False, "output_mask": [True] * 3},
    ),
    Case(
        "y, d, e = npu.BatchNormInferenceGrad<epsilon=0.01>(g, x, s, m, v)",
        "BatchNormGrad",
        "float[2,3,4,5,6] x, float[2,3,4,5,6] g",
        "float[a,b,c,d,e] y, float[c] d, float[c] e",
        statistics(3),
        opset=13,
        attributes={"data_format": "NCDHW"},
    ),
    Case(
        "y, p, q = BatchNormalization<training_mode=1, momentum=0.7>(x, s, o, m, v)",
        "BatchNorm Muls Muls Add Muls Size Cast RealDiv Sub Mul Add",
        "float[N,3,H,W] x",
        "float[a,b,c,d] y, float[e] p, float[f] q",
        statistics(3),
    ),
    Case(
        "y, p, q = BatchNormalization<training_mode=1>(x, s, o, m, v)",
        "Unsqueeze BatchNorm Squeeze Muls Size Cast RealDiv Sub Mul Add",
        "float[N,3,L] x",
        "float[a,b,c] y, float[f] q",
        statistics(3),
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
