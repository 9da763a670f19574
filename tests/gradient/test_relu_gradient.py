"""The body of ReluGrad, and how the step uses it."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest

from maxpoolgrad_onnx import add_training_step
from support_convert import onnx_model
from support_step import forward_model, only, op_types


@pytest.mark.parametrize("opset", [13, 18])
@pytest.mark.parametrize("dtype", ["float", "float16", "double"])
def test_a_gradient_passes_where_the_feature_is_positive(dtype: str, opset: int) -> None:
    model = onnx_model("y = npu.ReluGrad(g, f)", f"{dtype}[8] g, {dtype}[8] f", f"{dtype}[8] y", opset=opset)
    onnx.checker.check_model(model, full_check=True)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    numpy_type = {"float": np.float32, "float16": np.float16, "double": np.float64}[dtype]
    gradients = np.array([3, -3, 3, -3, 5, 5, 5, 5], numpy_type)
    features = np.array([2, 0.5, -2, -0.5, 0, -0.0, np.inf, -np.inf], numpy_type)
    (found,) = session.run(None, {"g": gradients, "f": features})
    np.testing.assert_array_equal(found, [3, -3, 0, 0, 0, 0, 5, 0])


def test_a_relu_adds_one_node_to_the_step() -> None:
    weights = {"v": np.ones((3, 3), np.float32), "w": np.ones((3, 4), np.float32)}
    nodes = "h = MatMul (x, v) {} logits = MatMul ({}, w)"
    plain = add_training_step(forward_model(nodes.format("", "h"), weights, inputs="float[2,3] x"))
    model = forward_model(nodes.format("r = Relu (h)", "r"), weights, inputs="float[2,3] x")
    step = add_training_step(model)
    assert sorted(op_types(step)) == sorted([*op_types(plain), "Relu", "ReluGrad"])
    assert only(step, "ReluGrad").input[1] == "r"
    assert [f.name for f in step.functions if f.domain == "npu"] == ["ReluGrad"]
