"""Rules write what the step's opset has, from 13 to 18."""

from __future__ import annotations

import numpy as np
import pytest

from maxpoolgrad_onnx import MaxPoolGradError
from support_gradient_rules import RuleCase, check

X = (2, 4, 6, 6)
CASES = {
    "pools": "c = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (a) y = GlobalAveragePool (c)",
    "global maximum": "c = Relu (a) y = GlobalMaxPool (c)",
    "means": "c = ReduceMean <axes = [1], keepdims = 0> (a) y = ReduceMean <axes = [0]> (c)",
    "maxima": "c = ReduceMax <axes = [2, 3]> (a) y = ReduceMin <axes = [1]> (c)",
    "sums": "c = ReduceSum <keepdims = 0> (a, one) y = Exp (c)",
    "softmax": "c = Softmax <axis = 1> (a) y = LogSoftmax <axis = 2> (c)",
    "parts": "c, d = Split <axis = 1> (a, halves) e = ReduceSum (d, one) y = Concat <axis = 2> (e, c)",
    "slices": "c = Slice (a, one, three, two) y = Pad (c, pads)",
    "indices": "y = Gather <axis = 1> (a, shuffle)",
    "shapes": "c = Unsqueeze (a, one) d = Squeeze (c, one) y = Transpose <perm = [0, 2, 3, 1]> (d)",
    "arithmetic": "c = Mul (a, a) d = Sub (c, a) e = Abs (d) f = Sqrt (e) y = Div (a, f)",
    "activations": "c = Clip (a, low, high) d = Sigmoid (c) e = HardSigmoid (d) y = LeakyRelu (e)",
    "given statistics": "y = BatchNormalization (a, s, s, s, s)",
}
CONSTANTS = {
    "one": np.array([1]),
    "two": np.array([2]),
    "three": np.array([3]),
    "halves": np.array([1, 3]),
    "pads": np.array([0, 0, 1, 0, 0, 0, 0, 2]),
    "shuffle": np.array([2, 0, 3, 1]),
    "low": np.array(-1.0),
    "high": np.array(0.5),
    "s": np.array([0.5, 1.0, 1.5, 2.0]),
}


@pytest.mark.parametrize("opset", [13, 16, 17, 18])
@pytest.mark.parametrize("nodes", CASES.values(), ids=CASES.keys())
def test_rule(nodes: str, opset: int) -> None:
    if opset == 18:
        nodes = nodes.replace("<axes = [1], keepdims = 0> (a)", "<keepdims = 0> (a, one)")
        nodes = nodes.replace("<axes = [0]> (c)", "(c, one)").replace("<axes = [1]> (c)", "(c, one)")
        nodes = nodes.replace("<axes = [2, 3]> (a)", "(a, two)")
    words = nodes.replace(",", " ").replace("(", " ").replace(")", " ").split()
    constants = {name: array for name, array in CONSTANTS.items() if name in words}
    check(RuleCase(nodes, {"a": X}, constants, opset=opset, in_double=False, in_ge=opset == 13))


def test_a_sum_over_indices_needs_opset_16() -> None:
    case = RuleCase("y = Gather <axis = 1> (a, i)", {"a": X}, {"i": np.array([0, 0, 2])}, opset=15)
    with pytest.raises(
        MaxPoolGradError, match=r"Gather node .*: its gradient is a sum over indices.*opset 15"
    ):
        check(case)
    check(RuleCase(case.nodes, case.parameters, case.constants, opset=16))
