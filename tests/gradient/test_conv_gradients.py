"""The bodies of the Conv gradients, against sums written out in NumPy and finite differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from maxpoolgrad_onnx import MaxPoolGradError, add_training_step
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import DOMAIN, OPSET_VERSION
from maxpoolgrad_onnx.conv_gradients import (
    CONV_FILTER_GRAD,
    CONV_GRAD,
    CONV_GRAD_WITHOUT_BIAS,
    CONV_INPUT_GRAD,
)
from maxpoolgrad_onnx.gradient_functions import add_gradient_functions, gradient_functions
from support_gradient_rules import assert_nothing_is_dead
from support_step import forward_model, in_float64, op_types


@dataclass(frozen=True)
class ConvCase:
    """Shapes and attributes of a Conv; pads are [top, left, bottom, right]."""

    x: tuple[int, ...]
    w: tuple[int, ...]
    strides: tuple[int, int] = (1, 1)
    pads: tuple[int, int, int, int] = (0, 0, 0, 0)
    dilations: tuple[int, int] = (1, 1)
    group: int = 1

    @property
    def attributes(self) -> dict[str, Any]:
        return {
            "strides": self.strides,
            "pads": self.pads,
            "dilations": self.dilations,
            "group": self.group,
        }

    @property
    def y(self) -> tuple[int, ...]:
        size = [
            (self.x[2 + i] + self.pads[i] + self.pads[2 + i] - self.dilations[i] * (self.w[2 + i] - 1) - 1)
            // self.strides[i]
            + 1
            for i in (0, 1)
        ]
        return (self.x[0], self.w[0], *size)


NAMED = {
    "plain": ConvCase((2, 3, 5, 6), (4, 3, 3, 3)),
    "many channels": ConvCase((2, 17, 5, 6), (4, 17, 3, 3), pads=(1, 1, 1, 1)),
    "leftover rows": ConvCase((2, 3, 8, 9), (4, 3, 3, 3), strides=(3, 4)),
    "leftover rows, many channels": ConvCase((2, 12, 8, 9), (4, 12, 3, 3), strides=(3, 4)),
    "asymmetric pads": ConvCase((2, 3, 5, 6), (4, 3, 3, 4), (2, 1), (2, 0, 1, 3)),
    "dilated": ConvCase((1, 12, 9, 9), (2, 12, 3, 2), (1, 2), (1, 2, 0, 1), (2, 3)),
    "groups": ConvCase((2, 24, 6, 6), (4, 12, 3, 3), (2, 2), (1, 1, 1, 1), group=2),
    "depthwise": ConvCase((2, 6, 6, 6), (12, 1, 3, 3), (1, 1), (1, 1, 1, 1), group=6),
    "one by one": ConvCase((2, 5, 4, 4), (3, 5, 1, 1), (2, 2)),
    "window larger than the input": ConvCase((1, 2, 1, 2), (2, 2, 4, 3), pads=(2, 1, 1, 0)),
    "last row left over entirely": ConvCase((1, 2, 1, 1), (2, 2, 2, 2), (2, 2), (1, 1, 1, 1)),
    "first window in the padding": ConvCase((1, 2, 1, 3), (2, 2, 1, 1), (3, 3), (1, 1, 1, 1)),
}


def random_conv(rng: np.random.Generator) -> ConvCase:
    while True:
        group = int(rng.choice([1, 1, 2, 3]))
        n, channels, filters = (int(v) for v in rng.integers(1, (4, 13, 5)))
        kernel, strides, dilations = (rng.integers(1, (high, high)) for high in (5, 4, 3))
        pads = rng.integers(0, [*kernel, *kernel])
        h, w = (int(v) for v in rng.integers(1, 12, 2))
        case = ConvCase(
            (n, group * channels, h, w),
            (group * filters, channels, *(int(k) for k in kernel)),
            tuple(int(v) for v in strides),
            tuple(int(v) for v in pads),
            tuple(int(v) for v in dilations),
            group,
        )
        if min(case.y) > 0:
            return case


def windows(case: ConvCase, x_padded: Array, row: int, column: int) -> Array:
    """The view of the padded input that meets one tap of the filter."""
    taps = [
        (row, case.dilations[0], case.strides[0], case.y[2]),
        (column, case.dilations[1], case.strides[1], case.y[3]),
    ]
    return x_padded[:, :, *(slice(k * d, k * d + (o - 1) * s + 1, s) for k, d, s, o in taps)]


def expected(case: ConvCase, x: Array, w: Array, dy: Array) -> tuple[Array, Array]:
    """dX and dW, one tap and one group at a time."""
    top, left, bottom, right = case.pads
    x_padded = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)))
    dx_padded, dw = np.zeros_like(x_padded), np.zeros_like(w)
    for group in range(case.group):
        rows = slice(group * w.shape[0] // case.group, (group + 1) * w.shape[0] // case.group)
        channels = slice(group * w.shape[1], (group + 1) * w.shape[1])
        for a, b in np.ndindex(*w.shape[2:]):
            dw[rows, :, a, b] = np.einsum(
                "nchw,nmhw->mc", windows(case, x_padded[:, channels], a, b), dy[:, rows]
            )
            windows(case, dx_padded[:, channels], a, b)[...] += np.einsum(
                "nmhw,mc->nchw", dy[:, rows], w[rows, :, a, b]
            )
    return dx_padded[:, :, top : top + x.shape[2], left : left + x.shape[3]], dw


def both_gradients(case: ConvCase, dtype: int = TensorProto.FLOAT, opset: int = 18) -> onnx.ModelProto:
    """A model with one node of each kind: x, w, dy -> dx, dw."""
    nodes = [
        helper.make_node(CONV_INPUT_GRAD, ["x_size", "w", "dy"], ["dx"], domain=DOMAIN, **case.attributes),
        helper.make_node(CONV_FILTER_GRAD, ["x", "w_size", "dy"], ["dw"], domain=DOMAIN, **case.attributes),
    ]

    def value(name: str, shape: tuple[int, ...]) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, dtype, shape)

    sizes = [numpy_helper.from_array(np.array(s), n) for n, s in (("x_size", case.x), ("w_size", case.w))]
    inputs = [value("x", case.x), value("w", case.w), value("dy", case.y)]
    dw = helper.make_tensor_value_info("dw", TensorProto.FLOAT, case.w)  # whatever the inputs are
    graph = helper.make_graph(nodes, "g", inputs, [value("dx", case.x), dw], sizes)
    imports = [helper.make_opsetid("", opset), helper.make_opsetid(DOMAIN, OPSET_VERSION)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=9)
    add_gradient_functions(model)
    return model


def feeds(case: ConvCase, rng: np.random.Generator) -> dict[str, Array]:
    return {
        name: rng.standard_normal(shape) for name, shape in (("x", case.x), ("w", case.w), ("dy", case.y))
    }


def run_in_onnxruntime(model: onnx.ModelProto, inputs: dict[str, Array]) -> list[Array]:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    single = {name: array.astype(np.float32) for name, array in inputs.items()}
    first, second = session.run(None, single), session.run(None, single)
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)
    return first


def assert_right_in_onnxruntime(case: ConvCase, rng: np.random.Generator, opset: int = 18) -> None:
    inputs = feeds(case, rng)
    results = run_in_onnxruntime(both_gradients(case, opset=opset), inputs)
    for result, wanted in zip(results, expected(case, **inputs), strict=True):
        np.testing.assert_allclose(
            result, wanted, rtol=1e-4, atol=1e-4 * max(1.0, np.abs(wanted).max()), err_msg=str(case)
        )


@pytest.mark.parametrize("opset", [13, 18])
@pytest.mark.parametrize("case", NAMED.values(), ids=NAMED.keys())
def test_named_cases_in_onnxruntime(case: ConvCase, opset: int) -> None:
    assert_right_in_onnxruntime(case, np.random.default_rng(1), opset)


def test_random_cases_in_onnxruntime(scale: Callable[[int, int], int]) -> None:
    rng = np.random.default_rng(2)
    for _ in range(scale(60, 1000)):
        assert_right_in_onnxruntime(random_conv(rng), rng)


@pytest.mark.parametrize("name", ["plain", "many channels"])
def test_the_filter_gradient_of_float16_sums_in_float32(name: str) -> None:
    case = NAMED[name]
    half = {key: array.astype(np.float16) for key, array in feeds(case, np.random.default_rng(5)).items()}
    half["dy"] *= np.float16(300)  # sums are beyond float16
    model = both_gradients(case, TensorProto.FLOAT16)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    dx, dw = session.run(None, half)
    assert (dx.dtype, dw.dtype) == (np.float16, np.float32)
    wide = {key: array.astype(np.float64) for key, array in half.items()}
    np.testing.assert_allclose(dw, expected(case, **wide)[1], rtol=1e-4, atol=1e-2)
    assert np.isfinite(dw).all()


@pytest.mark.parametrize("opset", [13, 18])
@pytest.mark.parametrize("op_type", [CONV_GRAD, CONV_GRAD_WITHOUT_BIAS])
@pytest.mark.parametrize("case", NAMED.values(), ids=NAMED.keys())
def test_together_they_are_the_same_bits(case: ConvCase, op_type: str, opset: int) -> None:
    model = both_gradients(case, opset=opset)
    shapes = {"all_dx": case.x, "all_dw": case.w}
    if op_type == CONV_GRAD:
        shapes["all_db"] = case.w[:1]
    node = helper.make_node(op_type, ["dy", "x", "w"], list(shapes), domain=DOMAIN, **case.attributes)
    model.graph.node.append(node)
    for name, shape in shapes.items():
        model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    add_gradient_functions(model)
    onnx.checker.check_model(model, full_check=True)
    inputs = feeds(case, np.random.default_rng(6))
    dx, dw, all_dx, all_dw, *db = run_in_onnxruntime(model, inputs)
    np.testing.assert_array_equal(all_dx, dx)
    np.testing.assert_array_equal(all_dw, dw)
    for sums in db:
        np.testing.assert_allclose(sums, inputs["dy"].sum((0, 2, 3)), rtol=1e-5, atol=1e-4)


# onnx's reference evaluator computes ConvTranspose for one group only.
ONE_GROUP = {name: case for name, case in NAMED.items() if case.group == 1}


@pytest.mark.parametrize("case", ONE_GROUP.values(), ids=ONE_GROUP.keys())
def test_against_finite_differences_in_float64(case: ConvCase) -> None:
    inputs = feeds(case, np.random.default_rng(3))
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"], **case.attributes)],
        "g",
        [helper.make_tensor_value_info(n, TensorProto.DOUBLE, s) for n, s in (("x", case.x), ("w", case.w))],
        [helper.make_tensor_value_info("y", TensorProto.DOUBLE, case.y)],
    )
    forward = ReferenceEvaluator(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]))

    def dot(x: Array, w: Array) -> float:
        return float((forward.run(None, {"x": x, "w": w})[0] * inputs["dy"]).sum())

    dx, dw = ReferenceEvaluator(in_float64(both_gradients(case))).run(None, inputs)
    rng = np.random.default_rng(4)
    for gradient, step_x, step_w in ((dx, 1.0, 0.0), (dw, 0.0, 1.0)):
        for _ in range(3):
            direction = rng.standard_normal(gradient.shape)
            move_x = direction * step_x if step_x else 0.0
            move_w = direction * step_w if step_w else 0.0
            # The map is linear in each argument: a central difference is exact up to rounding.
            high = dot(inputs["x"] + move_x, inputs["w"] + move_w)
            low = dot(inputs["x"] - move_x, inputs["w"] - move_w)
            assert (gradient * direction).sum() == pytest.approx((high - low) / 2, rel=1e-10, abs=1e-10)


def test_the_bodies_that_a_body_calls_come_along_and_stand_before_it() -> None:
    names = ["x", "dx", "dw"]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names]
    node = helper.make_node(CONV_GRAD_WITHOUT_BIAS, ["x", "x", "x"], names[1:], domain=DOMAIN)
    imports = [helper.make_opsetid("", 15), helper.make_opsetid(DOMAIN, OPSET_VERSION)]
    graph = helper.make_graph([node], "g", values[:1], values[1:])
    model = helper.make_model(graph, opset_imports=imports, ir_version=9)
    add_gradient_functions(model)
    assert [f.name for f in model.functions] == [CONV_INPUT_GRAD, CONV_FILTER_GRAD, CONV_GRAD_WITHOUT_BIAS]
    versions = {(entry.domain, entry.version) for f in model.functions for entry in f.opset_import}
    assert versions == {("", 15), (DOMAIN, OPSET_VERSION)}


BIAS = {"needs all": ([], "ConvGrad"), "bias frozen": (["b"], "ConvGradWithoutBias")}


@pytest.mark.parametrize(("frozen", "op_type"), BIAS.values(), ids=BIAS.keys())
def test_the_step_has_one_node_for_all_that_is_needed(frozen: list[str], op_type: str) -> None:
    rng = np.random.default_rng(7)
    shapes = {"a": (3, 1, 1), "k": (2, 3, 3, 3), "b": (2,), "head": (2, 4)}
    weights = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    nodes = "s = Mul (x, a) c = Conv (s, k, b) p = GlobalAveragePool (c) f = Flatten (p)"
    model = forward_model(f"{nodes} logits = MatMul (f, head)", weights)
    step = add_training_step(model, outputs="grads", frozen=frozen, unfold=True)
    types = op_types(step)
    assert [t for t in types if t.startswith("Conv") and t != "Conv"] == [op_type]
    assert_nothing_is_dead(step)


def test_a_model_gets_only_the_bodies_it_uses_and_lacks() -> None:
    model = both_gradients(NAMED["plain"])
    assert [f.name for f in model.functions] == [CONV_INPUT_GRAD, CONV_FILTER_GRAD]
    onnx.checker.check_model(model)
    add_gradient_functions(model)
    assert len(model.functions) == 2
    del model.functions[:]
    del model.graph.node[0]
    add_gradient_functions(model)
    assert [f.name for f in model.functions] == [CONV_FILTER_GRAD]


@pytest.mark.parametrize("opset", [12, 19])
def test_an_opset_that_the_bodies_do_not_mean_the_same_in_is_refused(opset: int) -> None:
    with pytest.raises(MaxPoolGradError, match=f"imports opset {opset}.*need 13 to 18"):
        gradient_functions(opset=opset)
