"""What --input_shape and --out_nodes do to a model."""

from __future__ import annotations

import onnx
import pytest
from onnx import parser

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.converters.atc.input_shape import parse_input_shapes, set_input_shapes
from maxpoolgrad_onnx.converters.atc.out_nodes import cut_to_out_nodes, parse_out_nodes


def _model() -> onnx.ModelProto:
    model = parser.parse_model(
        """
        <ir_version: 9, opset_import: ["" : 18]>
        g (float[N, 3] x, float[2] y, float r) => (float[N, 3] out)
        <float[1] w = {2.0}, float[1] v = {3.0}>
        {
            a = Mul (x, w)
            b, c = Split <axis = 1, num_outputs = 2> (a)
            d = Mul (y, v)
            out = Relu (a)
        }
        """
    )
    for node, name in zip(model.graph.node, ("mul", "split", "other", "relu"), strict=True):
        node.name = name
    return model


def _shapes(model: onnx.ModelProto) -> dict[str, list[int]]:
    return {
        value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim] for value in model.graph.input
    }


def test_shapes_are_parsed() -> None:
    shapes = parse_input_shapes("a:1,3,8,8; b:2 ;c:")
    assert {name: shape.sizes for name, shape in shapes.items()} == {"a": (1, 3, 8, 8), "b": (2,), "c": ()}
    assert parse_input_shapes("scope/x:0:4, 5")["scope/x:0"].sizes == (4, 5)
    assert parse_input_shapes("") == {}


def test_ranges_are_parsed() -> None:
    shape = parse_input_shapes("a:1~8,3,-1,224,5~5")["a"]
    assert shape.sizes == (-1, 3, -1, 224, 5)
    assert shape.ranges == ((1, 8), (3, 3), (0, -1), (224, 224), (5, 5))
    assert shape.is_open
    assert not parse_input_shapes("a:2,3")["a"].is_open


def test_a_size_is_set() -> None:
    model = _model()
    set_input_shapes(model, parse_input_shapes("x:7,3;r:"))
    assert _shapes(model) == {"x": [7, 3], "y": [2], "r": []}


def test_an_open_size_keeps_its_name() -> None:
    model = _model()
    set_input_shapes(model, parse_input_shapes("x:1~8,3"))
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "N"


@pytest.mark.parametrize(
    ("shapes", "code", "told"),
    [
        ("z:1", "E10016", "'z'; the model's inputs are x, y, r"),
        ("w:1", "E10016", "'w'"),
        ("x:1,3,1", "E10049", "3 dimensions; the model's input has 2"),
        ("r:1", "E10049", "1 dimensions; the model's input has 0"),
        ("y:3", "E10050", "fixes dimension 0 to 2"),
        ("y:-1", "E10050", "fixes dimension 0 to 2: export it with that dimension open"),
        ("y:1~2", "E10050", "fixes dimension 0 to 2"),
    ],
)
def test_shapes_that_do_not_fit(shapes: str, code: str, told: str) -> None:
    with pytest.raises(MaxPoolGradError) as caught:
        set_input_shapes(_model(), parse_input_shapes(shapes))
    assert caught.value.code == code
    assert told in str(caught.value)


def test_a_model_is_cut_to_its_out_nodes() -> None:
    model = _model()
    cut_to_out_nodes(model, parse_out_nodes("split:1;mul:0"))
    assert [node.name for node in model.graph.node] == ["mul", "split"]
    assert [value.name for value in model.graph.output] == ["c", "a"]
    assert [value.name for value in model.graph.input] == ["x"]
    assert [value.name for value in model.graph.initializer] == ["w"]
    onnx.shape_inference.infer_shapes(model, strict_mode=True)


def test_a_body_keeps_what_it_reads_from_outside() -> None:
    model = parser.parse_model(
        """
        <ir_version: 9, opset_import: ["" : 18]>
        g (bool p, float[2] x) => (float[2] y, float[2] z)
        <float[2] w = {1.0, 2.0}>
        {
            t = Add (x, w)
            y = If (p) <
                then_branch = then () => (float[2] u) { u = Neg (t) },
                else_branch = other () => (float[2] u) { u = Identity (x) }
            >
            z = Neg (x)
        }
        """
    )
    model.graph.node[1].name = "if"
    cut_to_out_nodes(model, parse_out_nodes("if:0"))
    assert [node.op_type for node in model.graph.node] == ["Add", "If"]
    onnx.checker.check_model(model, full_check=True)


@pytest.mark.parametrize(("text", "code"), [("none:0", "E11017"), ("mul:1", "E11016"), ("split:2", "E11016")])
def test_out_nodes_that_are_not_there(text: str, code: str) -> None:
    with pytest.raises(MaxPoolGradError) as caught:
        cut_to_out_nodes(_model(), parse_out_nodes(text))
    assert caught.value.code == code
    assert repr(text.split(":", maxsplit=1)[0]) in str(caught.value)
