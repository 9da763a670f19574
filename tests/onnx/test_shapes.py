"""Shape inference sees through the operator, with no schema registered."""

from __future__ import annotations

import time

import onnx
import onnx.defs
import onnx.parser
import pytest

from maxpoolgrad_onnx import MaxPoolGradError, infer_shapes, make_node
from maxpoolgrad_onnx.contract import PoolAttributes

NESTED = """
<ir_version: 7, opset_import: ["" : 18, "npu" : 1]>
graph (float[n,3,8,8] x, float[n,3,4,4] y, float[n,3,4,4] g, bool choose) => (float[?,?,?,?] out)
{
  a = npu.NPUMaxPoolV3Grad <ksize = [1, 1, 2, 2], strides = [1, 1, 2, 2]> (x, y, g)
  b = Flatten (a)
  out = If (choose) <
    then_branch = then () => (then_out) {
      c = npu.MaxPoolV3Grad <ksize = [1, 1, 2, 2], strides = [1, 1, 2, 2]> (a, y, g)
      then_out = Relu (c)
    },
    else_branch = else () => (else_out) { else_out = Identity (x) }
  >
}
"""


def shapes(graph: onnx.GraphProto) -> dict[str, list[int | str]]:
    return {
        value.name: [
            dim.dim_value if dim.HasField("dim_value") else dim.dim_param
            for dim in value.type.tensor_type.shape.dim
        ]
        for value in (*graph.value_info, *graph.output)
    }


def test_through_both_spellings_and_into_subgraphs() -> None:
    model = onnx.parser.parse_model(NESTED)
    inferred = infer_shapes(model)
    found = shapes(inferred.graph)
    assert found["a"] == ["n", 3, 8, 8]
    assert found["b"] == ["n", 192]
    assert found["out"] == ["n", 3, 8, 8]
    assert shapes(inferred.graph.node[2].attribute[0].g)["c"] == ["n", 3, 8, 8]


def test_only_types_are_added_and_nothing_is_registered() -> None:
    model = onnx.parser.parse_model(NESTED)
    before, known = model.SerializeToString(), onnx.defs.has("MaxPoolV3Grad", domain="npu")
    inferred = infer_shapes(model)
    assert model.SerializeToString() == before
    assert onnx.defs.has("MaxPoolV3Grad", domain="npu") == known
    assert inferred.opset_import == model.opset_import
    assert [n.op_type for n in inferred.graph.node] == ["NPUMaxPoolV3Grad", "Flatten", "If"]
    assert inferred.graph.node[0] == model.graph.node[0]


def test_a_node_whose_inputs_follow_from_the_model_is_checked() -> None:
    text = NESTED.replace("(a, y, g)", "(a, y, x)")
    with pytest.raises(MaxPoolGradError, match=r"grad is .*\[\?, 3, 8, 8\]|grad is .*8.*must be that of"):
        infer_shapes(onnx.parser.parse_model(text))


def test_attributes_are_checked_where_no_shape_is_known() -> None:
    text = """
    <ir_version: 7, opset_import: ["" : 18, "npu" : 1]>
    graph (float[?,?,?,?] x, float[?,?,?,?] y, float[?,?,?,?] g) => (float[?,?,?,?] out)
    { out = npu.MaxPoolV3Grad <ksize = [1, 1, 300, 2], strides = [1, 1, 2, 2]> (x, y, g) }
    """
    with pytest.raises(MaxPoolGradError, match=r"ksize.*300"):
        infer_shapes(onnx.parser.parse_model(text))


def test_a_huge_vector_costs_nothing() -> None:
    """onnx's data propagation would allocate a message for each of its 2^40 elements."""
    model = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 18]> g (float[1099511627776] x) => (float[n] y) { y = Sub(x, x) }'
    )
    start = time.perf_counter()
    inferred = infer_shapes(model)
    assert time.perf_counter() - start < 1
    assert inferred.graph.output[0].type.tensor_type.shape.dim[0].dim_value == 2**40


def test_an_unknown_attribute_that_is_a_reference_is_refused_as_unknown() -> None:
    node = make_node(ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2])
    node.attribute.append(
        onnx.AttributeProto(name="dilations", ref_attr_name="d", type=onnx.AttributeProto.INTS)
    )
    with pytest.raises(MaxPoolGradError, match="attribute 'dilations' is unknown"):
        PoolAttributes.from_node(node)
