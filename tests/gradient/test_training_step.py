"""The form of a training step: its inputs and outputs, what is in it and what is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.gradient import SGD, initial_state
from support_cnn import random_cnns
from support_ort import outputs_of
from support_step import attributes_of, forward_model, only, op_types

NODES = """
  c1 = Conv <pads = [1, 1, 1, 1]> (x, w1, b1)
  r1 = Relu (c1)
  p1 = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (r1)
  c2 = Conv (p1, w2)
  f = Flatten (c2)
  logits = Gemm (f, w3, b3)
"""


def weights() -> dict[str, Array]:
    shapes = {"w1": (4, 3, 3, 3), "b1": (4,), "w2": (2, 4, 2, 2), "w3": (8, 4), "b3": (4,)}
    rng = np.random.default_rng(0)
    return {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def cnn(batch: str = "2", opset: int = 18) -> onnx.ModelProto:
    inputs, outputs = f"float[{batch},3,6,6] x", f"float[{batch},4] logits"
    return forward_model(NODES, weights(), inputs=inputs, outputs=outputs, opset=opset)


def shapes(values: Any) -> dict[str, tuple[int | str, ...]]:
    return {
        value.name: tuple(dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim)
        for value in values
    }


def test_inputs_and_outputs() -> None:
    step = add_training_step(cnn())
    parameters = {name: array.shape for name, array in weights().items()}
    assert list(shapes(step.graph.input).items()) == [
        ("x", (2, 3, 6, 6)),
        ("labels", (2,)),
        *parameters.items(),
        *((f"{name}.momentum", shape) for name, shape in parameters.items()),
        ("learning_rate", ()),
    ]
    assert list(shapes(step.graph.output).items()) == [
        ("loss", ()),
        *((f"{name}.updated", shape) for name, shape in parameters.items()),
        *((f"{name}.momentum.updated", shape) for name, shape in parameters.items()),
    ]
    types = {value.name: value.type.tensor_type.elem_type for value in step.graph.input}
    assert types.pop("labels") == TensorProto.INT64
    assert set(types.values()) == {TensorProto.FLOAT}


def test_without_momentum_there_are_no_momenta() -> None:
    step = add_training_step(cnn(), optimizer=SGD(momentum=0))
    assert [v.name for v in step.graph.input] == ["x", "labels", *weights(), "learning_rate"]
    assert [v.name for v in step.graph.output] == ["loss", *(f"{name}.updated" for name in weights())]


def test_gradients_as_outputs() -> None:
    step = add_training_step(cnn(), outputs="grads")
    assert [v.name for v in step.graph.input] == ["x", "labels", *weights()]
    assert [v.name for v in step.graph.output] == ["loss", *(f"{name}.grad" for name in weights())]


def test_two_parameters_with_one_gradient() -> None:
    parameters = {name: np.ones((2, 4), np.float32) for name in "ab"}
    step = add_training_step(forward_model("logits = Add (a, b)", parameters, inputs=""), outputs="grads")
    results = outputs_of(step, {**parameters, "labels": np.array([0, 1])})
    np.testing.assert_array_equal(results["a.grad"], results["b.grad"])


def test_operators_and_versions() -> None:
    step = add_training_step(cnn())
    onnx.checker.check_model(step)
    assert step.ir_version == 9
    assert {(entry.domain, entry.version) for entry in step.opset_import} == {
        ("", 18),
        ("npu", 1),
        ("maxpoolgrad", 1),
    }
    own = [function.name for function in step.functions if function.domain == "npu"]
    assert own == ["Conv2DBackpropInput", "Conv2DBackpropFilter", "ConvGradWithoutBias", "ReluGrad"]
    pool = only(step, "MaxPoolV3Grad")
    assert attributes_of(pool) == {
        "ksize": [1, 1, 2, 2],
        "strides": [1, 1, 2, 2],
        "padding_mode": b"CALCULATED",
        "pads": [0, 0, 0, 0],
        "data_format": b"NCHW",
        "global_pooling": 0,
        "ceil_mode": 0,
    }
    assert attributes_of(only(step, "ConvGradWithoutBias")) == {
        "strides": [1, 1],
        "pads": [0, 0, 0, 0],
        "dilations": [1, 1],
        "group": 1,
    }


def test_a_step_without_npu_operators_imports_no_npu() -> None:
    parameters = {"w": np.ones((3, 4), np.float32)}
    model = forward_model("logits = MatMul (x, w)", parameters, inputs="float[2,3] x")
    step = add_training_step(model, unfold=True)
    assert [(entry.domain, entry.version) for entry in step.opset_import] == [("", 18)]


def test_forward_values_are_reused_and_nothing_is_dead() -> None:
    for batch in ("2", "N"):
        step = add_training_step(cnn(batch))
        forward = [node for node in step.graph.node if node.op_type in ("Conv", "Relu", "MaxPool", "Flatten")]
        assert [node.op_type for node in forward] == ["Conv", "Relu", "MaxPool", "Conv", "Flatten"]
        read = {name for node in step.graph.node for name in node.input} | set(shapes(step.graph.output))
        written = [name for node in step.graph.node for name in node.output]
        assert set(written) <= read
        assert {tensor.name for tensor in step.graph.initializer} <= read
        assert len(set(written)) == len(written)
        names = [node.name for node in step.graph.node]
        assert len(set(names)) == len(names)
        assert all(names)


def test_what_needs_no_gradient_is_pruned() -> None:
    # The image needs none, so the first Conv has a gradient of its filter alone.
    types = op_types(add_training_step(cnn()))
    assert (types.count("ConvGradWithoutBias"), types.count("Conv2DBackpropFilter")) == (1, 1)
    assert "Conv2DBackpropInput" not in types
    # With everything before the head frozen, no gradient passes it.
    head = add_training_step(cnn(), frozen=["w[12]", "b1"])
    unneeded = {"Conv2DBackpropFilter", "Conv2DBackpropInput", "ConvGradWithoutBias", "MaxPoolV3Grad"}
    assert not unneeded & set(op_types(head))
    assert [v.name for v in head.graph.input if "." not in v.name] == [
        "x",
        "labels",
        "w3",
        "b3",
        "learning_rate",
    ]
    assert {"w1", "b1", "w2"} <= {tensor.name for tensor in head.graph.initializer}


def test_a_branch_that_no_output_needs_is_left_out() -> None:
    nodes = f"{NODES} unused = MaxPool <kernel_shape = [1, 1], dilations = [2, 2]> (c1)"
    outputs = "float[2,4] logits, float[2,4,6,6] unused"
    model = forward_model(nodes, weights(), outputs=outputs)
    step = add_training_step(model, output="logits")
    assert op_types(step).count("MaxPool") == 1


def test_an_input_that_the_logits_do_not_need_is_left_out() -> None:
    model = forward_model(NODES, weights(), inputs="float[2,3,6,6] x, float[1] unused")
    assert "unused" not in shapes(add_training_step(model).graph.input)


def test_a_value_used_more_than_once_gets_the_sum() -> None:
    nodes = "y = MatMul (x, w) z = Relu (y) s = Add (z, y) logits = Add (s, y)"
    w = np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32)
    step = add_training_step(forward_model(nodes, {"w": w}, inputs="float[2,3] x"), outputs="grads")
    assert list(only(step, "Sum").output) == ["y.grad"]  # of three uses


def test_with_a_static_batch_nothing_about_shapes_is_computed() -> None:
    assert not {"Shape", "Size"} & set(op_types(add_training_step(cnn(), unfold=True)))
    assert "Size" in op_types(add_training_step(cnn("N"), unfold=True))


def test_every_value_has_its_type_and_shape() -> None:
    for case in random_cnns(seed=21, count=10):
        step = add_training_step(case.model)
        known = shapes([*step.graph.value_info, *step.graph.output])
        assert {name for node in step.graph.node for name in node.output} <= set(known)
        # Stated shapes agree with what ONNX infers for itself.
        bare = onnx.ModelProto()
        bare.CopyFrom(step)
        del bare.graph.value_info[:]
        inferred = [
            v for v in mpg.infer_shapes(bare).graph.value_info if v.type.tensor_type.HasField("shape")
        ]
        assert inferred
        for name, dims in shapes(inferred).items():
            for ours, theirs in zip(known[name], dims, strict=True):
                assert ours == theirs or isinstance(ours, str) or isinstance(theirs, str)


def test_the_forward_model_is_not_changed() -> None:
    model = cnn()
    before = model.SerializeToString(deterministic=True)
    add_training_step(model)
    assert model.SerializeToString(deterministic=True) == before


def test_an_inner_value_makes_room_for_a_name_of_the_step() -> None:
    nodes = "loss = MatMul (x, w) logits = Relu (loss)"
    model = forward_model(nodes, {"w": np.ones((3, 4), np.float32)}, inputs="float[2,3] x")
    step = add_training_step(model)
    onnx.checker.check_model(step)
    assert only(step, "MatMul").output[0] == "loss_1"
    assert only(step, "SoftmaxCrossEntropy").output[0] == "loss"


def test_a_constant_makes_room_for_a_name_of_the_step() -> None:
    weights = {"w": np.ones((3, 4), np.float32), "labels": np.ones(4, np.float32)}
    model = forward_model("y = MatMul (x, w) logits = Add (y, labels)", weights, inputs="float[2,3] x")
    step = add_training_step(model, frozen=["labels"])
    onnx.checker.check_model(step)
    assert [value.name for value in step.graph.input][:2] == ["x", "labels"]
    assert any("labels_1" in node.input for node in step.graph.node if node.op_type == "Add")


def test_logits_called_loss() -> None:
    model = forward_model(
        "loss = MatMul (x, w)",
        {"w": np.ones((3, 4), np.float32)},
        inputs="float[2,3] x",
        outputs="float[2,4] loss",
    )
    step = add_training_step(model)
    assert shapes(step.graph.output)["loss"] == ()


def test_float16() -> None:
    half = {name: array.astype(np.float16) for name, array in weights().items()}
    model = forward_model(NODES, half, inputs="float16[2,3,6,6] x", outputs="float16[2,4] logits")
    step = add_training_step(model)
    onnx.checker.check_model(step)
    types = {
        value.name: value.type.tensor_type.elem_type for value in (*step.graph.input, *step.graph.output)
    }
    assert types.pop("labels") == TensorProto.INT64
    wide = {name for name, kind in types.items() if kind == TensorProto.FLOAT}
    # A mean, and what sums up from step to step, has no float16 form to speak of.
    momenta = {f"{name}.momentum{after}" for name in weights() for after in ("", ".updated")}
    assert wide == {"loss", "learning_rate", *momenta}
    assert {types[name] for name in types.keys() - wide} == {TensorProto.FLOAT16}
    takers = {node.input[0]: node for node in step.graph.node}
    for node in step.graph.node:
        if node.op_type in ("Conv2DBackpropFilter", "ConvGradWithoutBias"):
            # float32 in GE whatever the inputs are
            assert attributes_of(takers[node.output[-1]]) == {"to": TensorProto.FLOAT16}


def test_first_state() -> None:
    model = cnn()
    state = initial_state(model, add_training_step(model))
    for name, array in weights().items():
        np.testing.assert_array_equal(state.pop(name), array)
        np.testing.assert_array_equal(state.pop(f"{name}.momentum"), np.zeros_like(array))
    assert not state


def test_from_a_file(tmp_path: Path) -> None:
    onnx.save(cnn(), tmp_path / "forward.onnx")
    assert add_training_step(tmp_path / "forward.onnx", optimizer=SGD(0.5)) == add_training_step(
        cnn(), optimizer=SGD(0.5)
    )


@pytest.mark.parametrize("batch", ["2", "N"])
def test_it_runs_without_the_library(batch: str) -> None:
    import onnxruntime

    model = cnn(batch)
    step = add_training_step(model)
    rng = np.random.default_rng(0)
    feeds = {
        **initial_state(model, step),
        "x": rng.standard_normal((2, 3, 6, 6)).astype(np.float32),
        "labels": np.array([1, 3]),
        "learning_rate": np.array(0.1, np.float32),
    }
    alone = onnxruntime.InferenceSession(mpg.embed_function(step).SerializeToString())
    for name, wanted in outputs_of(step, feeds).items():
        np.testing.assert_array_equal(alone.run([name], feeds)[0], wanted)
