"""BatchNormGrad that others wrote: what the host runs of it, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.ge_ir import DataType, Edge, GeModel, ListOf, Node, TensorDesc
from support_convert import onnx_model, there
from support_ort import outputs_of

X, DY = np.random.default_rng(0).standard_normal((2, 2, 3, 4, 4)).astype(np.float32)
VECTORS = {
    name: np.array(v, np.float32) for name, v in {"s": [1, 2, 3], "m": [0, 1, 2], "v": [4, 5, 6]}.items()
}
IMAGES = "float[2,3,4,4] g, float[2,3,4,4] x"
RESULTS = "float[a,b,c,d] y, float[e] d, float[f] o"
TRAINING = "y, d, o = npu.BatchNormGrad<epsilon=0.5>(g, x, s)"
GIVEN = "y, d, o = npu.BatchNormInferenceGrad<epsilon=0.5>(g, x, s, m, v)"


def changed(nodes: str, change: Callable[[Node], Node]) -> GeModel:
    """The GE IR of these nodes, each of its nodes changed."""
    model = there(onnx_model(nodes, IMAGES, RESULTS, VECTORS))
    return replace(model, graph=replace(model.graph, nodes=[change(node) for node in model.graph.nodes]))


def with_attribute(type_: str, name: str, value: object) -> Callable[[Node], Node]:
    def change(node: Node) -> Node:
        return replace(node, attrs={**node.attrs, name: value}) if node.type == type_ else node

    return change


def with_input(index: int, edge: Edge) -> Callable[[Node], Node]:
    def change(node: Node) -> Node:
        if node.type != "BatchNormGrad":
            return node
        return replace(node, inputs=[*node.inputs[:index], edge, *node.inputs[index + 1 :]])

    return change


def with_result(output: int) -> Callable[[Node], Node]:
    """Another output of the operator in the place of the last result."""

    def change(node: Node) -> Node:
        if node.type != "NetOutput":
            return node
        return replace(node, inputs=[*node.inputs[:2], Edge(node.inputs[0].node, output)])

    return change


def run(model: GeModel) -> list[Array]:
    return list(outputs_of(converters.ge_to_onnx(model), {"g": DY, "x": X}).values())


def test_what_the_mask_leaves_out_is_not_missed_in_training() -> None:
    mask = with_attribute("BatchNormGrad", "output_mask", ListOf("bool", [True, False, False]))
    wanted = outputs_of(onnx_model(TRAINING, IMAGES, RESULTS, VECTORS), {"g": DY, "x": X})
    for found, result in zip(run(changed(TRAINING, mask)), wanted.values(), strict=True):
        assert np.array_equal(found, result)


def test_float16_images_are_computed_in_float32() -> None:
    """As a precision mode lowers them: the sums stay float32."""
    half = DataType.FLOAT16

    def lowered(node: Node) -> Node:
        narrow = {
            "Data": ("x", "y"),
            "BatchNorm": ("x", "y"),
            "BatchNormGrad": ("y_backprop", "x", "x_backprop"),
        }

        def typed(descs: dict[str, TensorDesc]) -> dict[str, TensorDesc]:
            ports = narrow.get(node.type, ())
            return {
                port: replace(desc, dtype=half) if port in ports else desc for port, desc in descs.items()
            }

        return replace(
            node, input_descs=typed(dict(node.input_descs)), output_descs=typed(dict(node.output_descs))
        )

    model = changed(TRAINING, lowered)
    back = converters.ge_to_onnx(model)
    assert [node.op_type for node in back.graph.node] == ["Cast", "Cast", "BatchNormGrad", "Cast"]
    back.graph.output[0].type.tensor_type.elem_type = 10
    g, x = DY.astype(np.float16), X.astype(np.float16)
    found = outputs_of(back, {"g": g, "x": x})
    wide = outputs_of(
        onnx_model(TRAINING, IMAGES, RESULTS, VECTORS), {"g": g.astype(np.float32), "x": x.astype(np.float32)}
    )
    assert np.array_equal(found["y"], wide["y"].astype(np.float16))
    assert np.array_equal(found["d"], wide["d"])


def test_a_batch_norm_whose_result_is_used_stays_beside_the_gradient() -> None:
    model = onnx_model(
        "z, p, q = BatchNormalization<training_mode=1>(x, s, m, m, v) r = Relu(z) "
        "y, d, o = npu.BatchNormGrad<epsilon=0.00001>(g, x, s)",
        IMAGES,
        f"float[a,b,c,d] r, {RESULTS}",
        VECTORS,
    )
    back = converters.ge_to_onnx(there(model))
    assert [node.op_type for node in back.graph.node] == ["BatchNormalization", "Relu", "BatchNormGrad"]


RESERVE = "reserve_space_1 and 2 must be those of a BatchNorm that trains on the same x with the same epsilon"
REFUSED = {
    "another x": (TRAINING, with_input(1, Edge("g")), RESERVE),
    "reserves exchanged": (TRAINING, with_input(3, Edge("BatchNormGrad_y_statistics", 4)), RESERVE),
    "another output of BatchNorm": (TRAINING, with_input(3, Edge("BatchNormGrad_y_statistics", 1)), RESERVE),
    "another epsilon": (TRAINING, with_attribute("BatchNormGrad", "epsilon", 0.25), RESERVE),
    "a BatchNorm of given statistics": (
        TRAINING,
        with_attribute("BatchNorm", "is_training", False),
        "its output 3 is used; the host gives 1 of them",
    ),
    "no BatchNorm": (GIVEN, with_attribute("BatchNormGrad", "is_training", True), RESERVE),
    "another layout": (
        GIVEN,
        with_attribute("BatchNormGrad", "data_format", "NHWC"),
        "data_format is 'NHWC'; the host runs 'NCHW' and 'NCDHW'",
    ),
    "a result that is left out": (
        GIVEN,
        with_attribute("BatchNormGrad", "output_mask", ListOf("bool", [True, True, False])),
        "its output 2 is used, and output_mask is [True, True, False]",
    ),
    "reserve_space_4": (GIVEN, with_result(3), "its output 3 is used; the host gives 3 of them"),
    "a mask of ints": (
        GIVEN,
        with_attribute("BatchNormGrad", "output_mask", ListOf("int", [1, 1, 1])),
        "the attribute output_mask is [1, 1, 1]; it must be of kind ListBool",
    ),
}


@pytest.mark.parametrize(("nodes", "change", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(nodes: str, change: Callable[[Node], Node], words: str) -> None:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.ge_to_onnx(changed(nodes, change))
    assert words in str(caught.value)
    assert caught.value.code == "E10501"


def test_inputs_of_two_types_are_refused() -> None:
    model = onnx_model(TRAINING, IMAGES.replace("float[2,3,4,4] g", "double[2,3,4,4] g"), RESULTS, VECTORS)
    words = "an input of it is DT_DOUBLE and x is DT_FLOAT; all are of one type: cast them"
    with pytest.raises(mpg.MaxPoolGradError, match=words):
        converters.onnx_to_ge(model)


def test_double_is_refused_where_ge_lacks_it() -> None:
    images = IMAGES.replace("float", "double")
    doubles = {name: array.astype(np.float64) for name, array in VECTORS.items()}
    model = onnx_model(TRAINING, images, RESULTS.replace("float", "double"), doubles)
    with pytest.raises(mpg.MaxPoolGradError, match="x of BatchNorm is DT_DOUBLE"):
        converters.onnx_to_ge(model)
