"""Cases of the rules for convolution, pooling and batch normalisation."""

from __future__ import annotations

from typing import Any

import numpy as np

from support_case import Case, floats, ints

POOL = {"data_format": "NCHW", "global_pooling": False}
GRAD_INPUTS = "float[1,2,6,6] x, float[1,2,3,3] p, float[1,2,3,3] g"
GRAD = "ksize=[1,1,2,2], strides=[1,1,2,2]"
CONV_GRAD = "strides=[2,1], pads=[0,1,1,0], dilations=[1,2], group=1"
NEW_CONV_GRAD = {"strides": [1, 1, 2, 1], "pads": [0, 1, 1, 0], "dilations": [1, 1, 1, 2], "groups": 1}

NORM = "y = BatchNormalization(x, s, o, m, v)"
LINES, LINES_OUT = "float[2,8,20] x", "float[a,b,c] y"


def statistics(channels: int) -> dict[str, Any]:
    """Scale, offset, mean and variance of a batch normalisation."""
    drawn = {name: floats(channels, seed=seed) for seed, name in enumerate("somv")}
    return {**drawn, "v": np.abs(drawn["v"]) + np.float32(0.5)}


CASES = [
    # Convolution
    Case("y = Conv(x, w)", "Conv2D", weights={"w": floats(4, 3, 3, 3)}, attributes={"strides": [1, 1, 1, 1]}),
    Case(
        "y = Conv<strides=[2,1], pads=[0,1,2,3], dilations=[1,2], group=3>(x, w, b)",
        "Conv2D",
        weights={"w": floats(6, 1, 3, 2), "b": floats(6)},
        attributes={
            "strides": [1, 1, 2, 1],
            "pads": [0, 2, 1, 3],
            "dilations": [1, 1, 1, 2],
            "groups": 3,
            "data_format": "NCHW",
        },
    ),
    Case(
        'y = Conv<auto_pad="SAME_UPPER", strides=[2,3]>(x, w)',
        "Conv2D",
        weights={"w": floats(4, 3, 3, 4)},
        attributes={"pads": [0, 1, 1, 1]},
    ),
    Case(
        'y = Conv<auto_pad="SAME_LOWER", strides=[2,3]>(x, w)',
        "Conv2D",
        weights={"w": floats(4, 3, 3, 4)},
        attributes={"pads": [1, 0, 1, 1]},
    ),
    Case(
        'y = Conv<auto_pad="SAME_UPPER">(x, w)',
        "Conv2D",
        inputs="float[N,3,H,W] x",
        weights={"w": floats(4, 3, 2, 3)},
        attributes={"pads": [0, 1, 1, 1]},
    ),
    Case(
        'y = Conv<auto_pad="VALID">(x, w)',
        "Conv2D",
        weights={"w": floats(4, 3, 2, 3)},
        attributes={"pads": [0] * 4},
    ),
    Case(
        f"y = npu.Conv2DBackpropInput<{CONV_GRAD}>(size, w, g)",
        "Conv2DBackpropInput",
        inputs="float[2,4,3,5] g",
        outputs="float[2,3,6,8] y",
        weights={"size": ints(2, 3, 6, 8), "w": floats(4, 3, 2, 3)},
        attributes=NEW_CONV_GRAD,
    ),
    Case(
        f"y = npu.Conv2DBackpropFilter<{CONV_GRAD}>(x, size, g)",
        "Conv2DBackpropFilter",
        inputs="float[2,3,6,8] x, float[2,4,3,5] g",
        outputs="float[4,3,2,3] y",
        weights={"size": ints(4, 3, 2, 3)},
        attributes=NEW_CONV_GRAD,
    ),
    Case(
        f"s = Shape(x) y = npu.Conv2DBackpropInput<{CONV_GRAD}>(s, w, g)",
        "Shape Cast Conv2DBackpropInput",
        inputs="float[N,3,6,8] x, float[N,4,3,5] g",
        outputs="float[N,3,6,8] y",
        weights={"w": floats(4, 3, 2, 3)},
    ),
    Case(
        f"y, d, e = npu.ConvGrad<{CONV_GRAD}>(g, x, w)",
        "Conv2DBackpropInput Conv2DBackpropFilter ReduceSum",
        "float[2,4,3,5] g, float[2,3,6,8] x",
        "float[2,3,6,8] y, float[4,3,2,3] d, float[4] e",
        {"w": floats(4, 3, 2, 3)},
        opset=13,
        attributes={"keep_dims": False},
    ),
    Case(
        f"y, d, e = npu.ConvGrad<{CONV_GRAD}>(g, x, w)",
        "Conv2DBackpropFilter",
        "float[2,4,3,5] g, float[2,3,6,8] x",
        "float[4,3,2,3] d",
        {"w": floats(4, 3, 2, 3)},
        attributes=NEW_CONV_GRAD,
    ),
    Case(
        f"y, d = npu.ConvGradWithoutBias<{CONV_GRAD}>(g, x, w)",
        "Shape Conv2DBackpropInput Conv2DBackpropFilter",
        "float[N,4,3,5] g, float[N,3,6,8] x",
        "float[N,3,6,8] y, float[4,3,2,3] d",
        {"w": floats(4, 3, 2, 3)},
        attributes=NEW_CONV_GRAD,
    ),
    # What ONNX Runtime fuses, it fuses again on the way back
    Case(
        "c = Conv(x, w, b) s = Add(c, x) r = Relu(s) y = Conv(r, w)",
        "Conv2D Add Relu Conv2D",
        inputs="float[N,8,H,W] x",
        weights={"w": floats(8, 8, 1, 1), "b": floats(8)},
    ),
    Case(
        "m = MatMul(x, w) y = Add(m, b)",
        "BatchMatMulV2 Add",
        "float[N,300] x",
        "float[a,b] y",
        {"w": floats(300, 5), "b": floats(5)},
    ),
    # Pooling
    Case(
        "y = MaxPool<kernel_shape=[3,2], strides=[2,1], pads=[0,1,2,1], ceil_mode=1>(x)",
        "MaxPoolV3",
        attributes={
            **POOL,
            "ksize": [1, 1, 3, 2],
            "strides": [1, 1, 2, 1],
            "pads": [0, 2, 1, 1],
            "padding_mode": "CALCULATED",
            "ceil_mode": True,
        },
    ),
    Case(
        'y = MaxPool<kernel_shape=[3,2], strides=[2,2], auto_pad="SAME_UPPER">(x)',
        "MaxPoolV3",
        attributes={**POOL, "padding_mode": "SAME", "pads": [0] * 4},
    ),
    Case(
        'y = MaxPool<kernel_shape=[3,2], strides=[2,1], auto_pad="SAME_LOWER">(x)',
        "MaxPoolV3",
        attributes={**POOL, "padding_mode": "CALCULATED", "pads": [1, 0, 1, 0]},
    ),
    Case(
        'y = MaxPool<kernel_shape=[3,2], strides=[2,2], auto_pad="VALID">(x)',
        "MaxPoolV3",
        attributes={**POOL, "padding_mode": "VALID", "ceil_mode": False},
    ),
    Case("y, unread = MaxPool<kernel_shape=[3,2]>(x)", "MaxPoolV3"),
    Case("y = MaxPool<kernel_shape=[3,2]>(x)", "MaxPoolV3", opset=8, attributes={"strides": [1, 1, 1, 1]}),
    Case(
        f"y = npu.MaxPoolV3Grad<{GRAD}>(x, p, g)",
        "MaxPoolV3Grad",
        inputs=GRAD_INPUTS,
        attributes={**POOL, "padding_mode": "CALCULATED", "pads": [0, 0, 0, 0], "ceil_mode": False},
    ),
    Case(
        f"y = npu.NPUMaxPoolV3Grad<{GRAD}, pads=[0,1,2,0], ceil_mode=1>(x, p, g)",
        "MaxPoolV3Grad",
        inputs="float[1,2,6,6] x, float[1,2,4,4] p, float[1,2,4,4] g",
        attributes={"pads": [0, 1, 2, 0], "ceil_mode": True},
    ),
    Case(
        'y = npu.MaxPoolV3Grad<ksize=[1,2,2,1], strides=[1,2,2,1], data_format="NHWC", padding_mode="SAME">'
        "(x, p, g)",
        "MaxPoolV3Grad",
        inputs="float16[1,6,6,2] x, float16[1,3,3,2] p, float16[1,3,3,2] g",
        outputs="float16[a,b,c,d] y",
        attributes={"data_format": "NHWC", "padding_mode": "SAME"},
    ),
    # Transposed convolution
    Case(
        "y = ConvTranspose<strides=[2,3], pads=[1,0,1,2], output_padding=[1,0], dilations=[1,2], group=3>"
        "(x, w, b)",
        "Conv2DTranspose",
        weights={"w": floats(3, 2, 3, 2), "b": floats(6)},
        attributes={
            "strides": [1, 1, 2, 3],
            "pads": [1, 1, 0, 2],
            "output_padding": [0, 0, 1, 0],
            "dilations": [1, 1, 1, 2],
            "groups": 3,
            "data_format": "NCHW",
        },
    ),
    Case(
        'y = ConvTranspose<auto_pad="SAME_UPPER", strides=[2,2]>(x, w)',
        "Conv2DTranspose",
        weights={"w": floats(3, 4, 3, 3)},
        attributes={"pads": [0, 1, 0, 1], "output_padding": [0, 0, 0, 0]},
    ),
    Case(
        "y = ConvTranspose<output_shape=[16,18], strides=[2,2]>(x, w)",
        "Conv2DTranspose",
        weights={"w": floats(3, 4, 3, 3)},
        attributes={"pads": [1, 0, 0, 0], "output_padding": [0, 0, 0, 1]},
    ),
    Case("y = ConvTranspose(x, w)", "Conv2DTranspose", "float[N,3,H,8] x", weights={"w": floats(3, 4, 3, 3)}),
    # Lines through height 1
    Case(
        "y = Conv<strides=[2], pads=[1,2], dilations=[2]>(x, w, b)",
        "Unsqueeze Conv2D Squeeze",
        LINES,
        LINES_OUT,
        {"w": floats(16, 8, 3), "b": floats(16)},
        attributes={"axis": [2]},
    ),
    Case(
        'y = Conv<auto_pad="SAME_LOWER", group=8>(x, w)',
        "Unsqueeze Conv2D Squeeze",
        LINES,
        LINES_OUT,
        {"w": floats(8, 1, 4)},
    ),
    Case("y = Conv(x, w)", "Unsqueeze Unsqueeze Conv2D Squeeze", f"{LINES}, float[4,8,3] w", LINES_OUT),
    Case(
        "c = Conv(x, w, b) n = BatchNormalization(c, s, o, m, v) r = Relu(n) "
        "y = MaxPool<kernel_shape=[2]>(r)",
        "Unsqueeze Conv2D Squeeze Unsqueeze BatchNorm Squeeze Relu Unsqueeze MaxPoolV3 Squeeze",
        "float[N,8,L] x",
        LINES_OUT,
        {"w": floats(16, 8, 3), "b": floats(16), **statistics(16)},
    ),
    Case(
        "y = ConvTranspose<strides=[3], pads=[1,0], output_padding=[2]>(x, w, b)",
        "Unsqueeze Conv2DTranspose Squeeze",
        LINES,
        LINES_OUT,
        {"w": floats(8, 4, 5), "b": floats(4)},
    ),
    Case(
        "y = MaxPool<kernel_shape=[3], strides=[2], pads=[1,0], ceil_mode=1>(x)",
        "Unsqueeze MaxPoolV3 Squeeze",
        LINES,
        LINES_OUT,
    ),
    Case(
        'y = MaxPool<kernel_shape=[3], strides=[2], auto_pad="SAME_UPPER">(x)',
        "Unsqueeze MaxPoolV3 Squeeze",
        LINES,
        LINES_OUT,
    ),
    Case(
        "a = AveragePool<kernel_shape=[3], pads=[1,1], count_include_pad=1>(x) "
        "y = AveragePool<kernel_shape=[2]>(a)",
        "Unsqueeze AvgPoolV2 Squeeze Unsqueeze AvgPoolV2 Squeeze",
        LINES,
        LINES_OUT,
    ),
    Case(
        "u = Unsqueeze(x, a) y = MaxPool<kernel_shape=[1,3]>(u)",  # the model's own image stays one
        "Unsqueeze MaxPoolV3",
        LINES,
        weights={"a": ints(2)},
    ),
]
