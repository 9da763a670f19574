"""What cannot be made into a training step: one sentence with the node, the reason and a way out."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from maxpoolgrad_onnx import MaxPoolGradError, add_training_step
from maxpoolgrad_onnx.arrays import Array
from support_step import forward_model, named_nodes


def ones(*shape: int, dtype: Any = np.float32) -> Array:
    return np.ones(shape, dtype)


def refused(model: onnx.ModelProto, pattern: str, **options: Any) -> None:
    with pytest.raises(MaxPoolGradError, match=pattern) as caught:
        add_training_step(model, **options)
    assert "\n" not in str(caught.value)


def pool(attributes: str, size: str = "8,8", *, nodes: str = "", dtype: str = "float") -> onnx.ModelProto:
    """Conv, the pool in question as node 'p', and a head that any size of the pool's output fits."""
    kind = np.float64 if dtype == "double" else np.float32
    text = f"c = Conv (x, w) p, i = MaxPool <{attributes}> (c) f = Flatten (p) {nodes}"
    text += " h = MatMul (f, v)" if "h =" not in nodes else ""
    model = forward_model(
        text.replace("'", '"'),
        {"w": ones(1, 1, 1, 1, dtype=kind), "v": ones(1, 4, dtype=kind)},
        inputs=f"{dtype}[2,1,{size}] x",
        outputs=f"{dtype}[2,4] h",
    )
    return named_nodes(model)


POOLS = {
    "dilations": (
        pool("kernel_shape = [2, 2], dilations = [2, 1]"),
        r"MaxPool node 'p': dilations is \[2, 1\]; MaxPoolV3Grad has none; use dilations of 1",
    ),
    "storage order": (
        pool("kernel_shape = [2, 2], storage_order = 1"),
        r"MaxPool node 'p': storage_order is 1 .*; remove the attribute",
    ),
    "window": (
        pool("kernel_shape = [256, 1], strides = [1, 1]", "300,1"),
        r"MaxPool node 'p': ksize is \[1, 1, 256, 1\].*256 must lie in \[1, 255\].*; pool in several steps",
    ),
    "stride": (
        pool("kernel_shape = [2, 2], strides = [1, 64]", "8,130"),
        r"MaxPool node 'p': strides is \[1, 1, 1, 64\].*64 must lie in \[1, 63\].*; pool in several steps",
    ),
    "double": (
        pool("kernel_shape = [2, 2]", dtype="double"),
        r"MaxPool node 'p': the dtype of orig_input is float64; allowed are float16 and float32",
    ),
    "VALID and ceil, not the same": (
        pool("kernel_shape = [3, 3], strides = [2, 2], auto_pad = 'VALID', ceil_mode = 1"),
        r"MaxPool node 'p': auto_pad is VALID and ceil_mode is 1.*; write pads \[0, 0, 0, 0\]",
    ),
    "SAME_LOWER of an unknown size": (
        pool("kernel_shape = [2, 2], strides = [2, 2], auto_pad = 'SAME_LOWER'", "H,8"),
        r"MaxPool node 'p': auto_pad SAME_LOWER .* needs the input's height and width.*; fix it",
    ),
}


@pytest.mark.parametrize(("model", "pattern"), POOLS.values(), ids=POOLS.keys())
def test_pools(model: onnx.ModelProto, pattern: str) -> None:
    refused(model, pattern)


def test_indices_in_use() -> None:
    model = pool("kernel_shape = [8, 8]")
    cast = helper.make_node("Cast", ["i"], ["j"], to=TensorProto.FLOAT)
    flat = helper.make_node("Flatten", ["j"], ["k"])
    add = helper.make_node("Add", ["f", "k"], ["g"])
    matmul = model.graph.node.pop()
    matmul.input[0] = "g"
    model.graph.node.extend([cast, flat, add, matmul])
    refused(model, r"MaxPool node 'p': its second output, Indices \('i'\), is in use.*; remove what reads it")


def test_indices_not_in_use_are_dropped() -> None:
    step = add_training_step(pool("kernel_shape = [8, 8]"))
    assert [list(node.output) for node in step.graph.node if node.op_type == "MaxPool"] == [["p"]]


