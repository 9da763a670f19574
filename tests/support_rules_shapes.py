"""Cases of the rules for shapes, constants and indices."""

from __future__ import annotations

import numpy as np

from support_case import MATRIX, ROW, Case, ints

CASES = [
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
