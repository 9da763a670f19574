"""What is done to a forward model before it is differentiated."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.gradient import initial_state
from support_ort import outputs_of
from support_step import attributes_of, forward_model, only, op_types
from support_torch import loss_and_gradients

WEIGHTS = {"w": np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)}


def dense(opset: int = 18) -> onnx.ModelProto:
    return forward_model("y = MatMul (x, w) logits = Relu (y)", WEIGHTS, inputs="float[2,3] x", opset=opset)


def opset_of(model: onnx.ModelProto) -> int:
    return next(entry.version for entry in model.opset_import if not entry.domain)


@pytest.mark.parametrize(("given", "wanted"), [(8, 18), (12, 18), (13, 13), (15, 15), (18, 18), (22, 18)])
def test_opset(given: int, wanted: int) -> None:
    nodes = """
      c = Conv <pads = [1, 1, 1, 1]> (x, k)  r = Relu (c)
      p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (r)
      d = Conv (p, j)  f = Flatten (d)  logits = Gemm <transB = 1> (f, g, b)
    """
    rng = np.random.default_rng(0)
    shapes = {"k": (2, 3, 3, 3), "j": (2, 2, 2, 2), "g": (4, 8), "b": (4,)}
    weights = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    model = forward_model(nodes, weights, opset=given)
    step = add_training_step(model, outputs="grads")
    assert opset_of(step) == wanted
    imports = {(entry.domain, entry.version) for f in step.functions for entry in f.opset_import}
    assert imports == {("", wanted), ("npu", 1)}
    onnx.checker.check_model(step)
    x, labels = rng.standard_normal((2, 3, 6, 6)).astype(np.float32), np.array([0, 3])
    results = outputs_of(step, {**weights, "x": x, "labels": labels})
    loss, gradients = loss_and_gradients(model, x, labels)
    assert float(results["loss"]) == pytest.approx(loss, rel=1e-5)
    for name, gradient in gradients.items():
        np.testing.assert_allclose(results[f"{name}.grad"], gradient, rtol=1e-4, atol=1e-5)


def test_the_long_name_of_the_default_domain() -> None:
    model = dense()
    for entry in (*model.opset_import, *model.graph.node):
        entry.domain = "ai.onnx"
    assert add_training_step(model) == add_training_step(dense())
    # Where both spellings are imported, the last counts, as in ONNX Runtime's parser.
    model.opset_import.append(helper.make_opsetid("", 15))
    assert add_training_step(model) == add_training_step(dense(15))


def test_an_old_model_that_lists_its_weights_as_inputs() -> None:
    model = dense()
    model.ir_version = 3
    model.graph.input.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, [3, 4]))
    names = [value.name for value in add_training_step(model).graph.input]
    assert names == ["x", "labels", "w", "w.momentum", "learning_rate"]


def test_functions_are_inlined() -> None:
    model = dense()
    body = onnx.parser.parse_function(
        '<domain: "local", opset_import: ["": 18]> Layer (a, b) => (c) { d = MatMul (a, b) c = Tanh (d) }'
    )
    model.functions.append(body)
    model.opset_import.append(helper.make_opsetid("local", 1))
    del model.graph.node[:]
    model.graph.node.append(helper.make_node("Layer", ["x", "w"], ["logits"], domain="local"))
    step = add_training_step(model)
    assert op_types(step)[:2] == ["MatMul", "Tanh"]
    assert {entry.domain for entry in step.opset_import} == {"", "maxpoolgrad"}
    assert {function.domain for function in step.functions} == {"maxpoolgrad"}


def test_identities_and_constant_nodes_go() -> None:
    nodes = """
      v = Identity (w)  y = MatMul (x, v)  k = Constant <value_floats = [1.0, 2.0, 3.0, 4.0]> ()
      z = Add (y, k)  logits = Identity (z)
    """
    step = add_training_step(forward_model(nodes, WEIGHTS, inputs="float[2,3] x"))
    assert op_types(step)[:2] == ["MatMul", "Add"]
    assert not {"Identity", "Constant"} & set(op_types(step))
    # A Constant node is no parameter.
    assert "k" in {tensor.name for tensor in step.graph.initializer}


def test_shape_arithmetic_of_exporters_becomes_a_constant() -> None:
    nodes = """
      y = MatMul (x, w)  s = Shape (y)  z = Constant <value_int = 0> ()  n = Gather (s, z)
      a = Constant <value_ints = [0]> ()  u = Unsqueeze (n, a)  m = Constant <value_ints = [-1]> ()
      t = Concat <axis = 0> (u, m)  logits = Reshape (y, t)
    """
    static = add_training_step(forward_model(nodes, WEIGHTS, inputs="float[2,3] x"))
    assert op_types(static)[:2] == ["MatMul", "Reshape"]
    assert not {"Shape", "Gather", "Unsqueeze", "Concat"} & set(op_types(static))
    dynamic = forward_model(nodes, WEIGHTS, inputs="float[N,3] x", outputs="float[N,4] logits")
    step = add_training_step(dynamic, outputs="grads")
    x = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
    labels = np.arange(5) % 4
    results = outputs_of(step, {"x": x, "labels": labels, **WEIGHTS})
    p = np.exp(x @ WEIGHTS["w"])
    p /= p.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(results["w.grad"], x.T @ (p - np.eye(4)[labels]) / 5, rtol=1e-4, atol=1e-6)


def pooling(attributes: str, size: tuple[int, int], features: int, batch: str = "2") -> onnx.ModelProto:
    rng = np.random.default_rng(0)
    weights = {
        "k": rng.standard_normal((1, 1, 1, 1)).astype(np.float32),
        "v": rng.standard_normal((features, 4)).astype(np.float32),
    }
    return forward_model(
        f"c = Conv (x, k) p = MaxPool <{attributes}> (c) f = Flatten (p) logits = MatMul (f, v)",
        weights,
        inputs=f"float[{batch},1,{size[0]},{size[1]}] x",
        outputs=f"float[{batch},4] logits",
    )


@pytest.mark.parametrize(
    ("attributes", "size", "features", "pads"),
    [
        (
            "kernel_shape = [2, 1], strides = [2, 3], pads = [1, 0, 1, 0], ceil_mode = 1",
            (3, 5),
            4,
            [1, 0, 0, 0],
        ),
        ("kernel_shape = [3, 2], strides = [2, 3], ceil_mode = 1", (6, 4), 6, [0, 0, 1, 1]),
        (
            "kernel_shape = [1, 2], strides = [4, 1], ceil_mode = 1, pads = [0, 1, 0, 0]",
            (6, 3),
            6,
            [0, 1, 0, 0],
        ),
    ],
)
@pytest.mark.parametrize("batch", ["2", "N"])
def test_a_pool_that_drops_a_window_is_written_in_floor_mode(
    attributes: str, size: tuple[int, int], features: int, pads: list[int], batch: str
) -> None:
    model = pooling(attributes, size, features, batch)
    step = add_training_step(model)
    pool = attributes_of(only(step, "MaxPool"))
    if pool["ceil_mode"]:  # nothing is dropped
        assert "pads" not in pool
    else:
        assert pool["pads"] == pads
    gradient = attributes_of(only(step, "MaxPoolV3Grad"))
    assert gradient["ceil_mode"] == pool["ceil_mode"]
    rng = np.random.default_rng(1)
    x, labels = rng.standard_normal((2, 1, *size)).astype(np.float32), np.array([0, 2])
    rate = np.array(0.1, np.float32)
    results = outputs_of(
        step, {**initial_state(model, step), "x": x, "labels": labels, "learning_rate": rate}
    )
    loss, gradients = loss_and_gradients(model, x, labels)
    assert float(results["loss"]) == pytest.approx(loss, rel=1e-5)
    for name, wanted in gradients.items():
        np.testing.assert_allclose(results[f"{name}.momentum.updated"], wanted, rtol=1e-4, atol=1e-5)


def test_stated_sizes_that_count_a_dropped_window_are_not_believed() -> None:
    attributes = "kernel_shape = [2, 1], strides = [2, 3], pads = [1, 0, 1, 0], ceil_mode = 1"
    model = pooling(attributes, (3, 5), 4)
    wrong = onnx.shape_inference.infer_shapes(model)
    step = add_training_step(wrong)
    assert step == add_training_step(model)


@pytest.mark.parametrize("batch", ["2", "N"])
def test_ceil_mode_stays_where_nothing_is_dropped(batch: str) -> None:
    model = pooling("kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1", (6, 8), 12, batch)
    step = add_training_step(model)
    assert attributes_of(only(step, "MaxPool"))["ceil_mode"] == 1
    assert attributes_of(only(step, "MaxPoolV3Grad"))["ceil_mode"] == 1


@pytest.mark.parametrize("auto_pad", ["SAME_UPPER", "SAME_LOWER"])
def test_same_whose_windows_leave_a_margin_is_written_with_pads(auto_pad: str) -> None:
    rng = np.random.default_rng(0)
    shapes = {"k": (2, 1, 1, 3), "v": (12, 4)}
    weights = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    model = forward_model(
        f"""c = Conv <auto_pad = "{auto_pad}", strides = [3, 2]> (x, k)
        p = MaxPool <auto_pad = "{auto_pad}", kernel_shape = [1, 2], strides = [2, 1]> (c)
        f = Flatten (p) logits = MatMul (f, v)""",
        weights,
        inputs="float[2,1,12,6] x",
    )
    step = add_training_step(model, outputs="grads")
    upper = auto_pad == "SAME_UPPER"
    assert attributes_of(only(step, "Conv"))["pads"] == ([0, 0, 0, 1] if upper else [0, 1, 0, 0])
    assert attributes_of(only(step, "MaxPool"))["pads"] == ([0, 0, 0, 1] if upper else [0, 1, 0, 0])
    x, labels = rng.standard_normal((2, 1, 12, 6)).astype(np.float32), np.array([0, 2])
    results = outputs_of(step, {**weights, "x": x, "labels": labels})
    loss, gradients = loss_and_gradients(model, x, labels)
    assert float(results["loss"]) == pytest.approx(loss, rel=1e-5)
    for name, wanted in gradients.items():
        np.testing.assert_allclose(results[f"{name}.grad"], wanted, rtol=1e-4, atol=1e-5)


# ONNX form -> padding_mode and pads [top, bottom, left, right] of MaxPoolV3Grad; the input is 5 x 6.
FORMS = {
    "pads": ("pads = [1, 0, 2, 1]", "CALCULATED", [1, 2, 0, 1], (3, 3)),
    "VALID": ("auto_pad = 'VALID'", "VALID", [0, 0, 0, 0], (2, 2)),
    "SAME_UPPER": ("auto_pad = 'SAME_UPPER'", "SAME", [0, 0, 0, 0], (3, 3)),
    "SAME_LOWER": ("auto_pad = 'SAME_LOWER'", "CALCULATED", [1, 1, 1, 0], (3, 3)),
}


@pytest.mark.parametrize(("form", "mode", "pads", "pooled"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_padding(form: str, mode: str, pads: list[int], pooled: tuple[int, int]) -> None:
    attributes = f"kernel_shape = [3, 3], strides = [2, 2], {form}".replace("'", '"')
    step = add_training_step(pooling(attributes, (5, 6), pooled[0] * pooled[1]))
    gradient = attributes_of(only(step, "MaxPoolV3Grad"))
    assert (gradient["padding_mode"].decode(), gradient["pads"]) == (mode, pads)


def test_same_lower_with_even_paddings_is_same() -> None:
    attributes = 'kernel_shape = [3, 3], strides = [1, 1], auto_pad = "SAME_LOWER"'
    step = add_training_step(pooling(attributes, (5, 6), 30))
    assert attributes_of(only(step, "MaxPoolV3Grad"))["padding_mode"] == b"SAME"


def test_initial_weights_are_those_of_the_forward_model() -> None:
    model = dense()
    state = initial_state(model, add_training_step(model))
    np.testing.assert_array_equal(state["w"], numpy_helper.to_array(model.graph.initializer[0]))
