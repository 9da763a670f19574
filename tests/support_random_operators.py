"""Models of one operator with random attributes, shapes, types and opsets, by family."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx

from maxpoolgrad_onnx.arrays import Array
from support_convert import onnx_model

Rng = np.random.Generator


@dataclass(frozen=True)
class Drawn:
    """A model of one operator: its text, its ends without their types, its weights, its opset."""

    nodes: str
    inputs: dict[str, list[int]]
    rank: int
    weights: dict[str, Array] = field(default_factory=dict)
    opset: int = 18
    type: str = "float"
    batch: bool = False  # the first size of x may be left open


def attributes(**values: Any) -> str:
    shown = {name: f'"{value}"' if isinstance(value, str) else value for name, value in values.items()}
    text = ", ".join(f"{name}={value}" for name, value in shown.items() if value is not None)
    return f"<{text}>" if text else ""


def ints(rng: Rng, low: int, high: int, count: int) -> list[int]:
    return [int(value) for value in rng.integers(low, high + 1, count)]


def maybe(rng: Rng, value: Any) -> Any:
    """The value, or None, which leaves an attribute out."""
    return value if rng.random() < 0.7 else None


def floats(rng: Rng, *shape: int) -> Array:
    array: Array = rng.standard_normal(shape).astype(np.float32)
    return array


def some_as_inputs(rng: Rng, inputs: dict[str, list[int]], weights: dict[str, Array]) -> dict[str, Array]:
    """Make a random part of the weights inputs of the model; give the others."""
    kept = {name: array for name, array in weights.items() if rng.random() < 0.7}
    inputs |= {name: list(array.shape) for name, array in weights.items() if name not in kept}
    return kept


def padding(rng: Rng, axes: int, kernel: list[int]) -> dict[str, Any]:
    kind = rng.choice(["NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"], p=[0.55, 0.15, 0.15, 0.15])
    pads = [int(rng.integers(0, size)) for size in kernel * 2]
    return {"pads": maybe(rng, pads)} if kind == "NOTSET" else {"auto_pad": str(kind)}


def opset_and_type(rng: Rng) -> tuple[int, str]:
    return int(rng.integers(8, 19)), str(rng.choice(["float", "float", "float16"]))


def convolution(rng: Rng) -> Drawn:
    axes, group = int(rng.integers(1, 3)), int(rng.choice([1, 1, 2, 4]))
    channels, features = group * int(rng.integers(1, 5)), group * int(rng.integers(1, 5))
    kernel = ints(rng, 1, 4, axes)
    padded = padding(rng, axes, kernel)
    dilations = ints(rng, 1, 2, axes) if "auto_pad" not in padded else [1] * axes
    sizes = [
        (size - 1) * dilation + 1 + int(rng.integers(0, 9))
        for size, dilation in zip(kernel, dilations, strict=True)
    ]
    inputs = {"x": [int(rng.integers(1, 3)), channels, *sizes]}
    weights = {"w": floats(rng, features, channels // group, *kernel), "b": floats(rng, features)}
    names = "x, w, b" if rng.random() < 0.6 else "x, w"
    text = attributes(
        **padded,
        strides=maybe(rng, ints(rng, 1, 3, axes)),
        dilations=maybe(rng, dilations) if dilations == [1] * axes else dilations,
        group=group,
        kernel_shape=maybe(rng, kernel),
    )
    used = {name: array for name, array in weights.items() if name in names}
    return Drawn(
        f"y = Conv{text}({names})",
        inputs,
        axes + 2,
        some_as_inputs(rng, inputs, used),
        *opset_and_type(rng),
        True,
    )


def transposed(rng: Rng) -> Drawn:
    axes, group = int(rng.integers(1, 3)), int(rng.choice([1, 1, 2]))
    channels, features = group * int(rng.integers(1, 4)), int(rng.integers(1, 4))
    kernel, strides, dilations = ints(rng, 1, 4, axes), ints(rng, 1, 3, axes), ints(rng, 1, 2, axes)
    sizes = ints(rng, 3, 7, axes)
    inputs = {"x": [int(rng.integers(1, 3)), channels, *sizes]}
    weights = {"w": floats(rng, channels, features, *kernel), "b": floats(rng, features * group)}
    reach = [
        (n - 1) * s + (k - 1) * d + 1 for n, s, k, d in zip(sizes, strides, kernel, dilations, strict=True)
    ]
    extra = [int(rng.integers(0, max(s, d))) for s, d in zip(strides, dilations, strict=True)]
    kind = rng.integers(3)
    if kind == 0:
        padded: dict[str, Any] = padding(rng, axes, [1] * axes if 1 in kernel else [2] * axes)
    elif kind == 1:
        padded = {"output_shape": [max(1, size - int(rng.integers(0, 3))) for size in reach]}
    else:
        padded = {"pads": [int(rng.integers(0, 2)) for _ in range(2 * axes)], "output_padding": extra}
    text = attributes(**padded, strides=strides, dilations=dilations, group=group, kernel_shape=kernel)
    names = "x, w, b" if rng.random() < 0.6 else "x, w"
    used = {name: array for name, array in weights.items() if name in names}
    return Drawn(
        f"y = ConvTranspose{text}({names})",
        inputs,
        axes + 2,
        some_as_inputs(rng, inputs, used),
        *opset_and_type(rng),
        True,
    )


def pool(rng: Rng) -> Drawn:
    axes, op = int(rng.integers(1, 3)), str(rng.choice(["MaxPool", "AveragePool"]))
    kernel = ints(rng, 1, 4, axes)
    opset, type_ = opset_and_type(rng)
    more: dict[str, Any] = {"ceil_mode": maybe(rng, int(rng.integers(2)))} if opset >= 10 else {}
    if op == "AveragePool":
        more["count_include_pad"] = maybe(rng, int(rng.integers(2)))
    strides = maybe(rng, ints(rng, 1, 3, axes))
    text = attributes(kernel_shape=kernel, strides=strides, **padding(rng, axes, kernel), **more)
    sizes = [size + int(rng.integers(0, 9)) for size in kernel]
    return Drawn(
        f"y = {op}{text}(x)", {"x": [2, int(rng.integers(1, 10)), *sizes]}, axes + 2, {}, opset, type_, True
    )


def global_pool(rng: Rng) -> Drawn:
    rank = int(rng.integers(3, 6))
    op = rng.choice(["GlobalMaxPool", "GlobalAveragePool"])
    return Drawn(f"y = {op}(x)", {"x": ints(rng, 1, 5, rank)}, rank, {}, *opset_and_type(rng), True)


def normalisation(rng: Rng) -> Drawn:
    rank = int(rng.integers(2, 6))
    shape = ints(rng, 2, 5, rank)
    weights = {name: floats(rng, shape[1]) for name in "som"} | {
        "v": np.abs(floats(rng, shape[1])) + np.float32(0.5)
    }
    inputs = {"x": shape}
    opset, type_ = opset_and_type(rng)
    names, more = "y", {}
    if opset >= 14 and rng.random() < 0.5:
        names, more, type_ = "y, p, q", {"training_mode": 1}, "float"
    text = attributes(epsilon=maybe(rng, 0.001), momentum=maybe(rng, 0.6), **more)
    nodes = f"{names} = BatchNormalization{text}(x, s, o, m, v)"
    return Drawn(nodes, inputs, rank, some_as_inputs(rng, inputs, weights), opset, type_, names == "y")


def product(rng: Rng) -> Drawn:
    depth = int(rng.choice([1, 5, 40, 300]))
    batch = ints(rng, 1, 3, int(rng.integers(0, 3)))
    a = [depth] if rng.random() < 0.25 else [*batch, int(rng.integers(1, 7)), depth]
    spread = [size if rng.random() < 0.5 else 1 for size in batch][int(rng.integers(0, 2)) :]
    b = [depth] if rng.random() < 0.25 else [*spread, depth, int(rng.integers(1, 7))]
    inputs = {"x": a}
    weights = some_as_inputs(rng, inputs, {"w": floats(rng, *b)})
    rank = len(np.matmul(np.ones(a), np.ones(b)).shape)
    return Drawn("y = MatMul(x, w)", inputs, rank, weights, *opset_and_type(rng))


def gemm(rng: Rng) -> Drawn:
    rows, columns, depth = (int(rng.choice([1, 3, 8, 90])) for _ in range(3))
    trans_a, trans_b = ints(rng, 0, 1, 2)
    inputs = {"x": [depth, rows] if trans_a else [rows, depth]}
    weights = {"w": floats(rng, *([columns, depth] if trans_b else [depth, columns]))}
    shapes = [(), (1,), (columns,), (1, columns), (rows, 1), (rows, columns), (1, 1)]
    weights["c"] = floats(rng, *shapes[rng.integers(len(shapes))])
    opset, type_ = opset_and_type(rng)
    names = "x, w" if opset >= 11 and rng.random() < 0.3 else "x, w, c"
    factors = (0.3, 0.7) if type_ == "float" or "c" not in names else (0.75, 2.5)
    text = attributes(
        transA=trans_a,
        transB=trans_b,
        alpha=maybe(rng, factors[0]),
        beta=maybe(rng, factors[1]) if "c" in names else None,
    )
    used = {name: array for name, array in weights.items() if name in names}
    return Drawn(f"y = Gemm{text}({names})", inputs, 2, some_as_inputs(rng, inputs, used), opset, type_)


def softmax(rng: Rng) -> Drawn:
    rank, op = int(rng.integers(1, 5)), rng.choice(["Softmax", "LogSoftmax"])
    opset, type_ = opset_and_type(rng)
    axis = int(rng.integers(-rank if opset >= 11 else 0, rank))
    text = attributes(axis=axis)
    return Drawn(f"y = {op}{text}(x)", {"x": ints(rng, 1, 6, rank)}, rank, {}, opset, type_, True)


def reduction(rng: Rng) -> Drawn:
    rank, op = int(rng.integers(1, 5)), str(rng.choice(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin"]))
    opset = int(rng.integers(8, 19))
    axes = sorted(int(axis) for axis in rng.permutation(rank)[: rng.integers(1, rank + 1)])
    if opset >= 11:
        axes = [axis - rank if rng.random() < 0.3 else axis for axis in axes]
    keep = maybe(rng, int(rng.integers(2)))
    result = rank if keep != 0 else rank - len(axes)
    shape = {"x": ints(rng, 1, 9, rank)}
    type_ = str(rng.choice(["float", "float16", "int32"] if opset >= 12 else ["float"]))
    if opset >= (13 if op == "ReduceSum" else 18):
        return Drawn(
            f"y = {op}{attributes(keepdims=keep)}(x, a)", shape, result, {"a": np.array(axes)}, opset, type_
        )
    return Drawn(f"y = {op}{attributes(keepdims=keep, axes=axes)}(x)", shape, result, {}, opset, type_)


def elementwise(rng: Rng) -> Drawn:
    rank = int(rng.integers(1, 5))
    shape = ints(rng, 1, 5, rank)
    opset, type_ = opset_and_type(rng)
    one = ["Abs", "Neg", "Exp", "Relu", "Sigmoid", "Tanh", "Sqrt", "Log"]
    if opset >= (14 if type_ == "float" else 18):  # float16: see the way back of HardSigmoid
        one.append("HardSwish")
    one += [f"LeakyRelu{attributes(alpha=maybe(rng, 0.3))}"]
    one += [f"HardSigmoid{attributes(alpha=maybe(rng, 0.3), beta=maybe(rng, 0.4))}"]
    if opset < 11:
        type_ = "float"
        one += [f"Clip{attributes(min=maybe(rng, -0.5), max=maybe(rng, 0.5))}"]
    two = ["Add", "Sub", "Mul", "Div", "Pow"]
    op = str(rng.choice(one + two))
    if op not in two:
        return Drawn(f"y = {op}(x)", {"x": shape}, rank, {}, opset, type_)
    inputs = {"x": shape}
    other = floats(rng, *[size if rng.random() < 0.7 else 1 for size in shape][int(rng.integers(0, rank)) :])
    return Drawn(f"y = {op}(x, w)", inputs, rank, some_as_inputs(rng, inputs, {"w": other}), opset, type_)


FAMILIES = [
    convolution,
    transposed,
    pool,
    global_pool,
    normalisation,
    product,
    gemm,
    softmax,
    reduction,
    elementwise,
]


def model_of(drawn: Drawn, rng: Rng) -> onnx.ModelProto:
    dtype = {"float": np.float32, "float16": np.float16, "int32": np.int32}[drawn.type]
    open_first = drawn.batch and rng.random() < 0.3
    inputs = []
    for name, shape in drawn.inputs.items():
        sizes = ["N", *map(str, shape[1:])] if open_first and name == "x" else map(str, shape)
        inputs.append(f"{drawn.type}[{','.join(sizes)}] {name}" if shape else f"{drawn.type} {name}")
    axes = f"[{','.join(f'd{i}' for i in range(drawn.rank))}]" if drawn.rank else ""
    outputs = [f"{drawn.type}{axes} y"]
    outputs += [f"{drawn.type}[e] {name}" for name in "pq" if f", {name}" in drawn.nodes.split("=")[0]]
    weights = {
        name: array if array.dtype.kind == "i" else array.astype(dtype)
        for name, array in drawn.weights.items()
    }
    return onnx_model(drawn.nodes, ", ".join(inputs), ", ".join(outputs), weights, drawn.opset)
