"""Lowering to float16: where Casts stand, that models still run, and that no gradient is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import OP_TYPE, PoolAttributes, is_max_pool_v3_grad
from maxpoolgrad_onnx.converters.adaptation import Adaptation
from maxpoolgrad_onnx.converters.ge_ir import DataType, GeModel
from maxpoolgrad_onnx.converters.ge_ops.prototype import port_names
from maxpoolgrad_onnx.converters.ge_ops.prototypes import PROTOTYPES
from maxpoolgrad_onnx.converters.ge_to_onnx import ge_to_onnx
from maxpoolgrad_onnx.converters.precision import Precision, lower, set_output_types
from maxpoolgrad_onnx.matching import windows_without_match
from maxpoolgrad_onnx.padding import ge_order
from support_cnn import random_cnns
from support_convert import feeds_for, onnx_model
from support_ort import outputs_of
from support_rules import CASES

FLOAT, HALF = DataType.FLOAT, DataType.FLOAT16
LOWERING = [Precision.MIXED, Precision.FP16]


def step_model() -> onnx.ModelProto:
    rng = np.random.default_rng(1)
    forward = onnx_model(
        "c = Conv<pads=[1,1,1,1]>(x, w) r = Relu(c)"
        "p = MaxPool<kernel_shape=[3,3], strides=[2,2], ceil_mode=1>(r)"
        "f = Flatten(p) logits = Gemm<transB=1>(f, v, b)",
        "float[4,3,9,9] x",
        "float[4,5] logits",
        {
            "w": rng.standard_normal((4, 3, 3, 3)).astype(np.float32),
            "v": rng.standard_normal((5, 64)).astype(np.float32) / 8,
            "b": rng.standard_normal(5).astype(np.float32),
        },
    )
    return mpg.add_training_step(forward)


class MaxPool(OpRun):
    """Every value rounded where the graph says so: ONNX Runtime drops Casts around operators that it computes
    in float32."""

    def _run(  # type: ignore[override]
        self, x: Array, kernel_shape=(), strides=(), pads=(), auto_pad="NOTSET", ceil_mode=0, **_: Any
    ) -> tuple[Array]:
        assert auto_pad == "NOTSET"
        ksize, steps = [1, 1, *kernel_shape], [1, 1, *strides]
        padding = ge_order(pads or [0, 0, 0, 0])
        pooled = mpg.max_pool_v3(x, ksize=ksize, strides=steps, pads=padding, ceil_mode=bool(ceil_mode))
        return (pooled,)


def lost_windows(model: GeModel, feeds: Mapping[str, Array]) -> list[int]:
    """Of each pool gradient the windows that give their gradient to nobody, in a run that rounds as said."""
    proto = ge_to_onnx(model)
    pools = [node for node in proto.graph.node if is_max_pool_v3_grad(node)]
    del proto.graph.output[:]
    names = list(dict.fromkeys(name for pool in pools for name in pool.input[:2]))
    proto.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    evaluator = ReferenceEvaluator(proto, new_ops=[MaxPool, mpg.ReferenceOp])
    values = {**feeds, **dict(zip(names, evaluator.run(names, dict(feeds)), strict=True))}
    return [
        windows_without_match(PoolAttributes.from_node(pool), values[pool.input[0]], values[pool.input[1]])
        for pool in pools
    ]


@pytest.mark.parametrize("precision", LOWERING)
def test_no_gradient_is_lost(precision: Precision) -> None:
    step = step_model()
    feeds = feeds_for(step)
    assert lost_windows(lower(converters.onnx_to_ge(step), precision), feeds) == [0]


@pytest.mark.parametrize("precision", LOWERING)
@pytest.mark.parametrize("forward", ["MaxPool<kernel_shape=[2,2], strides=[2,2]>(x)", "Identity(p)"])
def test_a_pool_of_the_models_own_input_loses_none(precision: Precision, forward: str) -> None:
    """orig_input has no Cast of its own in the model, orig_output is computed, or an input as well."""
    model = onnx_model(
        f"y = {forward} out = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, y, g)",
        "float[2,3,8,8] x, float[2,3,4,4] p, float[2,3,4,4] g",
        "float[2,3,8,8] out",
    )
    feeds = feeds_for(model)
    feeds["p"] = mpg.max_pool_v3(feeds["x"], ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2])
    assert lost_windows(lower(converters.onnx_to_ge(model), precision), feeds) == [0]


def test_the_test_sees_gradients_that_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What atc's default does to a graph where only one branch is rounded."""
    monkeypatch.setattr(Precision, "lowers", lambda self, type_: type_ == "MaxPoolV3")
    step = step_model()
    (lost,) = lost_windows(lower(converters.onnx_to_ge(step), Precision.MIXED), feeds_for(step))
    assert lost > 100


