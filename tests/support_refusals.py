"""Nodes of the computing operators that conversion refuses: nodes, inputs, outputs, weights, words."""

from __future__ import annotations

from typing import Any

import numpy as np

Refused = tuple[str, str, str, dict[str, Any], str]

IMAGE, ANY = "float[2,3,8,8] x", "float[a,b,c,d] y"
DOUBLES, LINES = "double[a,b,c,d] y", "float[a,b,c] y"
WEIGHTS, LINE_WEIGHTS = {"w": np.ones((4, 3, 2, 2), "f")}, {"w": np.ones((4, 3, 2), "f")}
POOL = "kernel_shape=[2,2]"

NUMBERS: list[Refused] = [
    (
        "y = MaxPool<kernel_shape=[2,2,2]>(x)",
        "float[2,3,8,8,8] x",
        "float[a,b,c,d,e] y",
        {},
        "5-D; converted are lines [N, C, L] and images [N, C, H, W]",
    ),
    (
        "y, i = MaxPool<kernel_shape=[2,2]>(x)",
        IMAGE,
        f"{ANY}, int64[e,f,g,h] i",
        {},
        "its further output 'i' is used; only the first is converted",
    ),
    (f"y = MaxPool<{POOL}, dilations=[2,1]>(x)", IMAGE, ANY, {}, "dilations is [2, 1]"),
    (f"y = MaxPool<{POOL}, storage_order=1>(x)", IMAGE, ANY, {}, "storage_order is 1; only 0"),
    ("y = MaxPool<kernel_shape=[2,256]>(x)", "float[1,1,8,400] x", ANY, {}, "256"),
    ("y = MaxPool<kernel_shape=[2,2], strides=[64,1]>(x)", "float[1,1,99,9] x", ANY, {}, "64"),
    (
        'y = MaxPool<kernel_shape=[2,2], strides=[2,2], auto_pad="SAME_LOWER">(x)',
        "float[1,1,H,8] x",
        ANY,
        {},
        "height or width is not known",
    ),
    (
        "y = Conv(x, w)",
        "float[2,3,8,8,8] x",
        "float[a,b,c,d,e] y",
        {"w": np.ones((4, 3, 3, 3, 3), "f")},
        "5-D; converted are lines",
    ),
    (
        "y = Conv<strides=[64,1]>(x, w)",
        "float[1,3,99,9] x",
        ANY,
        WEIGHTS,
        "strides is [64, 1]; GE's operator",
    ),
    ("y = Conv<dilations=[1,256]>(x, w)", "float[1,3,9,999] x", ANY, WEIGHTS, "dilations is [1, 256]"),
    (
        "y = Conv<pads=[0,256,0,0]>(x, w)",
        IMAGE,
        ANY,
        WEIGHTS,
        "pads is [0, 256, 0, 0]; GE's operator takes 0",
    ),
    ("y = Conv<pads=[0,0,-1,0]>(x, w)", IMAGE, ANY, WEIGHTS, "pads is [0, 0, -1, 0]; GE's operator takes 0"),
    (
        "y = Conv(x, w)",
        IMAGE.replace("float", "double"),
        DOUBLES,
        {"w": np.ones((4, 3, 2, 2))},
        "x of Conv2D is DT_DOUBLE; it takes DT_B",
    ),
    ("y = Conv<strides=[2]>(x, w)", IMAGE, ANY, WEIGHTS, "strides is [2]; for a 4-D image it has 2 values"),
    ("y = Conv<strides=[2,2]>(x, w)", "float[2,3,8] x", LINES, LINE_WEIGHTS, "[2, 2]; for lines it has one"),
    ("y = Conv<pads=[2]>(x, w)", "float[2,3,8] x", LINES, LINE_WEIGHTS, "pads is [2]; for lines it has 2"),
    (
        "y = ConvTranspose<output_shape=[9,9]>(x, w)",
        "float[1,3,H,8] x",
        ANY,
        {"w": np.ones((3, 1, 2, 2), "f")},
        "a size of its input or filter is not known",
    ),
    (
        "y = ConvTranspose<strides=[63,1]>(x, w)",
        "float[1,3,99,8] x",
        ANY,
        {"w": np.ones((3, 1, 2, 2), "f")},
        "output_shape is [6176, 9]; GE's operator takes 0 to 4096",
    ),
    (
        "y = AveragePool<kernel_shape=[16,16]>(x)",
        "float[1,1,99,99] x",
        ANY,
        {},
        "256 elements; AvgPoolV2 takes",
    ),
    (f"y = AveragePool<{POOL}, strides=[1,64]>(x)", "float[1,1,9,99] x", ANY, {}, "strides is [1, 64]"),
    (f"y = AveragePool<{POOL}, pads=[2,0,0,0]>(x)", IMAGE, ANY, {}, "is 0 at least and less than its kernel"),
    ("y = GlobalMaxPool(x)", "float[2,3] x", "float[a,b] y", {}, "less than 3 axes"),
    (
        "y = BatchNormalization(x, s, s, s, s)",
        "float[2,3,1,1,1,1] x",
        "float y",
        {"s": np.ones(3, "f")},
        "6-D; converted are 2 to 5 axes",
    ),
    (
        "y = BatchNormalization(x, s, s, s, s)",
        IMAGE.replace("float", "double"),
        DOUBLES,
        {"s": np.ones(3)},
        "x of BatchNorm is DT_DOUBLE",
    ),
    (
        "y, m, v = BatchNormalization<training_mode=1>(x, s, s, s, s)",
        "float[1,3,1,1] x",
        f"{ANY}, float[e] v",
        {"s": np.ones(3, "f")},
        "the running variance needs 2 elements per channel at least",
    ),
    (
        "y, m, v = BatchNormalization<training_mode=1>(x, s, s, s, s)",
        "float[N,C,8,8] x",
        f"{ANY}, float[e] v",
        {"s": np.ones(3, "f")},
        "and the number of channels: fix the shapes",
    ),
    ("y = Div(x, x)", "uint32[3] x", "uint32[3] y", {}, "x1 of TruncateDiv is DT_UINT32"),
    ("y = Add(x, x)", "uint16[3] x", "uint16[3] y", {}, "x1 of Add is DT_UINT16"),
    (
        "y = Gemm<alpha=0.3>(x, x, x)",
        "float16[3,3] x",
        "float16[3,3] y",
        {},
        "alpha is 0.3, which DT_FLOAT16 cannot hold",
    ),
    ("y = Gemm<alpha=2.0>(x, x)", "int32[3,3] x", "int32[3,3] y", {}, "alpha is 2, beta 1 of DT_INT32"),
    ("y = MatMul(x, x)", "double[3,3] x", "double[3,3] y", {}, "x1 of BatchMatMulV2 is DT_DOUBLE"),
    ("y = Clip(x)", "double[3] x", "double[3] y", {}, "it clips DT_DOUBLE to scalars; GE can for DT_FLOAT, "),
]