def test_convolution_and_pooling_of_volumes() -> None:
    volume = "float[2,1,4,4,4] x"
    head = "f = Flatten (c) h = MatMul (f, v)"
    weights = {"w": ones(1, 1, 2, 2, 2), "v": ones(27, 4)}
    for op_type in ("Conv", "ConvTranspose"):
        weights["v"] = ones(27 if op_type == "Conv" else 125, 4)
        model = forward_model(f"c = {op_type} (x, w) {head}", weights, inputs=volume, outputs="float[2,4] h")
        refused(named_nodes(model), rf"{op_type} node 'c': its input has 5 dimensions.*\[N, C, L\]; write it")
    for op_type in ("MaxPool", "AveragePool"):
        model = forward_model(
            f"b = Add (x, w) c = {op_type} <kernel_shape = [2, 2, 2]> (b) {head}",
            {"w": ones(1), "v": ones(27, 4)},
            inputs=volume,
            outputs="float[2,4] h",
        )
        refused(named_nodes(model), rf"{op_type} node 'c': its input has 5 dimensions.*; write it")


def dense(nodes: str, logits: str = "float[2,4]", **weights: Array) -> onnx.ModelProto:
    model = forward_model(nodes, weights, inputs="float[2,3] x", outputs=f"{logits} logits")
    return named_nodes(model)


NODES = {
    "operator without a rule": (
        dense("y = MatMul (x, w) logits = Selu (y)", w=ones(3, 4)),
        r"Selu node 'logits': there is no gradient rule for Selu.*rules exist for Abs, Add, .*; replace",
    ),
    "operator of another domain": (
        dense("y = MatMul (x, w) z = com.microsoft.Gelu (y) logits = Relu (z)", w=ones(3, 4)),
        r"Gelu node 'z': there is no gradient rule for com.microsoft::Gelu",
    ),
    "control flow around a parameter": (
        dense(
            "t = Constant <value = bool {1}> () "
            "logits = If (t) <then_branch = a () => (p) { p = MatMul (x, w) }, else_branch = b () => (q) "
            "{ q = MatMul (x, v) }>",
            w=ones(3, 4),
            v=ones(3, 4),
        ),
        r"If node 'logits': there is no gradient rule for If",
    ),
    "softmax at the end": (
        dense("y = MatMul (x, w) logits = Softmax (y)", w=ones(3, 4)),
        r"output 'logits' comes from Softmax node 'logits'.*; end the model at 'y'",
    ),
    "no parameter": (
        dense("logits = Relu (x)"),
        r"output 'logits' depends on no initializer.*; keep the weights",
    ),
    "no gradient reaches the parameter": (
        dense(
            "y = MatMul (x, w) a = ArgMax <axis = 1> (y) logits = Cast <to = 1> (a)",
            "float[2,1]",
            w=ones(3, 4),
        ),
        r"output 'logits' depends on no initializer.*; keep the weights",
    ),
    "logits of another rank": (
        dense("y = MatMul (x, w) logits = ReduceSum <keepdims = 0> (y)", "float", w=ones(3, 4)),
        r"output 'logits' is FLOAT \[\]; the loss needs logits.*\[N, classes, \.\.\.\]",
    ),
    "logits that are no floats": (
        dense("y = MatMul (x, w) logits = Cast <to = 7> (y)", "int64[2,4]", w=ones(3, 4)),
        r"output 'logits' is INT64 \[2,4\]; the loss needs logits",
    ),
}


@pytest.mark.parametrize(("model", "pattern"), NODES.values(), ids=NODES.keys())
def test_nodes_and_outputs(model: onnx.ModelProto, pattern: str) -> None:
    if any(node.domain for node in model.graph.node):
        model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    refused(model, pattern)


def test_a_dimension_that_may_or_may_not_be_broadcast() -> None:
    model = forward_model(
        "y = MatMul (x, w) logits = Add (y, b)",
        {"w": ones(3, 4), "b": ones(2, 4)},
        inputs="float[N,3] x",
        outputs="float[2,4] logits",
    )
    refused(
        named_nodes(model),
        r"Add node 'logits': dimension N of 'y' meets 2 in the result.*; fix the dimension",
    )


