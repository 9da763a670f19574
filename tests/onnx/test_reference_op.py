"""The operator in onnx's reference evaluator."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from maxpoolgrad_onnx import MaxPoolGradError, ReferenceOp, make_model, max_pool_v3_grad
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.reference_op import ReferenceOpAlias
from support import random_cases, same_bits


def run(op: type[ReferenceOp], model: onnx.ModelProto, feeds: dict[str, Array]) -> Array:
    [result] = ReferenceEvaluator(model, new_ops=[op]).run(None, feeds)
    assert isinstance(result, np.ndarray)
    return result


@pytest.mark.parametrize(
    ("op", "spelling"), [(ReferenceOp, "MaxPoolV3Grad"), (ReferenceOpAlias, "NPUMaxPoolV3Grad")]
)
def test_random_cases(op: type[ReferenceOp], spelling: str) -> None:
    for case in random_cases(301, 40):
        model = make_model(
            case.orig_input.shape,
            dtype=case.grad.dtype.name,
            output_shape=case.orig_output.shape,
            **case.attributes,
        )
        model.graph.node[0].op_type = spelling
        assert same_bits(run(op, model, case.feeds), max_pool_v3_grad(*case.inputs, **case.attributes)), (
            case.name
        )


def test_defaults_need_not_be_written() -> None:
    model = make_model((1, 1, 4, 4), ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2])
    del model.graph.node[0].attribute[2:]
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    y, g = x[:, :, 1::2, 1::2], np.ones((1, 1, 2, 2), np.float32)
    assert run(ReferenceOp, model, {"orig_input": x, "orig_output": y, "grad": g}).sum() == 4


def test_refusals_are_the_contracts() -> None:
    model = make_model((1, 1, None, 4), ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2], name="pool")
    arrays = np.zeros((1, 1, 4, 4), np.float32), np.zeros((1, 1, 3, 2), np.float32)
    feeds = {"orig_input": arrays[0], "orig_output": arrays[1], "grad": arrays[1]}
    with pytest.raises(MaxPoolGradError, match=r"'pool': height of orig_output is 3"):
        run(ReferenceOp, model, feeds)
    model.graph.node[0].attribute.append(onnx.helper.make_attribute("dilations", [1, 1]))
    with pytest.raises(MaxPoolGradError, match="dilations"):
        run(ReferenceOp, model, feeds)
