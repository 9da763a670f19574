"""Gradients of operators that move, repeat and reduce elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.arrays import Array
from support_gradient_rules import RuleCase, check, model_of
from support_step import op_types

X = (2, 3, 4, 5)


def ints(*values: int) -> Array:
    return np.array(values, np.int64)


def places(low: int, high: int, *shape: int) -> Array:
    return np.random.default_rng(3).integers(low, high, shape)


CASES = {
    # Shapes
    "Reshape": RuleCase("y = Reshape (a, s)", {"a": X}, {"s": ints(0, -1, 10)}),
    "Flatten": RuleCase("y = Flatten <axis = 2> (a)", {"a": X}),
    "Squeeze": RuleCase("y = Squeeze (a, x)", {"a": (2, 1, 3, 1)}, {"x": ints(1, -1)}),
    "Squeeze of all": RuleCase("y = Squeeze (a)", {"a": (2, 1, 3, 1)}),
    "Unsqueeze": RuleCase("y = Unsqueeze (a, x)", {"a": (2, 3)}, {"x": ints(0, -2)}),
    "Transpose": RuleCase("y = Transpose <perm = [2, 0, 3, 1]> (a)", {"a": X}),
    "Transpose, perm left out": RuleCase("y = Transpose (a)", {"a": X}),
    "Expand": RuleCase("y = Expand (a, s)", {"a": (3, 1, 5)}, {"s": ints(2, 1, 4, 1)}),
    "Tile": RuleCase("y = Tile (a, r)", {"a": (2, 3, 2)}, {"r": ints(3, 1, 2)}),
    "Tile once": RuleCase("y = Tile (a, r)", {"a": (2, 3)}, {"r": ints(1, 1)}),
    # Reductions
    "ReduceSum": RuleCase("y = ReduceSum (a, x)", {"a": X}, {"x": ints(1, -1)}),
    "ReduceSum, flat": RuleCase("y = ReduceSum <keepdims = 0> (a, x)", {"a": X}, {"x": ints(2, 0)}),
    "ReduceSum of all": RuleCase("y = ReduceSum (a)", {"a": X}),
    "ReduceSum of none": RuleCase("y = ReduceSum <noop_with_empty_axes = 1> (a)", {"a": X}),
    "ReduceMean": RuleCase("y = ReduceMean (a, x)", {"a": X}, {"x": ints(2, 3)}),
    "ReduceMean, flat": RuleCase("y = ReduceMean <keepdims = 0> (a, x)", {"a": X}, {"x": ints(-1)}),
    "ReduceMean below opset 18": RuleCase(
        "y = ReduceMean <axes = [1, -1], keepdims = 0> (a)", {"a": X}, opset=13
    ),
    "ReduceMax": RuleCase("y = ReduceMax (a, x)", {"a": X}, {"x": ints(2, 3)}),
    "ReduceMax of ties": RuleCase(
        "b = Relu (a) y = ReduceMax <keepdims = 0> (b, x)", {"a": (2, 8, 2)}, {"x": ints(0)}
    ),
    "ReduceMax below opset 18": RuleCase("y = ReduceMax <axes = [-2]> (a)", {"a": X}, opset=15),
    "ReduceMin": RuleCase("y = ReduceMin <keepdims = 0> (a, x)", {"a": X}, {"x": ints(1)}),
    # Parts
    "Concat": RuleCase("y = Concat <axis = -2> (a, b, c)", {"a": (2, 3, 2), "b": (2, 1, 2), "c": (2, 4, 2)}),
    "Concat of one": RuleCase("y = Concat <axis = 0> (a)", {"a": X}),
    "Concat with a constant": RuleCase("y = Concat <axis = 1> (c, a)", {"a": (2, 3)}, {"c": np.ones((2, 2))}),
    "Concat of a value with itself": RuleCase("y = Concat <axis = 1> (a, b, a)", {"a": (2, 3), "b": (2, 1)}),
    "Split": RuleCase(
        "b, c, d = Split <axis = 1> (a, s) e = Mul (c, d) y = Concat <axis = 1> (e, b)",
        {"a": (2, 7)},
        {"s": ints(3, 2, 2)},
    ),
    "Split into parts alike": RuleCase(
        "b, c = Split <axis = -1, num_outputs = 2> (a) y = Mul (c, b)", {"a": (2, 3, 4)}
    ),
    "Split, one part used": RuleCase(
        "b, y, d = Split <axis = 1> (a, s)", {"a": (2, 7)}, {"s": ints(3, 2, 2)}
    ),
    "Split, two of three parts used": RuleCase(
        "b, c, d = Split (a, s) y = Mul (b, d)", {"a": (7, 2)}, {"s": ints(2, 3, 2)}
    ),
    # Slices and pads
    "Slice": RuleCase(
        "y = Slice (a, b, e, x)", {"a": X}, {"b": ints(1, -3), "e": ints(9, -1), "x": ints(2, -1)}
    ),
    "Slice of all axes": RuleCase(
        "y = Slice (a, b, e)", {"a": X}, {"b": ints(0, 1, 1, 0), "e": ints(2, 2, 4, 4)}
    ),
    "Slice by steps": RuleCase(
        "y = Slice (a, b, e, x, s)",
        {"a": (2, 7, 8)},
        {"b": ints(1, 0), "e": ints(7, 8), "x": ints(1, 2), "s": ints(3, 2)},
    ),
    "Slice by steps to the end": RuleCase(
        "y = Slice (a, b, e, x, s)",
        {"a": (2, 7, 8)},
        {"b": ints(0, 1), "e": ints(7, 2**31 - 1), "x": ints(1, 2), "s": ints(3, 2)},
    ),
    "Slice backwards": RuleCase(
        "y = Slice (a, b, e, x, s)",
        {"a": (7, 8)},
        {"b": ints(-1, 6), "e": ints(-100, 0), "x": ints(0, 1), "s": ints(-1, -3)},
    ),
    "Pad": RuleCase("y = Pad (a, p)", {"a": X}, {"p": ints(0, 0, 1, 2, 1, 0, 0, 3)}),
    "Pad with a value and axes": RuleCase(
        "y = Pad (a, p, v, x)", {"a": X}, {"p": ints(1, 2), "v": np.array(5.0), "x": ints(-1)}
    ),
    "Pad that cuts": RuleCase(
        "y = Pad (a, p)", {"a": (5, 6, 7)}, {"p": ints(-1, 0, 2, 0, -2, -3)}, in_double=False
    ),
    "Pad by nothing": RuleCase("y = Pad (a, p)", {"a": (2, 3)}, {"p": ints(0, 0, 0, 0)}),
    "Pad reflect": RuleCase(
        'y = Pad <mode = "reflect"> (a, p)', {"a": X}, {"p": ints(0, 0, 3, 1, 0, 0, 2, 4)}
    ),
    "Pad edge": RuleCase('y = Pad <mode = "edge"> (a, p)', {"a": (2, 3, 4)}, {"p": ints(0, 0, 2, 0, 0, 6)}),
    # Indices
    "Gather of a permutation": RuleCase("y = Gather <axis = 1> (a, i)", {"a": X}, {"i": ints(2, 0, -2)}),
    "Gather of a run": RuleCase("y = Gather <axis = 2> (a, i)", {"a": X}, {"i": ints(1, 2)}),
    "Gather of one": RuleCase("y = Gather <axis = -1> (a, i)", {"a": X}, {"i": np.array(-2)}),
    "Gather of repeated positions": RuleCase(
        "y = Gather <axis = 1> (a, i)", {"a": X}, {"i": places(-3, 3, 2, 4)}
    ),
    "Gather of some": RuleCase("y = Gather (a, i)", {"a": (6, 2)}, {"i": ints(4, 1)}),
    "GatherElements": RuleCase(
        "y = GatherElements <axis = 1> (a, i)", {"a": (2, 4, 3)}, {"i": places(0, 4, 2, 5, 3)}
    ),
    "ScatterElements": RuleCase(
        "y = ScatterElements <axis = 1> (a, i, b)",
        {"a": (2, 4), "b": (2, 2)},
        {"i": np.array([[3, 1], [-4, 2]])},
    ),
    "ScatterElements that adds": RuleCase(
        'y = ScatterElements <axis = 0, reduction = "add"> (a, i, b)',
        {"a": (4, 3), "b": (5, 3)},
        {"i": places(0, 4, 5, 3)},
    ),
    # Products
    "MatMul of two vectors": RuleCase("y = MatMul (a, b)", {"a": (4,), "b": (4,)}),
    "MatMul of a vector and a stack": RuleCase("y = MatMul (a, b)", {"a": (4,), "b": (2, 3, 4, 5)}),
    "MatMul of a stack and a vector": RuleCase("y = MatMul (a, b)", {"a": (2, 3, 4), "b": (4,)}),
    "MatMul of a matrix and a vector": RuleCase("y = MatMul (a, b)", {"a": (3, 4), "b": (4,)}),
    "MatMul of a stack and a matrix": RuleCase("y = MatMul (a, b)", {"a": (2, 3, 4, 5), "b": (5, 2)}),
    "MatMul of a matrix and a stack": RuleCase("y = MatMul (a, b)", {"a": (3, 5), "b": (2, 1, 5, 2)}),
    "MatMul of stacks": RuleCase("y = MatMul (a, b)", {"a": (2, 1, 3, 4), "b": (5, 4, 2)}),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_rule(case: RuleCase) -> None:
    check(case)


def test_random_slices(scale: Callable[[int, int], int]) -> None:
    rng = np.random.default_rng(5)
    for number in range(scale(15, 400)):
        sizes = [int(size) for size in rng.integers(1, 9, 3)]
        bounds = {"b": [], "e": [], "s": []}
        for size in sizes:
            step = int(rng.choice([1, 1, 2, 3, -1, -2]))
            first, last = sorted(int(v) for v in rng.integers(0, size, 2))
            start, end = (first, last + 1) if step > 0 else (last, first - 1 if first else -size - 1)
            for name, value in zip("bes", (start, end, step), strict=True):
                bounds[name].append(value)
        constants = {name: ints(*values) for name, values in bounds.items()} | {"x": ints(0, 1, 2)}
        check(RuleCase("y = Slice (a, b, e, x, s)", {"a": sizes}, constants, in_ge=number < 5))


def test_random_stacks_of_matrices(scale: Callable[[int, int], int]) -> None:
    rng = np.random.default_rng(6)
    for number in range(scale(10, 200)):
        k = int(rng.integers(1, 5))
        stack = [int(size) for size in rng.integers(1, 4, 2)]
        shapes = {}
        for name, matrix in (("a", [3, k]), ("b", [k, 2])):
            kept = [1 if rng.random() < 0.3 else size for size in stack[int(rng.integers(0, 3)) :]]
            shapes[name] = kept + matrix
        check(RuleCase("y = MatMul (a, b)", shapes, in_ge=number < 3))


NODES = {
    "Transpose": ("y = Transpose <perm = [1, 0]> (a)", {}, ["Transpose"]),
    "Concat": ("b = Exp (a) y = Concat <axis = 1> (a, b)", {}, ["Split", "Mul", "Add"]),
    "Slice": ("y = Slice (a, b, e)", {"b": ints(1), "e": ints(2)}, ["Pad"]),
    "Gather of a permutation": ("y = Gather (a, i)", {"i": ints(1, 2, 0)}, ["Gather"]),
    "ReduceMean": ("y = ReduceMean (a)", {}, ["Div", "Expand"]),
}


@pytest.mark.parametrize(("nodes", "constants", "wanted"), NODES.values(), ids=NODES.keys())
def test_as_few_nodes_as_it_takes(nodes: str, constants: dict[str, Array], wanted: list[str]) -> None:
    case = RuleCase(nodes, {"a": (3, 3)}, constants)
    check(case)
    step = add_training_step(model_of(case), outputs="grads", unfold=True)
    after_head = op_types(step)[len(op_types(step)) - len(wanted) :]
    assert after_head == wanted
