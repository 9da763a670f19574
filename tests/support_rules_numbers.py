"""Cases of the rules for matrix products, arithmetic, activations and reductions."""

from __future__ import annotations

import numpy as np

from support_case import MATRIX, ROW, Case, floats, ints

BOUNDS = {"a": np.array(-0.5, np.float32), "b": np.array(0.5, np.float32)}

CASES = [
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
    Case("y = npu.ReluGrad(w, x)", "ReluGrad", ROW, MATRIX, {"w": floats(4, 6)}),
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
    Case("y = ReduceMax(x, axes)", "ReduceMax", "int32[2,3,4] x", "int32[a,b,c] y", {"axes": ints(1)}),
    Case("y = ReduceSum<keepdims=0>(x, axes)", "ReduceSum", "float[2,3,4] x, int64[2] axes", "float[a] y"),
    # Vectors
    Case("y = MatMul(x, w)", "BatchMatMulV2 Squeeze", "float[3,4,6] x", MATRIX, {"w": floats(6)}),
    Case("y = MatMul(z, x)", "Unsqueeze BatchMatMulV2 Squeeze", "float[3,6,4] x, float[6] z", MATRIX),
    Case(
        "y = MatMul(x, z)",
        "Unsqueeze Unsqueeze BatchMatMulV2 Squeeze",
        "float[K] x, float[K] z",
        "float y",
        attributes={"axis": [-2, -1]},
    ),
    Case("y = MatMul(x, z)", "BatchMatMulV2", "float[2,1,4,6] x, float[3,6,5] z"),
    Case("y = MatMul(x, z)", "BatchMatMulV2", "int32[4,6] x, int32[6,5] z", "int32[a,b] y"),
    # Arithmetic of several types
    Case("y = Div(x, w)", "TruncateDiv", "int64[4,2] x", "int64[a,b] y", {"w": ints(3, -2)}),
    Case("a = Abs(x) y = Pow(a, w)", "Abs Pow", ROW, MATRIX, {"w": floats(6)}),
    Case("y = Pow(x, w)", "Pow", ROW, MATRIX, {"w": ints(2)}),
    Case("y = Pow(x, w)", "Pow", "int64[4,6] x", "int64[a,b] y", {"w": ints(3)}),
    Case(
        "y = Pow(x, w)",
        "Pow Cast",
        "int32[4,6] x",
        "int32[a,b] y",
        {"w": np.array(1.5, np.float32)},
        attributes={"dst_type": 3},
    ),
    # Activations with attributes
    Case("y = LeakyRelu(x)", "LeakyRelu", attributes={"negative_slope": float(np.float32(0.01))}),
    Case("y = LeakyRelu<alpha=0.25>(x)", "LeakyRelu", opset=8, attributes={"negative_slope": 0.25}),
    Case("y = HardSigmoid(x)", "HardSigmoid", attributes={"alpha": float(np.float32(0.2)), "beta": 0.5}),
    Case("y = HardSigmoid<alpha=0.5, beta=0.25>(x)", "HardSigmoid", attributes={"alpha": 0.5, "beta": 0.25}),
    Case("y = HardSwish(x)", "HardSwish", opset=14),
    *(
        Case(
            f"y = Clip({inputs})",
            "ClipByValue",
            weights=BOUNDS,
            opset=opset,
        )
        for opset in (11, 13)
        for inputs in ("x", "x, a", "x, a, b", 'x, "", b')
    ),
    *(
        Case(f"y = Clip{attributes}(x)", "ClipByValue", opset=opset)
        for opset in (8, 10)
        for attributes in ("", "<min=-0.5>", "<max=0.5>", "<min=-0.5, max=0.5>")
    ),
    Case("y = Clip(x, a, b)", "ClipByValue", "float[4,6] x, float a, float b", MATRIX),
    Case("y = Clip(x, a)", "Maximum Minimum", "int8[4,6] x", "int8[c,d] y", {"a": np.array(1, np.int8)}, 12),
    # Softmax over several axes
    *(
        Case(f"y = {op}<axis={axis}>(x)", f"Reshape {op}V2 Reshape", opset=opset)
        for op in ("Softmax", "LogSoftmax")
        for axis, opset in ((0, 8), (1, 11), (2, 12), (-2, 11))
    ),
    Case("y = Softmax(x)", "Reshape SoftmaxV2 Reshape", "float[N,3,8,8] x", opset=11),
    Case("y = Softmax<axis=2>(x)", "Reshape SoftmaxV2 Shape Reshape", "float[N,C,8,8] x", opset=11),
]