@pytest.mark.parametrize("precision", LOWERING)
def test_a_pool_and_its_gradient_take_the_same_values(precision: Precision) -> None:
    graph = lower(converters.onnx_to_ge(step_model()), precision).graph
    nodes = {node.type: node for node in graph.nodes}
    pool, grad = nodes["MaxPoolV3"], nodes[OP_TYPE]
    assert grad.inputs[0] == pool.inputs[0]
    assert grad.inputs[1] is not None
    assert grad.inputs[1].node == pool.name
    assert {desc.dtype for desc in (*grad.input_descs.values(), *grad.output_descs.values())} == {HALF}


@pytest.mark.parametrize("precision", LOWERING)
def test_every_port_has_a_type_that_it_takes(precision: Precision) -> None:
    for cnn in random_cnns(3, 6):
        graph = lower(converters.onnx_to_ge(mpg.add_training_step(cnn.model)), precision).graph
        types = {node.name: [desc.dtype for desc in node.output_descs.values()] for node in graph.nodes}
        for node in graph.nodes:
            for edge, desc in zip(node.inputs, node.input_descs.values(), strict=True):
                assert edge is None or types[edge.node][edge.output] is desc.dtype, node.name
            prototype = PROTOTYPES.get(node.type)
            ports = (
                dict(port_names(prototype.inputs, len(node.input_descs)))
                | dict(port_names(prototype.outputs, len(node.output_descs)))
                if prototype
                else {}
            )
            for name, desc in {**node.input_descs, **node.output_descs}.items():
                allowed = ports[name].dtypes if name in ports else None
                assert allowed is None or desc.dtype in allowed, (node.name, name)


@pytest.mark.parametrize(("precision", "tolerance"), [(Precision.MIXED, 0.05), (Precision.FP16, 0.05)])
def test_steps_run_on_the_host_near_the_original(
    tmp_path: Path, precision: Precision, tolerance: float
) -> None:
    step = step_model()
    feeds = feeds_for(step)
    compiled = converters.compile(
        step, tmp_path / "m", soc_version="Ascend910B1", adaptation=Adaptation(precision)
    )
    assert not compiled.binding.unbound
    session = converters.InferSession(0, compiled.om)
    expected = outputs_of(step, feeds)
    for info, result in zip(session.get_outputs(), session.infer(feeds), strict=True):
        assert result.dtype == expected[info.name].dtype == np.float32
        assert np.abs(result - expected[info.name]).max() < tolerance * (
            1 + np.abs(expected[info.name]).max()
        )
    assert any(
        not np.array_equal(result, expected[info.name])
        for info, result in zip(session.get_outputs(), session.infer(feeds), strict=True)
    ), "nothing was rounded"


def test_every_operator_runs_lowered(scale: Callable[[int, int], int]) -> None:
    rng = np.random.default_rng(5)
    for index in rng.permutation(len(CASES))[: scale(60, len(CASES))]:
        case = CASES[index]
        model = onnx_model(case.nodes, case.inputs, case.outputs, case.weights, case.opset)
        feeds, converted = feeds_for(model), converters.onnx_to_ge(model)
        expected = outputs_of(model, feeds)
        for precision in LOWERING:
            lowered = GeModel.from_bytes(lower(converted, precision).to_bytes())
            found = outputs_of(ge_to_onnx(lowered), feeds)
            for name, array in expected.items():
                assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape), (case, name)
                np.testing.assert_allclose(found[name], array, 0.05, 0.05, err_msg=f"{case} {precision}")


def test_the_kernel_is_bound_in_float16(tmp_path: Path) -> None:
    step = step_model()
    arguments = {"soc_version": "Ascend910B1"}
    wide = converters.compile(step, tmp_path / "wide", **arguments)  # type: ignore[arg-type]
    narrow = converters.compile(
        step,
        tmp_path / "narrow",
        adaptation=Adaptation(Precision.FP16),
        **arguments,  # type: ignore[arg-type]
    )
    assert list(wide.binding.launches) == list(narrow.binding.launches)
    assert list(wide.binding.launches.values()) != list(narrow.binding.launches.values())
    assert narrow.air is not None
    assert converters.load(narrow.air) == converters.load(narrow.om)


