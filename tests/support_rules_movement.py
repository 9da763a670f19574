"""Cases of the rules that cut, join, pad, repeat and index."""

from __future__ import annotations

import numpy as np

from support_case import MATRIX, ROW, Case, floats, ints

FAR = np.iinfo(np.int64).max
ALL = {"begin_mask": 0b1011, "end_mask": 0b1011}

CASES = [
    # Split
    Case(
        "y, z = Split<axis=1>(x)",
        "Split",
        ROW,
        "float[a,b] y, float[c,d] z",
        opset=8,
        attributes={"num_split": 2},
    ),
    Case("y, z, u = Split<axis=-1>(x)", "Split", "float[4,N] x", "float[a,b] y, float[c,d] u", opset=17),
    Case(
        "y, z, u = Split<axis=1, num_outputs=3>(x)",
        "SplitV",
        "float[4,7] x",
        "float[a,b] y, float[c,d] z, float[e,f] u",
        attributes={"num_split": 3},
    ),
    Case("y, z = Split<axis=1, split=[1,5]>(x)", "SplitV", ROW, "float[a,b] y, float[c,d] z", opset=11),
    Case("y, z = Split(x, s)", "SplitV", ROW, "float[a,b] y, float[c,d] z", {"s": ints(3, 1)}),
    Case(
        "s = Shape(v) y, z = Split<axis=1>(x, s)",
        "Shape SplitV",
        f"{ROW}, float[N,M] v",
        "float[a,b] y, float[c,d] z",
    ),
    Case("u, y, z = Split<axis=1, num_outputs=3>(x) t = Add(y, z)", "Split Add", ROW, "float[a,b] t"),
    # Slice
    Case(
        "y = Slice(x, b, e, a, s)",
        "StridedSlice",
        weights={"b": ints(1), "e": ints(7), "a": ints(2), "s": ints(2)},
        attributes=ALL,
    ),
    Case(
        "y = Slice(x, b, e, a, s)",
        "StridedSlice",
        weights={"b": ints(-1, -99), "e": ints(-FAR, 99), "a": ints(-1, 0), "s": ints(-3, 1)},
        attributes={"begin_mask": 0b0110, "end_mask": 0b1110},
    ),
    Case(
        "y = Slice(x, b, e)",
        "StridedSlice",
        "float[4,N] x",
        MATRIX,
        {"b": ints(-99, 1), "e": ints(-1, FAR)},
        attributes={"begin_mask": 0, "end_mask": 0b10},
    ),
    Case(
        "y = Slice(x, b, e, a, s)",
        "StridedSlice",
        "float[4,N] x",
        MATRIX,
        {"b": ints(FAR), "e": ints(-FAR), "a": ints(1), "s": ints(-1)},
        attributes={"begin_mask": 0b11, "end_mask": 0b11},
    ),
    Case("y = Slice<starts=[0,1], ends=[2,-1], axes=[1,0]>(x)", "StridedSlice", ROW, MATRIX, opset=8),
    Case("y = Slice<starts=[1], ends=[3]>(x)", "StridedSlice", ROW, MATRIX, opset=9),
    Case("y = Slice(x, b, e)", "StridedSliceV2", "float[4,6] x, int64[2] b", MATRIX, {"e": ints(4, 5)}),
    Case("y = Slice(x, b, e)", "StridedSliceV2", "bool[4] x", "bool[a] y", {"b": ints(1), "e": ints(3)}),
    Case(
        "y = Slice(x, b, e, a, s)",
        "StridedSliceV2",
        "float[4,N] x",
        MATRIX,
        {"b": ints(-9), "e": ints(-FAR), "a": ints(1), "s": ints(-1)},
    ),
    Case("y = Slice(x, i, i)", "StridedSlice", ROW, MATRIX, {"i": ints(2)}),
    # Pad
    Case(
        "y = Pad(x, p, v)",
        "PadV3",
        weights={"p": ints(0, 0, 1, 2, 0, 1, -3, 0), "v": np.array(1.5, np.float32)},
        attributes={"mode": "constant", "paddings_contiguous": False},
    ),
    Case("y = Pad<pads=[1,0,0,2], value=0.5>(x)", "PadV3", ROW, MATRIX, opset=8),
    Case('y = Pad<mode="reflect", pads=[1,0,0,2]>(x)', "PadV3", ROW, MATRIX, opset=10),
    Case('y = Pad<mode="edge">(x, p)', "PadV3", "float[4,6] x, int64[4] p", MATRIX, opset=13),
    Case(
        'y = Pad<mode="reflect">(x, p, v, a)',
        "PadV3",
        weights={"p": ints(1, 2, 3, 0), "v": np.zeros((), np.float32), "a": ints(-1, 2)},
        attributes={"mode": "reflect"},
    ),
    # Repeating and reshaping
    Case("y = Tile(x, r)", "Tile", ROW, MATRIX, {"r": ints(2, 3)}),
    Case("y = Tile(x, r)", "Tile", "int64[4,6] x, int64[2] r", "int64[a,b] y", opset=8),
    Case("y = Expand(x, s)", "BroadcastTo", "double[4,1] x", "double[a,b] y", {"s": ints(3, 1, 6)[1:]}),
    Case("y = Reshape<allowzero=1>(x, s)", "Reshape", "float[0,3] x", MATRIX, {"s": ints(3, 0)}),
    Case("y = Unsqueeze(x, a)", "UnsqueezeV3", "float[4,6] x, int64[1] a", "float[a,b,c] y"),
    Case("y = Squeeze(x, a)", "SqueezeV3", "float[1,4,1] x, int64[1] a", "float[b,c] y"),
    # Sizes
    Case("y = Shape<start=1>(x)", "Shape StridedSlice", "float[N,3,M] x", "int64[a] y"),
    Case("y = Shape<start=-2, end=-1>(x)", "Shape StridedSlice", "float[N,3,M] x", "int64[a] y"),
    Case("y = Size(x)", "Size", "float[N,3] x", "int64 y", attributes={"dtype": 9}),
    Case("s = Size(x) y = Identity(s)", "Identity", "float[2,3] x", "int64 y", opset=8),
    Case("y = Range(a, b, d)", "Range", "int64 a, int64 b", "int64[n] y", {"d": np.array(1, np.int64)}),
    Case(
        "y = Range(a, b, d)",
        "Range",
        "float b",
        "float[n] y",
        {"a": np.array(-2.5, np.float32), "d": np.array(0.3, np.float32)},
        attributes={"is_closed": False},
    ),
    # Indices
    Case(
        "y = GatherElements<axis=1>(x, i)",
        "GatherElements",
        ROW,
        MATRIX,
        {"i": np.array([[0, -1], [2, 5], [-6, 0]])},
        attributes={"dim": 1},
    ),
    Case(
        "y = GatherElements<axis=-1>(x, i)",
        "Less Add SelectV2 GatherElements",
        f"{ROW}, int32[4,2] i",
        MATRIX,
    ),
    Case(
        "y = GatherElements<axis=-1>(x, i)",
        "Shape GatherV2 Cast Less Add SelectV2 GatherElements",
        "float[4,N] x",
        MATRIX,
        {"i": np.array([[0, -1], [2, -3]], np.int32)},
    ),
    Case("y = GatherND(x, i)", "GatherNd", ROW, "float[a] y", {"i": np.array([[0, -1], [3, 5]])}, opset=11),
    Case(
        "y = GatherND(x, i)",
        "GatherNd",
        outputs="float[a,b,c] y",
        weights={"i": ints(1, -1).reshape(1, 2)},
        attributes={"negative_index_support": True},
    ),
    Case(
        "y = ScatterElements<axis=1>(x, i, u)",
        "ScatterElements",
        ROW,
        MATRIX,
        {"i": np.array([[1, -2]]), "u": floats(1, 2)},
        opset=11,
        attributes={"axis": 1, "reduction": "none"},
    ),
    *(
        Case(
            f'y = ScatterElements<axis=1, reduction="{reduction}">(x, i, u)',
            "ScatterElements",
            ROW,
            MATRIX,
            {"i": np.array([[1, 1, 4]]), "u": floats(1, 3)},
            attributes={"axis": 1, "reduction": reduction},
        )
        for reduction in ("add", "mul")
    ),
    # Dropout
    Case("y = Dropout(x)", "Identity"),
    Case("y = Dropout<ratio=0.3>(x)", "Identity", opset=8),
    Case("y, unread = Dropout<ratio=0.3>(x)", "Identity", opset=8),
    Case(
        "y, m = Dropout(x, r, t)",
        "Identity Fill",
        outputs="float[a,b,c,d] y, bool[e,f,g,h] m",
        weights={"r": np.array(0.3, np.float32), "t": np.array(False)},
    ),
    Case("y, m = Dropout(x)", "Identity Shape Fill", "float[N,3] x", "float[a,b] y, bool[c,d] m", opset=12),
]
