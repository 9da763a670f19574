"""Forward models that are odd or wrong: a step that runs, or one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import AttributeProto, helper

from maxpoolgrad_onnx import MaxPoolGradError, add_training_step
from maxpoolgrad_onnx.gradient import SGD, initial_state
from support_ort import outputs_of
from support_step import forward_model, named_nodes

CNN = """c = Conv <pads = [1, 1, 1, 1]> (x, w) r = Relu (c)
         p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (r)"""
HEAD = "f = Flatten (p) logits = Gemm (f, v, b)"


def model(nodes: str = f"{CNN} {HEAD}", **weights: Any) -> onnx.ModelProto:
    rng = np.random.default_rng(0)
    shapes = {"w": (2, 3, 3, 3), "v": (18, 4), "b": (4,)} | weights
    arrays = {name: rng.standard_normal(tuple(shape)).astype(np.float32) for name, shape in shapes.items()}
    return named_nodes(forward_model(nodes, arrays))


def node(proto: onnx.ModelProto, name: str) -> onnx.NodeProto:
    return next(found for found in proto.graph.node if found.name == name)


def first_loss(proto: onnx.ModelProto, **options: Any) -> float:
    step = add_training_step(proto, **options)
    rng = np.random.default_rng(1)
    x = rng.standard_normal((2, 3, 6, 6)).astype(np.float32)
    feeds = {"x": x, "labels": np.array([0, 3]), "learning_rate": np.array(0.1, np.float32)}
    return float(outputs_of(step, {**initial_state(proto, step), **feeds})["loss"])


def test_nodes_of_one_name_get_their_own() -> None:
    proto = model()
    for found in proto.graph.node:
        found.name = "same"
    assert first_loss(proto) == first_loss(model())


def test_nodes_out_of_order() -> None:
    proto = model()
    nodes = list(proto.graph.node)
    late = [nodes[0], nodes[3], nodes[1], nodes[2], nodes[4]]  # Flatten before its MaxPool
    del proto.graph.node[:]
    proto.graph.node.extend(late)
    with pytest.raises(MaxPoolGradError, match=r"cannot be inferred|is not sound"):
        add_training_step(proto)
    proto.graph.node.sort(key=nodes.index)
    constant = helper.make_node("Constant", [], ["b"], value_floats=[0.0, 1.0, 2.0, 3.0])
    proto.graph.initializer.pop()
    proto.graph.node.append(constant)  # read before it is made, as ONNX Runtime allows
    assert np.isfinite(first_loss(proto))


def test_nodes_in_a_circle() -> None:
    proto = model(f"a = Add (x, e) e = Add (a, x) {CNN} {HEAD}")
    node(proto, "c").input[0] = "a"
    with pytest.raises(MaxPoolGradError, match=r"the model is not sound: .*cycle"):
        add_training_step(proto)


def test_identities_in_a_circle() -> None:
    proto = model()
    reader = proto.graph.node[-1]
    proto.graph.node.append(onnx.helper.make_node("Identity", ["second"], ["first"]))
    proto.graph.node.append(onnx.helper.make_node("Identity", ["first"], ["second"]))
    reader.input[0] = "second"
    with pytest.raises(MaxPoolGradError, match=r"the model is not sound: .*cycle"):
        add_training_step(proto)


def test_an_input_without_a_name() -> None:
    proto = model()
    proto.graph.input[0].name = node(proto, "c").input[0] = ""
    with pytest.raises(MaxPoolGradError, match=r"the model is not sound: .*\(c\).*empty string"):
        add_training_step(proto)


def test_an_output_that_nothing_makes() -> None:
    proto = model()
    proto.graph.output[0].name = "nobody"
    with pytest.raises(MaxPoolGradError, match="nothing in the model gives its output 'nobody'"):
        add_training_step(proto)


WRONG_ATTRIBUTES = {
    "unknown": helper.make_attribute("nonsense", 1),
    "of another type": helper.make_attribute("kernel_shape", "2"),
    "of no type": AttributeProto(name="ceil_mode", i=1),
    "too short": helper.make_attribute("strides", [1]),
    "zero": helper.make_attribute("strides", [0, 0]),
}


@pytest.mark.parametrize("attribute", WRONG_ATTRIBUTES.values(), ids=WRONG_ATTRIBUTES.keys())
@pytest.mark.parametrize("name", ["c", "p"])
def test_attributes_that_no_operator_has(name: str, attribute: AttributeProto) -> None:
    proto = model()
    if name == "c" and attribute.name == "ceil_mode":
        attribute = AttributeProto(name="group", i=1)
    kept = [other for other in node(proto, name).attribute if other.name != attribute.name]
    del node(proto, name).attribute[:]
    node(proto, name).attribute.extend([*kept, attribute])
    with pytest.raises(MaxPoolGradError) as caught:
        add_training_step(proto)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ({"v": (17, 4)}, r"is not sound: .*logits.*(18 and 17|17 and 18)"),
        ({"w": (2, 2, 3, 3)}, r"Conv node 'c': its filter takes 2 channels .*, and the input has 3"),
        ({"w": (2, 3, 9, 9)}, r"is not sound|cannot be inferred"),
        ({"b": (5,)}, r"is not sound|cannot be inferred"),
    ],
)
def test_weights_that_do_not_fit(weights: dict[str, Any], words: str) -> None:
    with pytest.raises(MaxPoolGradError, match=words):
        add_training_step(model(**weights))


@pytest.mark.parametrize(
    ("group", "words"), [(0, "group is 0; it"), (-1, "group is -1; it"), (4, "2 filters")]
)
def test_groups_that_do_not_fit(group: int, words: str) -> None:
    proto = model()
    node(proto, "c").attribute.append(helper.make_attribute("group", group))
    with pytest.raises(MaxPoolGradError, match=f"Conv node 'c': .*{words}"):
        add_training_step(proto)


@pytest.mark.parametrize("dims", [[0, 4], [2, 0]])
def test_no_examples_or_no_classes(dims: list[int]) -> None:
    rows, classes = dims
    weights = {"v": np.ones((3, classes), np.float32)}
    proto = forward_model(
        "logits = MatMul (x, v)",
        weights,
        inputs=f"float[{rows},3] x",
        outputs=f"float[{rows},{classes}] logits",
    )
    with pytest.raises(MaxPoolGradError, match=r"the loss needs logits: .*no size 0"):
        add_training_step(proto)


@pytest.mark.parametrize("momentum", ["0.9", None, float("nan"), float("inf"), -0.1, 1e300, [0.9]])
def test_momenta_that_are_none(momentum: Any) -> None:
    with pytest.raises(MaxPoolGradError, match=r"^momentum is .*; it must be a number, 0 (or more|to 65504)"):
        add_training_step(model(), optimizer=SGD(momentum))


def test_one_pattern_may_be_written_alone() -> None:
    step = add_training_step(model(), frozen="[vb]")
    assert [value.name for value in step.graph.output] == ["loss", "w.updated", "w.momentum.updated"]


def test_weights_whose_bytes_are_cut() -> None:
    proto = model()
    step = add_training_step(proto)
    tensor = proto.graph.initializer[0]
    for kept in (0, 3, len(tensor.raw_data) - 4):
        tensor.raw_data = tensor.raw_data[:kept]
        with pytest.raises(MaxPoolGradError, match=r"the elements of 'w' cannot be read: .*; export it"):
            initial_state(proto, step)