def test_no_operator_needs_lowering() -> None:
    """What allow_fp32_to_fp16 is for: every port that takes float16 takes float32."""
    for prototype in PROTOTYPES.values():
        for port in (*prototype.inputs, *prototype.outputs):
            assert port.dtypes is None or HALF not in port.dtypes or FLOAT in port.dtypes, prototype.type


def test_origin_changes_nothing() -> None:
    model = converters.onnx_to_ge(step_model())
    assert lower(model, Precision.ORIGIN) is model


def test_constants_are_rounded_once_and_kept_once() -> None:
    model = onnx_model(
        "a = Mul(x, c) b = Add(a, c)", "float[2] x", "float[2] b", {"c": np.float32([1 / 3, 70000])}
    )
    graph = lower(converters.onnx_to_ge(model), Precision.FP16).graph
    constants = [node for node in graph.nodes if node.type == "Const"]
    (value,) = [node.attrs["value"] for node in constants]
    assert value.data.tolist() == [np.float16(1 / 3), np.inf]  # type: ignore[union-attr]
    assert sum(node.type == "Cast" for node in graph.nodes) == 2, "x down, b up"


def test_mixed_keeps_what_is_no_product_and_no_pool() -> None:
    graph = lower(converters.onnx_to_ge(step_model()), Precision.MIXED).graph
    for node in graph.nodes:
        if node.type in ("Relu", "SoftmaxV2", "LogSoftmaxV2", "Mul", "Sub"):
            assert HALF not in {desc.dtype for desc in node.output_descs.values()}, node.name
        if node.type in ("Conv2D", "MatMulV2", "MaxPoolV3"):
            assert node.output_desc().dtype is HALF, node.name


def test_mixed_lowers_convolutions_of_both_directions() -> None:
    weights = {"w": np.ones((3, 4, 2, 2), np.float32)}
    up = onnx_model("y = ConvTranspose(x, w)", "float[1,3,4,4] x", "float[a,b,c,d] y", weights)
    graph = lower(converters.onnx_to_ge(up), Precision.MIXED).graph
    (node,) = (node for node in graph.nodes if node.type == "Conv2DTranspose")
    assert node.output_desc().dtype is HALF


@pytest.mark.parametrize("precision", LOWERING)
def test_the_gradient_of_a_filter_stays_wide(precision: Precision) -> None:
    """GE's inference gives it float32, and takes inputs of either type."""
    graph = lower(converters.onnx_to_ge(step_model()), precision).graph
    (node,) = (node for node in graph.nodes if node.type == "Conv2DBackpropFilter")
    assert {desc.dtype for desc in node.input_descs.values()} == {HALF, DataType.INT32}
    assert node.output_desc().dtype is FLOAT


def test_casts_and_inputs_of_the_model_stay() -> None:
    model = onnx_model(
        "d = Cast<to=11>(x) e = Cast<to=1>(d) y = Relu(e)", "float[2] x", "float[2] y", opset=18
    )
    graph = lower(converters.onnx_to_ge(model), Precision.FP16).graph
    types = {node.name: node.output_desc().dtype for node in graph.nodes if node.output_descs}
    assert types["x"] is FLOAT
    assert [node.type for node in graph.nodes if node.type != "NetOutput"] == [
        *("Data", "Cast", "Cast", "Cast", "Relu", "Cast")
    ]


def test_output_types() -> None:
    model = onnx_model("y = Relu(x) z = Neg(x)", "float[2] x", "float[2] y, float[2] z")
    converted = converters.onnx_to_ge(model)
    for types, expected in (
        ([HALF], ["float16", "float16"]),
        ([None, HALF], ["float32", "float16"]),
        ([FLOAT], ["float32", "float32"]),
        ([], ["float32", "float32"]),
        ([None, DataType.INT8], ["float32", "int8"]),
    ):
        typed = set_output_types(converted, types)
        x = np.float32([1.25, 3])
        results = outputs_of(ge_to_onnx(typed), {"x": x})
        assert [results[name].dtype.name for name in ("y", "z")] == expected
        assert results["z"].tolist() == (-x).astype(expected[1]).tolist()
    assert set_output_types(converted, []) is converted
    assert set_output_types(converted, [None]) is converted


def test_an_output_that_is_lowered_goes_back_only_once() -> None:
    model = onnx_model("y = Relu(x)", "float[2] x", "float[2] y")
    lowered = lower(converters.onnx_to_ge(model), Precision.FP16)
    assert [node.type for node in lowered.graph.nodes] == ["Data", "Cast", "Relu", "Cast", "NetOutput"]
