"""The embedded function body gives the operator's bits in ONNX Runtime alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest

from maxpoolgrad_onnx import MaxPoolGradError, embed_function, reference
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import ATTRIBUTES, INPUT_NAMES, OUTPUT_NAME
from maxpoolgrad_onnx.function_body import function_body
from maxpoolgrad_onnx.nodes import nested
from support import Case, random_cases, same_bits
from support_alone import run_alone


def one_op_model(case: Case, *, opset: int = 18, static: bool = False) -> onnx.ModelProto:
    """A model without a function; dimensions are unknown unless `static`, default attributes not written."""
    element = onnx.helper.np_dtype_to_tensor_dtype(case.grad.dtype)
    arrays = [*case.inputs, case.orig_input]
    values = [
        onnx.helper.make_tensor_value_info(
            name, element, array.shape if static else [f"{name}_{axis}" for axis in range(4)]
        )
        for name, array in zip((*INPUT_NAMES, OUTPUT_NAME), arrays, strict=True)
    ]
    defaults = {name: default for name, _, required, default in ATTRIBUTES if not required}
    written = {
        name: value
        for name, value in case.attributes.items()
        if name not in defaults or value != type(value)(defaults[name])
    }
    node = onnx.helper.make_node(
        "MaxPoolV3Grad", list(INPUT_NAMES), [OUTPUT_NAME], name="pool", domain="npu", **written
    )
    graph = onnx.helper.make_graph([node], "one", values[:3], values[3:])
    imports = [onnx.helper.make_opsetid("", opset), onnx.helper.make_opsetid("npu", 1)]
    return onnx.helper.make_model(graph, opset_imports=imports, ir_version=9)


def expected(case: Case) -> Array:
    return reference.max_pool_v3_grad(*case.inputs, **case.attributes)


def test_random_cases_have_the_references_bits(tmp_path: Path, scale: Callable[[int, int], int]) -> None:
    cases = list(random_cases(201, scale(60, 1000)))
    models = [embed_function(one_op_model(case, static=bool(i % 2))) for i, case in enumerate(cases)]
    results = run_alone(tmp_path, zip(models, (case.feeds for case in cases), strict=True))
    different = [
        c.name for c, result in zip(cases, results, strict=True) if not same_bits(result, expected(c))
    ]
    assert different == []


@pytest.mark.parametrize("opset", [15, 16, 17, 18, 20])
def test_every_opset_from_15(tmp_path: Path, opset: int) -> None:
    cases = list(random_cases(202, 6))
    models = [embed_function(one_op_model(case, opset=opset)) for case in cases]
    for model in models:
        onnx.checker.check_model(model, full_check=True)
        assert {entry.domain: entry.version for entry in model.functions[0].opset_import} == {"": opset}
    results = run_alone(tmp_path, zip(models, (case.feeds for case in cases), strict=True))
    assert all(same_bits(result, expected(c)) for c, result in zip(cases, results, strict=True))


def test_large_planes_take_the_vectorised_paths_of_the_runtime(tmp_path: Path) -> None:
    rng = np.random.default_rng(203)
    attributes: dict[str, Any] = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 1], "pads": [1, 0, 0, 1]}
    cases = []
    for dtype in (np.float32, np.float16):
        x = np.maximum(rng.standard_normal((2, 8, 40, 37)), 0).astype(dtype)
        y = reference.max_pool_v3(x, **attributes)
        g = (rng.standard_normal(y.shape) * np.exp2(rng.integers(-8, 9, y.shape))).astype(dtype)
        cases.append(Case("large", attributes, x, y, g))
    models = [embed_function(one_op_model(case)) for case in cases]
    results = run_alone(tmp_path, zip(models, (case.feeds for case in cases), strict=True))
    assert all(same_bits(result, expected(c)) for c, result in zip(cases, results, strict=True))


TWO_POOLS = """
<ir_version: 7, opset_import: ["" : 18, "npu" : 1]>
graph (float[1,1,4,4] x, float[1,1,2,2] y, float[1,1,2,2] g, bool choose) => (float[1,1,4,4] out)
{
  out = If (choose) <
    then_branch = overlapping () => (float[1,1,4,4] a)
      { a = npu.MaxPoolV3Grad <ksize = [1, 1, 3, 3], strides = [1, 1, 1, 1]> (x, y, g) },
    else_branch = apart () => (float[1,1,4,4] b)
      { b = npu.NPUMaxPoolV3Grad <ksize = [1, 1, 2, 2], strides = [1, 1, 2, 2]> (x, y, g) }
  >
}
"""


def test_two_spellings_inside_the_branches_of_an_if(tmp_path: Path) -> None:
    model = embed_function(onnx.parser.parse_model(TWO_POOLS))
    onnx.checker.check_model(model, full_check=True)
    assert [function.name for function in model.functions] == ["MaxPoolV3Grad", "NPUMaxPoolV3Grad"]
    assert model.ir_version == 8
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4) % 7
    g = np.array([[[[1.0, 2.0], [3.0, 4.0]]]], np.float32)
    attributes: dict[bool, dict[str, Any]] = {
        True: {"ksize": (1, 1, 3, 3), "strides": (1, 1, 1, 1)},
        False: {"ksize": (1, 1, 2, 2), "strides": (1, 1, 2, 2)},
    }
    pooled = {choose: reference.max_pool_v3(x, **attributes[choose]) for choose in (True, False)}
    feeds = [{"x": x, "y": pooled[choose], "g": g, "choose": np.array(choose)} for choose in (True, False)]
    results = run_alone(tmp_path, [(model, feed) for feed in feeds])
    for choose, result in zip((True, False), results, strict=True):
        assert same_bits(result, reference.max_pool_v3_grad(x, pooled[choose], g, **attributes[choose]))


def test_the_models_own_proto_stays_and_twice_is_once() -> None:
    model = one_op_model(next(random_cases(204, 1)))
    before = model.SerializeToString()
    once = embed_function(model)
    assert model.SerializeToString() == before
    assert embed_function(once).SerializeToString() == once.SerializeToString()
    assert [a.name for a in once.graph.node[0].attribute if a.name == "pads"] == ["pads"]
    assert {a.name for a in once.graph.node[0].attribute} == set(once.functions[0].attribute)


def test_a_model_without_the_operator_stays_as_it_is() -> None:
    text = '<ir_version: 7, opset_import: ["" : 9]> graph (float[2] x) => (float[2] y) { y = Relu (x) }'
    model = onnx.parser.parse_model(text)
    assert embed_function(model) == model


def test_missing_imports_are_added() -> None:
    model = one_op_model(next(random_cases(205, 1)))
    del model.opset_import[:]
    embedded = embed_function(model)
    assert {entry.domain: entry.version for entry in embedded.opset_import} == {"": 18, "npu": 1}


def test_refusals() -> None:
    model = one_op_model(next(random_cases(206, 1)), opset=14)
    with pytest.raises(MaxPoolGradError, match=r"imports opset 14.*15 or newer.*version_converter"):
        embed_function(model)
    model = one_op_model(next(random_cases(206, 1)))
    model.graph.node[0].attribute.append(onnx.helper.make_attribute("dilations", [1, 1]))
    with pytest.raises(MaxPoolGradError, match=r"'pool'.*dilations"):
        embed_function(model)


def test_the_random_cases_reach_what_they_are_for() -> None:
    cases = list(random_cases(207, 300))
    forward = [reference.output_shape(c.orig_input.shape, **c.attributes) for c in cases]
    undropped = [c.orig_output.shape != shape for c, shape in zip(cases, forward, strict=True)]
    assert sum(undropped) >= 10
    assert {(c.attributes["padding_mode"], c.attributes["data_format"]) for c in cases} == {
        (mode, layout) for mode in ("CALCULATED", "SAME", "VALID") for layout in ("NCHW", "NHWC")
    }
    assert any(c.orig_input.size == 0 for c in cases)
    assert any(np.isnan(c.orig_input).any() for c in cases)
    assert any(np.isinf(expected(c)).any() and c.grad.dtype == np.float16 for c in cases), "overflow"
    without_ties = [c for c in cases if len(np.unique(c.orig_input)) == c.orig_input.size]
    sums_differ = [not same_bits(expected(c), _rows_first(c)) for c in without_ties]
    assert sum(sums_differ) >= 5, "the order of sums shows"


def _rows_first(case: Case) -> Array:
    """The gradient with its sums made by rows of windows: by exchanging H and W, where no ties are."""
    h, w = (2, 3) if case.attributes["data_format"] == "NCHW" else (1, 2)
    attributes = dict(case.attributes)
    for name in ("ksize", "strides"):
        values = list(attributes[name])
        values[h], values[w] = values[w], values[h]
        attributes[name] = values
    attributes["pads"] = [*attributes["pads"][2:], *attributes["pads"][:2]]
    exchanged = (array.swapaxes(h, w) for array in case.inputs)
    return reference.max_pool_v3_grad(*exchanged, **attributes).swapaxes(h, w)


def test_every_node_of_the_body_has_a_name_of_its_own() -> None:
    names = [node.name for node in nested(function_body("MaxPoolV3Grad", 18).node)]
    assert all(names)
    assert len(set(names)) == len(names)
