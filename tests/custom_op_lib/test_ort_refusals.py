"""What the operator refuses, ONNX Runtime refuses in the contract's words: with the library alone, and as
MaxPoolGradError through `inference_session`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import maxpoolgrad_onnx as mpg
from support_ort import (
    INPUTS,
    TWO_BY_TWO,
    TWO_BY_TWO_SHAPES,
    model_of,
    op_model,
    plain_options,
    plain_session,
)

F16, F32, F64 = TensorProto.FLOAT16, TensorProto.FLOAT, TensorProto.DOUBLE
BF16, I32 = TensorProto.BFLOAT16, TensorProto.INT32

# Attributes beside or instead of TWO_BY_TWO's (None: left out), and how the sentence goes on behind the node.
ATTRIBUTES: list[tuple[dict[str, Any], str]] = [
    ({"ksize": None}, "attribute ksize is missing; it is required, a list of ints"),
    ({"strides": None}, "attribute strides is missing; it is required, a list of ints"),
    ({"ksize": 2}, "ksize is 2; it must be a list of ints"),
    ({"strides": [1.0, 1.0, 2.5, 2.0]}, "strides is [1.0, 1.0, 2.5, 2.0]; it must be a list of ints"),
    ({"ksize": "2x2"}, "ksize is '2x2'; it must be a list of ints"),
    ({"padding_mode": 3}, "padding_mode is 3; it must be a string"),
    ({"ceil_mode": 1.0}, "ceil_mode is 1.0; it must be an int, 0 or 1"),
    ({"global_pooling": [1]}, "global_pooling is [1]; it must be an int, 0 or 1"),
    ({"ksize": [1, 1, 2]}, "ksize is [1, 1, 2]; it must have 4 values, [1, 1, height, width] for"),
    ({"ksize": [1, 2, 2, 1]}, "ksize is [1, 2, 2, 1]; it must be 1 on N and C: [1, 1, height, width] for"),
    ({"strides": [1, 1, 64, 2]}, "strides is [1, 1, 64, 2]; its height 64 must lie in [1, 63]"),
    ({"ksize": [1, 1, 2, 256]}, "ksize is [1, 1, 2, 256]; its width 256 must lie in [1, 255]"),
    ({"pads": [0, 0]}, "pads is [0, 0]; it must have 4 values, [top, bottom, left, right]"),
    ({"pads": [0, 0, -1, 0]}, "pads is [0, 0, -1, 0]; each of [top, bottom, left, right] must be 0 or more"),
    ({"padding_mode": "FULL"}, "padding_mode is 'FULL'; allowed are 'CALCULATED', 'SAME' and 'VALID'"),
    ({"data_format": "NCDHW"}, "data_format is 'NCDHW'; allowed are 'NCHW' and 'NHWC'"),
    ({"global_pooling": 1}, "global_pooling is 1 (true); it must be 0 (false)"),
    ({"ceil_mode": 2}, "ceil_mode is 2; allowed are 0 and 1"),
    (
        {"ceil_mode": 1, "padding_mode": "SAME"},
        "ceil_mode is 1 (true); with padding_mode 'SAME' it must be 0",
    ),
]

# Types of the three inputs.
DTYPES: list[tuple[tuple[int, int, int], str]] = [
    ((F64, F64, F64), "the dtype of orig_input is float64; allowed are float16 and float32"),
    ((I32, I32, I32), "the dtype of orig_input is int32; allowed are float16 and float32"),
    ((BF16, BF16, BF16), "the dtype of orig_input is bfloat16; allowed are float16 and float32"),
    ((TensorProto.STRING,) * 3, "the dtype of orig_input is string; allowed are float16 and float32"),
    ((F32, F64, F32), "the dtype of orig_output is float64; allowed are float16 and float32"),
    ((F16, F16, I32), "the dtype of grad is int32; allowed are float16 and float32"),
    ((BF16, BF16, F32), "the dtype of orig_input is bfloat16; allowed are float16 and float32"),
    (
        (F16, F32, F32),
        "the dtype of orig_output is float32, that of orig_input is float16; all inputs must have",
    ),
    (
        (F32, F16, F32),
        "the dtype of orig_output is float16, that of orig_input is float32; all inputs must have",
    ),
    ((F32, F32, F16), "the dtype of grad is float16, that of orig_input is float32; all inputs must have"),
]

HUGE = 2**32
SHAPES: list[tuple[tuple[list[int], ...], str]] = [
    (
        ([1, 4, 4], [1, 1, 2, 2], [1, 1, 2, 2]),
        "the shape of orig_input is [1, 4, 4]; it must have 4 dimensions",
    ),
    (
        ([1, 1, 4, 4], [1, 1, 2, 2, 1], [1, 1, 2, 2]),
        "the shape of orig_output is [1, 1, 2, 2, 1]; it must have",
    ),
    (([1, 1, 4, 4], [1, 1, 2, 2], [4]), "the shape of grad is [4]; it must have 4 dimensions, NCHW"),
    (
        ([1, 1, 4, 4], [1, 1, 2, 2], [1, 1, 2, 1]),
        "the shape of grad is [1, 1, 2, 1]; it must be that of orig_output",
    ),
    (
        ([2, 1, 4, 4], [1, 1, 2, 2], [1, 1, 2, 2]),
        "the shape of orig_output is [1, 1, 2, 2]; its N must be that of",
    ),
    (
        ([1, 3, 4, 4], [1, 1, 2, 2], [1, 1, 2, 2]),
        "the shape of orig_output is [1, 1, 2, 2]; its C must be that of",
    ),
    (
        ([1, 1, 4, 4], [1, 1, 3, 2], [1, 1, 3, 2]),
        "height of orig_output is 3; for height 4 of orig_input, ksize 2",
    ),
    (
        ([1, 1, 4, 6], [1, 1, 2, 2], [1, 1, 2, 2]),
        "width of orig_output is 2; for width 6 of orig_input, ksize 2",
    ),
]


def attributes_with(changes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**TWO_BY_TWO, **changes}.items() if value is not None}


def message_of(action: Any) -> str:
    with pytest.raises(Exception) as caught:  # noqa: PT011  (ONNX Runtime's errors share no base)
        action()
    return str(caught.value)


@pytest.mark.parametrize("op_type", ["MaxPoolV3Grad", "NPUMaxPoolV3Grad"])
@pytest.mark.parametrize(("changes", "sentence"), ATTRIBUTES)
def test_attributes(changes: dict[str, Any], sentence: str, op_type: str) -> None:
    model = op_model(attributes_with(changes), op_type=op_type)
    assert f": MaxPoolV3Grad node 'pool': {sentence}" in message_of(lambda: plain_session(model))
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.inference_session(model)
    assert str(caught.value).startswith(f"MaxPoolV3Grad node 'pool': {sentence}")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(["SAME"], "[b'SAME']"), (numpy_helper.from_array(np.zeros(2, np.float32)), "a TensorProto")],
)
def test_attribute_that_onnx_runtime_does_not_show(value: Any, shown: str) -> None:
    model = op_model({**TWO_BY_TWO, "padding_mode": value})
    sentence = "MaxPoolV3Grad node 'pool': padding_mode is of another type; it must be a string"
    assert sentence in message_of(lambda: plain_session(model))
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.inference_session(model)
    assert str(caught.value) == f"MaxPoolV3Grad node 'pool': padding_mode is {shown}; it must be a string"


def test_unknown_attribute_is_found_by_inference_session() -> None:
    model = op_model({**TWO_BY_TWO, "padding": [0, 0, 0, 0]})
    plain_session(model)  # ONNX Runtime has no entry that lists a node's attributes
    with pytest.raises(
        mpg.MaxPoolGradError, match="node 'pool': attribute 'padding' is unknown; allowed are ksize"
    ):
        mpg.inference_session(model)


@pytest.mark.parametrize(("types", "sentence"), DTYPES)
def test_dtypes(types: tuple[int, int, int], sentence: str) -> None:
    model = op_model(TWO_BY_TWO, types=types, shapes=TWO_BY_TWO_SHAPES)
    assert f"MaxPoolV3Grad node 'pool': {sentence}" in message_of(lambda: plain_session(model))
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.inference_session(model)
    assert str(caught.value).startswith(f"MaxPoolV3Grad node 'pool': {sentence}")


@pytest.mark.parametrize("types", [(F32, F16, F64), (F64, BF16, F64), (TensorProto.FLOAT8E5M2,) * 3])
def test_dtypes_that_onnx_runtime_refuses_by_itself(types: tuple[int, int, int]) -> None:
    model = op_model(TWO_BY_TWO, types=types, shapes=TWO_BY_TWO_SHAPES)
    message = message_of(lambda: plain_session(model))
    assert "pool" in message
    assert "MaxPoolV3Grad" in message


@pytest.mark.parametrize(("shapes", "sentence"), SHAPES)
def test_shapes_known_at_creation(shapes: Any, sentence: str) -> None:
    model = op_model(TWO_BY_TWO, shapes=shapes)
    assert f"MaxPoolV3Grad node 'pool': {sentence}" in message_of(lambda: plain_session(model))
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.inference_session(model)
    assert str(caught.value).startswith(f"MaxPoolV3Grad node 'pool': {sentence}")


@pytest.mark.parametrize(("shapes", "sentence"), SHAPES)
def test_shapes_known_when_run(shapes: Any, sentence: str) -> None:
    feeds = {n: np.zeros(s, np.float32) for n, s in zip(INPUTS, shapes, strict=True)}
    model = op_model(TWO_BY_TWO)
    session = plain_session(model)
    message = message_of(lambda: session.run(None, feeds))
    assert f"Status Message: MaxPoolV3Grad node 'pool': {sentence}" in message
    own = mpg.inference_session(model)
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        own.run(None, feeds)
    assert str(caught.value).startswith(f"MaxPoolV3Grad node 'pool': {sentence}")
    assert caught.value.code == "E13014"
    good = [np.zeros(s, np.float32) for s in TWO_BY_TWO_SHAPES]
    assert own.run(None, dict(zip(INPUTS, good, strict=True)))[0].shape == (1, 1, 4, 4)


def test_partly_known_shapes_are_checked_as_far_as_they_go() -> None:
    shapes = [["n", 1, 4, 4], None, ["n", 1, "h", 3]]
    sentence = "MaxPoolV3Grad node 'pool': width of grad is 3; for width 4 of orig_input"
    assert sentence in message_of(lambda: plain_session(op_model(TWO_BY_TWO, shapes=shapes)))


def test_scalar_is_refused_when_it_runs() -> None:
    session = plain_session(op_model(TWO_BY_TWO, shapes=[[1, 1, 4, 4], [], [1, 1, 2, 2]]))
    feeds = dict(
        zip(INPUTS, [np.zeros(s, np.float32) for s in ([1, 1, 4, 4], [], [1, 1, 2, 2])], strict=True)
    )
    message = message_of(lambda: session.run(None, feeds))
    assert "the shape of orig_output is []; it must have 4 dimensions" in message


def test_product_of_dimensions_beyond_int64() -> None:
    shapes = [[HUGE, HUGE, 4, 4], None, None]
    sentence = (
        f"the shape of orig_input is [{HUGE}, {HUGE}, 4, 4]; the product of its dimensions must be at most"
    )
    assert sentence in message_of(lambda: plain_session(op_model(TWO_BY_TWO, shapes=shapes)))


def test_unnamed_node() -> None:
    model = op_model({**TWO_BY_TWO, "ceil_mode": 2}, node="")
    sentence = "an unnamed MaxPoolV3Grad node: ceil_mode is 2; allowed are 0 and 1"
    assert sentence in message_of(lambda: plain_session(model))
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.inference_session(model)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        (INPUTS[:2], "the number of inputs is 2; it must be 3: orig_input, orig_output, grad"),
        ((*INPUTS, "grad"), "the number of inputs is 4; it must be 3: orig_input, orig_output, grad"),
        (
            (INPUTS[0], "", INPUTS[2]),
            "input orig_output is missing (an empty name); all three inputs are required",
        ),
    ],
)
def test_number_of_inputs(inputs: tuple[str, ...], sentence: str) -> None:
    model = op_model(TWO_BY_TWO, inputs=inputs)
    message = message_of(
        lambda: plain_session(model)
    )  # ONNX Runtime's own words, before the library is asked
    assert "Node" in message
    assert "pool" in message
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.inference_session(model)
    assert str(caught.value) == f"MaxPoolV3Grad node 'pool': {sentence}"


def test_number_of_outputs() -> None:
    with pytest.raises(mpg.MaxPoolGradError, match="the number of outputs is 2; it must be 1: out_grad"):
        mpg.inference_session(op_model(TWO_BY_TWO, outputs=("out_grad", "indices")))


def test_nodes_inside_a_graph_attribute_are_refused_too() -> None:
    op = helper.make_node(
        "MaxPoolV3Grad", INPUTS, ["then_out"], name="inner", domain="npu", **TWO_BY_TWO, padding="SAME"
    )
    identity = helper.make_node("Identity", ["orig_input"], ["else_out"])
    branches = {
        f"{name}_branch": helper.make_graph(
            [node], name, [], [helper.make_tensor_value_info(f"{name}_out", F32, None)]
        )
        for name, node in (("then", op), ("else", identity))
    }
    choice = helper.make_node("If", ["condition"], ["out"], **branches)
    inputs = [helper.make_tensor_value_info(name, F32, None) for name in INPUTS]
    condition = helper.make_tensor_value_info("condition", TensorProto.BOOL, [])
    model = model_of([choice], [*inputs, condition], [helper.make_tensor_value_info("out", F32, None)])
    with pytest.raises(mpg.MaxPoolGradError, match="node 'inner': attribute 'padding' is unknown"):
        mpg.inference_session(model)


def test_one_refused_run_leaves_io_binding_usable() -> None:
    session = mpg.inference_session(op_model(TWO_BY_TWO), sess_options=plain_options())
    binding = session.io_binding()
    for name, shape in zip(INPUTS, ([1, 1, 4, 4], [1, 1, 3, 2], [1, 1, 3, 2]), strict=True):
        binding.bind_cpu_input(name, np.zeros(shape, np.float32))
    binding.bind_output("out_grad")
    with pytest.raises(mpg.MaxPoolGradError, match="height of orig_output is 3"):
        session.run_with_iobinding(binding)
    for name, shape in zip(INPUTS, TWO_BY_TWO_SHAPES, strict=True):
        binding.bind_cpu_input(name, np.zeros(shape, np.float32))
    session.run_with_iobinding(binding)
    assert binding.copy_outputs_to_cpu()[0].shape == (1, 1, 4, 4)
