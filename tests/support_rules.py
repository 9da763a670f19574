"""For every rule of the converters: ONNX nodes, and the operators of GE that come of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


def floats(*shape: int, seed: int = 7) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def ints(*values: int) -> np.ndarray[Any, Any]:
    return np.array(values, np.int64)


@dataclass(frozen=True)
class Case:
    """ONNX nodes, the graph's ends, the GE operators that come of them, and some of their attributes."""

    nodes: str
    ge_types: str
    inputs: str = "float[2,3,8,8] x"
    outputs: str = "float[a,b,c,d] y"
    weights: dict[str, Any] = field(default_factory=dict)
    opset: int = 18
    attributes: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.nodes}@{self.opset}"


ROW, MATRIX = "float[4,6] x", "float[a,b] y"
POOL = {"data_format": "NCHW", "global_pooling": False}
GRAD_INPUTS = "float[1,2,6,6] x, float[1,2,3,3] p, float[1,2,3,3] g"
GRAD = "ksize=[1,1,2,2], strides=[1,1,2,2]"
CONV_GRAD = "strides=[2,1], pads=[0,1,1,0], dilations=[1,2], group=1"
NEW_CONV_GRAD = {"strides": [1, 1, 2, 1], "pads": [0, 1, 1, 0], "dilations": [1, 1, 1, 2], "groups": 1}

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
    # Matrix products
    Case("y = MatMul(x, w)", "BatchMatMulV2", ROW, MATRIX, {"w": floats(6, 300)}),
    Case("y = MatMul(x, w)", "BatchMatMulV2", "float[2,3,4,6] x", weights={"w": floats(6, 5)}),
    Case(
        "y = Gemm<transB=1>(x, w, b)",
        "MatMulV2",
        "float[4,300] x",
        MATRIX,
        {"w": floats(5, 300), "b": floats(5)},
    ),
    Case(
        "y = Gemm<transA=1>(x, w)",
        "MatMulV2",
        ROW,
        MATRIX,
        {"w": floats(4, 5)},
        attributes={"transpose_x1": True, "transpose_x2": False},
    ),
    Case("y = Gemm<alpha=0.3>(x, w)", "MatMulV2 Muls", "float[4,300] x", MATRIX, {"w": floats(300, 5)}),
    Case(
        "y = Gemm<alpha=0.3, beta=0.7>(x, w, b)",
        "Muls MatMulV2 Muls BiasAdd",
        "float[N,300] x",
        MATRIX,
        {"w": floats(300, 5), "b": floats(5)},
    ),
    Case(
        "y = Gemm<alpha=0.3>(x, w, b)",
        "MatMulV2 Muls BiasAdd",
        "float[N,300] x",
        MATRIX,
        {"w": floats(300, 5), "b": floats(5)},
    ),
    Case(
        "y = Gemm<beta=0.7>(x, w, b)",
        "Muls MatMulV2 BiasAdd",
        "float[N,300] x",
        MATRIX,
        {"w": floats(300, 5), "b": floats(5)},
    ),
    Case("y = Gemm(x, w, b)", "MatMulV2", "float[4,300] x", MATRIX, {"w": floats(300, 5), "b": floats(1, 5)}),
    Case(
        "y = Gemm(x, w, b)", "Reshape MatMulV2", "float[4,300] x, float[1,5] b", MATRIX, {"w": floats(300, 5)}
    ),
    Case(
        "y = Gemm(x, w, b)",
        "Reshape Expand MatMulV2",
        "float[4,300] x, float[1,1] b",
        MATRIX,
        {"w": floats(300, 5)},
    ),
    Case("y = Gemm(x, w, b)", "Expand GEMM", "float[4,300] x, float[4,1] b", MATRIX, {"w": floats(300, 5)}),
    Case(
        "y = Gemm<beta=0.5, transA=1>(x, w, b)",
        "GEMM",
        "float[300,4] x, float[4,5] b",
        MATRIX,
        {"w": floats(300, 5)},
    ),
    # Elementwise
    *(
        Case(f"y = {op}(x)", ge_type)
        for op, ge_type in {
            "Abs": "Abs",
            "Ceil": "Ceil",
            "Erf": "Erf",
            "Exp": "Exp",
            "Floor": "Floor",
            "Identity": "Identity",
            "Neg": "Neg",
            "Reciprocal": "Reciprocal",
            "Relu": "Relu",
            "Sigmoid": "Sigmoid",
            "Sign": "Sign",
            "Tanh": "Tanh",
            "Max": "Identity",
            "Min": "Identity",
            "Sum": "Identity",
        }.items()
    ),
    Case("a = Abs(x) y = Log(a)", "Abs Log", attributes={"base": -1.0, "scale": 1.0, "shift": 0.0}),
    Case("a = Abs(x) y = Sqrt(a)", "Abs Sqrt"),
    *(
        Case(f"y = {op}(x, w)", ge_type, ROW, MATRIX, {"w": floats(6)})
        for op, ge_type in {
            "Add": "Add",
            "Sub": "Sub",
            "Mul": "Mul",
            "Div": "RealDiv",
            "Max": "Maximum",
            "Min": "Minimum",
        }.items()
    ),
    *(
        Case(f"y = {op}(x, w)", ge_type, "int64[4,6] x", "bool[a,b] y", {"w": ints(0, 1, 2, 3, 0, 1)})
        for op, ge_type in {
            "Equal": "Equal",
            "Greater": "Greater",
            "GreaterOrEqual": "GreaterEqual",
            "Less": "Less",
            "LessOrEqual": "LessEqual",
        }.items()
    ),
    Case(
        "a = And(x, z) b = Or(a, z) y = Not(b)",
        "LogicalAnd LogicalOr LogicalNot",
        "bool[4] x, bool[4] z",
        "bool[a] y",
    ),
    Case("y = Max(x, w, x)", "Maximum Maximum", ROW, MATRIX, {"w": floats(6)}),
    Case("y = Sum(x, z, x)", "AccumulateNV2", "float[4,6] x, float[4,6] z", MATRIX, attributes={"N": 3}),
    Case("y = Where(c, x, w)", "SelectV2", "bool[4,1] c, float[4,6] x", MATRIX, {"w": floats(6)}),
    Case("y = Cast<to=7>(x)", "Cast", outputs="int64[a,b,c,d] y", attributes={"dst_type": 9}),
    Case("y = Cast<to=10>(x)", "Cast", outputs="float16[a,b,c,d] y", attributes={"dst_type": 1}),
    # Softmax
    Case("y = Softmax<axis=1>(x)", "SoftmaxV2", attributes={"axes": [1], "half_to_float": False}),
    Case("y = Softmax(x)", "SoftmaxV2", ROW, MATRIX, opset=11, attributes={"axes": [1]}),
    Case("y = LogSoftmax(x)", "LogSoftmaxV2", attributes={"axes": [-1]}),
    # Reductions
    Case(
        "y = ReduceSum<keepdims=0>(x, axes)",
        "ReduceSum",
        outputs="float[a,b] y",
        weights={"axes": ints(0, -1)},
        attributes={"keep_dims": False, "noop_with_empty_axes": False},
    ),
    Case("y = ReduceSum<axes=[2]>(x)", "ReduceSum", opset=12, attributes={"keep_dims": True}),
    Case("y = ReduceSum<keepdims=0>(x)", "ReduceSum", "float[9,50,70] x", "float y"),
    *(
        Case(
            f"y = Reduce{kind}<axes=[0,3], keepdims=0>(x)", f"Reduce{kind}", outputs="float[a,b] y", opset=17
        )
        for kind in ("Max", "Mean", "Min", "Prod")
    ),
    Case("y = ReduceMean<keepdims=0>(x)", "ReduceMean", "float[9,50,70] x", "float y", opset=13),
    # Shapes
    Case("y = Reshape(x, s)", "Reshape", outputs="float[a,b] y", weights={"s": ints(0, -1)}),
    Case("y = Reshape<allowzero=1>(x, s)", "Reshape", outputs="float[a,b] y", weights={"s": ints(6, 64)}),
    Case("y = Flatten<axis=-1>(x)", "Flatten", outputs="float[a,b] y", attributes={"axis": -1}),
    Case("y = Transpose<perm=[0,2,3,1]>(x)", "Transpose"),
    Case("y = Transpose(x)", "Transpose"),
    Case("y = Shape(x)", "Shape", "float[N,3] x", "int64[a] y", attributes={"dtype": 9}),
    Case("s = Shape<start=1, end=-1>(x) y = Identity(s)", "Identity", "float[2,3,4] x", "int64[a] y"),
    Case(
        "y = Unsqueeze(x, axes)",
        "Unsqueeze",
        ROW,
        weights={"axes": ints(0, -1)},
        attributes={"axes": [0, -1]},
    ),
    Case(
        "y = Unsqueeze<axes=[1]>(x)", "Unsqueeze", ROW, "float[a,b,c] y", opset=11, attributes={"axes": [1]}
    ),
    Case(
        "y = Squeeze(x, axes)",
        "Squeeze",
        "float[1,4,1,6] x",
        "float[a,b,c] y",
        {"axes": ints(2)},
        attributes={"axis": [2]},
    ),
    Case("y = Squeeze(x)", "Squeeze", "float[1,4,1,6] x", "float[a,b] y", attributes={"axis": []}),
    Case(
        "y = Squeeze<axes=[0]>(x)",
        "Squeeze",
        "float[1,4,6] x",
        "float[a,b] y",
        opset=8,
        attributes={"axis": [0]},
    ),
    Case("y = Expand(x, s)", "Expand", "float[4,1] x", MATRIX, {"s": ints(4, 6)}),
    Case(
        "y = Concat<axis=1>(x, z, x)",
        "ConcatD",
        "float[4,6] x, float[4,2] z",
        MATRIX,
        attributes={"concat_dim": 1, "N": 3},
    ),
    Case("y = Concat<axis=1>(x)", "Identity", ROW, MATRIX),
    # Constants and indices
    Case("c = Constant<value_floats=[1.5, 2.5]>() y = Add(x, c)", "Add", "float[3,2] x", MATRIX),
    Case("c = Constant<value=float[2]{1.5, 2.5}>() y = Add(x, c)", "Add", "float[3,2] x", MATRIX),
    Case("c = Constant<value_int=3>() y = Add(x, c)", "Add", "int64[3] x", "int64[a] y"),
    Case("y = ConstantOfShape(s)", "Fill", "int64[2] s", MATRIX),
    Case("y = ConstantOfShape<value=int64[1]{7}>(s)", "Fill", "int64[2] s", "int64[a,b] y"),
    Case(
        "y = Gather<axis=1>(x, i)",
        "GatherV2",
        ROW,
        MATRIX,
        {"i": ints(-1, 0, 3)},
        attributes={"negative_index_support": True, "batch_dims": 0},
    ),
    Case(
        "y = OneHot<axis=0>(i, depth, values)",
        "Less Add SelectV2 OneHot",
        weights={"i": ints(0, 3, -1, 7, -9), "depth": ints(5), "values": np.array([0.25, 2], np.float32)},
        inputs="float[1] unused",
        outputs="float[a,b] y",
        attributes={"axis": 0},
    ),
]