def test_a_shape_that_cannot_be_inferred() -> None:
    model = forward_model("logits = MatMul (x, w)", {"w": ones(3, 4)}, inputs="float[] x")
    del model.graph.input[0].type.tensor_type.shape.dim[:]
    model.graph.input[0].type.tensor_type.ClearField("shape")
    refused(
        named_nodes(model),
        r"MatMul node 'logits': the shape of 'x' cannot be inferred; give the model's inputs",
    )


SOUND = {"nodes": "logits = MatMul (x, w)", "weights": {"w": ones(3, 4)}, "inputs": "float[2,3] x"}

OPTIONS = {
    "outputs": ({"outputs": "both"}, r"outputs is 'both'; allowed are 'update', 'grads'"),
    "output": ({"output": "y"}, r"the model has no output 'y'; its outputs are 'logits'"),
    "frozen": ({"frozen": ["*"]}, r"output 'logits' depends on no initializer.*frozen"),
    "frozen, a slip": ({"frozen": ["w", "v*"]}, r"like the pattern of frozen ones 'v\*'; there are 'w'"),
}


@pytest.mark.parametrize(("options", "pattern"), OPTIONS.values(), ids=OPTIONS.keys())
def test_options(options: dict[str, Any], pattern: str) -> None:
    refused(forward_model(**SOUND), pattern, **options)


def test_several_outputs_want_a_name() -> None:
    model = forward_model(
        "logits = MatMul (x, w) other = Relu (logits)",
        {"w": ones(3, 4)},
        inputs="float[2,3] x",
        outputs="float[2,4] logits, float[2,4] other",
    )
    refused(model, r"the model has 2 outputs \('logits', 'other'\); name the one with the logits \(--logits;")
    add_training_step(model, output="logits")


def test_a_step_is_no_forward_model() -> None:
    for outputs in ("update", "grads"):
        step = add_training_step(forward_model(**SOUND), outputs=outputs)
        refused(step, r"the model is a training step already; give the forward model")


def test_a_value_that_nothing_gives(caplog: pytest.LogCaptureFixture) -> None:
    model = named_nodes(forward_model(**SOUND))
    del model.graph.initializer[:]
    refused(model, r"MatMul node 'logits' reads 'w', which nothing in the model gives; export the model with")
    assert not caplog.records


def test_a_value_that_two_nodes_give() -> None:
    nodes = "logits = MatMul (x, w) logits = Relu (logits)"
    model = forward_model(nodes, {"w": ones(3, 4)}, inputs="float[2,3] x")
    refused(model, r"Relu node 'logits' makes 'logits', which the model has already; rename one of them")


def test_a_sparse_initializer() -> None:
    model = forward_model(**SOUND)
    del model.graph.initializer[:]
    values, indices = helper.make_tensor("w", 1, [1], [2.0]), helper.make_tensor("i", 7, [1], [5])
    model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, [3, 4]))
    refused(model, r"initializer 'w' is sparse; write it as an ordinary one, with its zeros")


@pytest.mark.parametrize("name", ["labels", "loss", "learning_rate"])
def test_an_input_with_a_name_of_the_step(name: str) -> None:
    model = forward_model(f"logits = MatMul ({name}, w)", {"w": ones(3, 4)}, inputs=f"float[2,3] {name}")
    refused(model, rf"'{name}' is an input or parameter of the forward model.*; rename it")


def test_opsets_that_cannot_be_had() -> None:
    new = forward_model(
        "y = MatMul (x, w) logits = Swish (y)", {"w": ones(3, 4)}, inputs="float[2,3] x", opset=24
    )
    refused(
        new, r"the model imports opset 24, and onnx.version_converter cannot bring it to 18 \(.*\); export it"
    )
    none = forward_model(**SOUND)
    del none.opset_import[:]
    refused(none, r"the model imports no version of ai.onnx; add an opset_import")


def test_models_that_are_none() -> None:
    refused(onnx.ModelProto(), r"the model has no nodes; give a forward model")
    with pytest.raises(MaxPoolGradError, match=re.escape("/nowhere/forward.onnx")):
        add_training_step("/nowhere/forward.onnx")
