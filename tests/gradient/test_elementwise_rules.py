"""Gradients of arithmetic and activations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from maxpoolgrad_onnx.arrays import Array
from support_gradient_rules import RuleCase, check

X = (2, 3, 4, 5)


def positive(*shape: int) -> Array:
    return np.random.default_rng(7).uniform(0.5, 2.0, shape)


def spread(*shape: int) -> Array:
    """From -6 to 6: both sides of every bend of the activations."""
    return np.random.default_rng(8).uniform(-6, 6, shape)


EXPONENTS = np.array([[2.0, 0.0, -1.0, 1.0, 3.0]])

CASES = {
    "Abs": RuleCase("y = Abs (a)", {"a": X}),
    "Neg": RuleCase("y = Neg (a)", {"a": X}),
    "Sqrt": RuleCase("y = Sqrt (a)", {"a": positive(*X)}),
    "Reciprocal": RuleCase("y = Reciprocal (a)", {"a": positive(*X)}),
    "Exp": RuleCase("y = Exp (a)", {"a": X}),
    "Log": RuleCase("y = Log (a)", {"a": positive(*X)}),
    "Erf": RuleCase("y = Erf (a)", {"a": X}),
    "Cast": RuleCase("y = Cast <to = 1> (a)", {"a": X}, in_double=False),
    "Identity": RuleCase("b = Relu (a) y = Identity (b)", {"a": X}),
    "Relu": RuleCase("y = Relu (a)", {"a": X}),
    "LeakyRelu": RuleCase("y = LeakyRelu <alpha = 0.3> (a)", {"a": X}),
    "LeakyRelu, alpha left out": RuleCase("y = LeakyRelu (a)", {"a": X}, in_double=False),
    "Sigmoid": RuleCase("y = Sigmoid (a)", {"a": spread(*X)}),
    "Tanh": RuleCase("y = Tanh (a)", {"a": X}),
    "HardSigmoid": RuleCase("y = HardSigmoid <alpha = 0.3, beta = 0.4> (a)", {"a": spread(*X)}),
    "HardSigmoid, attributes left out": RuleCase("y = HardSigmoid (a)", {"a": spread(*X)}, in_double=False),
    "HardSwish": RuleCase("y = HardSwish (a)", {"a": spread(*X)}),
    "Clip": RuleCase("y = Clip (a, l, h)", {"a": X}, {"l": np.array(-0.5), "h": np.array(0.75)}),
    "Clip below": RuleCase("y = Clip (a, l)", {"a": X}, {"l": np.array(0.0)}),
    "Clip above": RuleCase("y = Clip (a, , h)", {"a": X}, {"h": np.array(0.25)}),
    "Clip by parameters": RuleCase(
        "l = Squeeze (b) h = Squeeze (c) y = Clip (a, l, h)",
        {"a": X, "b": np.array([-0.5]), "c": np.array([0.5])},
    ),
    "Softmax": RuleCase("y = Softmax (a)", {"a": X}),
    "Softmax of channels": RuleCase("y = Softmax <axis = 1> (a)", {"a": X}),
    "LogSoftmax": RuleCase("y = LogSoftmax (a)", {"a": X}),
    "LogSoftmax of channels": RuleCase("y = LogSoftmax <axis = -3> (a)", {"a": X}),
    "Pow 2": RuleCase("y = Pow (a, e)", {"a": X}, {"e": np.array(2.0)}),
    "Pow 1": RuleCase("y = Pow (a, e)", {"a": X}, {"e": np.array(1.0)}),
    "Pow 0.5": RuleCase("y = Pow (a, e)", {"a": positive(*X)}, {"e": np.array(0.5)}),
    "Pow 3, an integer": RuleCase("y = Pow (a, e)", {"a": X}, {"e": np.array(3)}),
    "Pow -1.5": RuleCase("y = Pow (a, e)", {"a": positive(*X)}, {"e": np.array([-1.5])}),
    "Pow of constants": RuleCase("y = Pow (a, e)", {"a": positive(*X)}, {"e": EXPONENTS}),
    "Pow of parameters": RuleCase("y = Pow (a, b)", {"a": positive(*X), "b": EXPONENTS}),
    "Sum": RuleCase("y = Sum (a, b, a, c)", {"a": X, "b": (1, 3, 1, 1), "c": (5,)}, in_ge=False),
    "Where": RuleCase(
        "y = Where (c, a, b)",
        {"a": (2, 1, 4, 5), "b": (3, 1, 5)},
        {"c": np.random.default_rng(0).random((3, 4, 1)) < 0.5},
    ),
    "Max": RuleCase("y = Max (a, b)", {"a": X, "b": (3, 1, 5)}),
    "Min": RuleCase("y = Min (a, b)", {"a": X, "b": X}),
    "Max and Min of ties": RuleCase(
        "m = Max (a, b) y = Min (m, a)", {"a": np.array([[1.0, 2.0]]), "b": np.array([[1.0, -2.0]])}
    ),
    "Max of one": RuleCase("y = Max (a)", {"a": X}),
    "a value used four times": RuleCase(
        "b = Exp (a) c = Relu (b) d = Mul (b, c) e = Sub (d, b) y = Div (e, b)", {"a": X}
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_rule(case: RuleCase) -> None:
    check(case)


@pytest.mark.parametrize("op_type", ["Add", "Sub", "Mul", "Div"])
def test_broadcasting(op_type: str, scale: Callable[[int, int], int]) -> None:
    rng = np.random.default_rng(len(op_type) + ord(op_type[0]))
    for number in range(scale(8, 200)):
        shapes = [_narrowed(rng, (2, 3, 4, 2)) for _ in range(2)]
        arrays = [rng.uniform(0.5, 2, shape) for shape in shapes]
        check(RuleCase(f"y = {op_type} (a, b)", dict(zip("ab", arrays, strict=True)), in_ge=number < 3))


@pytest.mark.parametrize("op_type", ["Mul", "Sub", "Div"])
def test_one_operand_constant(op_type: str) -> None:
    constant = {"c": positive(3, 1, 1)}
    check(RuleCase(f"y = {op_type} (a, c)", {"a": X}, constant))
    check(RuleCase(f"y = {op_type} (c, a)", {"a": positive(*X)}, constant))


def test_operand_used_twice() -> None:
    check(RuleCase("b = Mul (a, a) y = Add (b, a)", {"a": X}))


def _narrowed(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Leading axes dropped, and some of size 1."""
    kept = shape[int(rng.integers(0, len(shape))) :]
    return tuple(1 if rng.random() < 0.3 else size for size in kept)
