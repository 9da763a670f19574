"""Other tools' gradients of max pooling, rewritten: the same values, what is left, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper, parser

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.model_files import load_model
from support_ort import outputs_of
from support_step import attributes_of, named_nodes, only, op_types


def scattering(
    *,
    form: str = "kernel_shape=[3,3], strides=[2,2], pads=[1,0,1,1]",
    end: str = "1, 1",
    axis: int = 1,
    zero: float = 0.0,
    numbers: str = "x",
    batch: str = "2",
    dtype: str = "float",
    reduction: str = "add",
) -> onnx.ModelProto:
    """What torch's exporter writes for 7x8 images of 3 channels pooled to 4x4."""
    rows, images = ("-1", "-1") if batch == "N" else ("6", "2")
    model = parser.parse_model(f"""
    <ir_version: 9, opset_import: ["": 18]>
    g ({dtype}[{batch},3,7,8] x, {dtype}[{batch},3,4,4] dy) => ({dtype}[{batch},3,7,8] dx) {{
      y, places = MaxPool<{form}>(x)
      ones, numbers = MaxPool<kernel_shape=[1,1], strides=[1,1]>({numbers})
      start = Constant<value_ints=[0, 0]>() end = Constant<value_ints=[{end}]>()
      axes = Constant<value_ints=[2, 3]>()
      first = Slice(numbers, start, end, axes)
      in_plane = Sub(places, first)
      rows_y = Constant<value_ints=[{rows}, 16]>() shape_x = Constant<value_ints=[{images},3,7,8]>()
      k = Reshape(in_plane, rows_y) g = Reshape(dy, rows_y)
      s = ScatterElements<axis={axis}, reduction="{reduction}">(zeros, k, g)
      dx = Reshape(s, shape_x)
    }}""")
    element = np.float16 if dtype == "float16" else np.float64 if dtype == "double" else np.float32
    model.graph.initializer.append(numpy_helper.from_array(np.full((6, 56), zero, element), "zeros"))
    return named_nodes(model)


def feeds(dtype: Any = np.float32) -> dict[str, Array]:
    rng = np.random.default_rng(5)
    x = rng.integers(-2, 3, (2, 3, 7, 8)).astype(dtype)  # ties in every window
    return {"x": x, "dy": rng.standard_normal((2, 3, 4, 4)).astype(dtype)}


def test_what_torch_exports() -> None:
    before = scattering()
    rewritten = mpg.rewrite(before)
    assert rewritten.refused == ()
    assert rewritten.replaced == ("ScatterElements node 's' became npu::MaxPoolV3Grad of MaxPool node 'y'",)
    assert op_types(rewritten.model) == ["MaxPool", "MaxPoolV3Grad"]
    assert len(only(rewritten.model, "MaxPool").output) == 1
    assert not rewritten.model.graph.initializer
    attributes = attributes_of(only(rewritten.model, "MaxPoolV3Grad"))
    assert attributes["ksize"] == [1, 1, 3, 3]
    assert attributes["pads"] == [1, 1, 0, 1]
    assert mpg.check(rewritten.model) == []
    assert op_types(before).count("MaxPool") == 2, "the model given is not changed"
    found, wanted = outputs_of(rewritten.model, feeds()), outputs_of(before, feeds())
    assert list(found) == ["dx"]
    np.testing.assert_allclose(found["dx"], wanted["dx"], rtol=1e-6, atol=1e-6)


def test_ties_go_where_onnxruntimes_indices_point() -> None:
    """Gradients that are powers of two: every sum is exact, so all bits are equal."""
    given = feeds()
    given["dy"] = np.exp2(np.arange(96) % 11).reshape(2, 3, 4, 4).astype(np.float32)
    for x in (given["x"], np.zeros_like(given["x"]), np.where(given["x"] > 0, np.inf, given["x"])):
        inputs = {**given, "x": x.astype(np.float32)}
        found, wanted = (
            outputs_of(model, inputs)["dx"] for model in (mpg.rewrite(scattering()).model, scattering())
        )
        np.testing.assert_array_equal(found, wanted)


def test_an_open_batch_with_zeros_made_at_run_time() -> None:
    before = scattering(batch="N")
    nodes = parser.parse_graph("""g () => (float[N,56] zeros) {
      shape = Shape(dy) n = Gather<axis=0>(shape, at) three = Constant<value_ints=[3]>() c = Mul(n, three)
      width = Constant<value_ints=[56]>() full = Concat<axis=0>(c, width)
      zero = Constant<value_float=0.0>() zeros = Expand(zero, full) }""").node
    del before.graph.initializer[:]
    before.graph.initializer.append(numpy_helper.from_array(np.array([0]), "at"))
    kept = list(before.graph.node)
    del before.graph.node[:]
    before.graph.node.extend([*nodes, *kept])
    after = mpg.rewrite(before)
    assert op_types(after.model) == ["MaxPool", "MaxPoolV3Grad"]
    found, wanted = outputs_of(after.model, feeds()), outputs_of(before, feeds())
    np.testing.assert_allclose(found["dx"], wanted["dx"], rtol=1e-6, atol=1e-6)


REFUSED = [
    ({"zero": 1.0}, "ScatterElements node 's': it adds gradients of MaxPool node 'y' to what is not zero"),
    ({"end": "2, 1"}, "its indices are not those of MaxPool node 'y' in each plane"),
    ({"numbers": "dy"}, "its indices are not those of MaxPool node 'y'"),
    ({"axis": 0}, "it does not scatter a gradient of MaxPool node 'y' plane by plane"),
    (
        {"form": "kernel_shape=[2,2], strides=[2,2], pads=[1,0,0,1], dilations=[1,2]"},
        "MaxPool node 'y': it is dilated",
    ),
    ({"form": 'kernel_shape=[3,3], strides=[2,2], auto_pad="SAME_LOWER"'}, "SAME_LOWER"),
    ({"dtype": "double"}, "float64"),
]


@pytest.mark.parametrize(("change", "reason"), REFUSED)
def test_refused_with_a_reason(change: dict[str, Any], reason: str) -> None:
    before = scattering(**change)
    rewritten = mpg.rewrite(before)
    assert rewritten.replaced == ()
    (refusal,) = rewritten.refused
    assert reason in refusal
    assert op_types(rewritten.model) == op_types(before)


def test_other_scatters_are_left_alone() -> None:
    rewritten = mpg.rewrite(scattering(reduction="max"))
    assert (rewritten.replaced, rewritten.refused) == ((), ())


def of_ort_training(grad: str = "kernel_shape=[3,3], strides=[2,2], pads=[1,0,1,1]") -> onnx.ModelProto:
    model = parser.parse_model(f"""
    <ir_version: 9, opset_import: ["": 15, "com.microsoft": 1]>
    g (float[2,3,7,8] x, float[2,3,4,4] dy) => (float[2,3,7,8] dx, float[2,3,4,4] y) {{
      y, places = MaxPool<kernel_shape=[3,3], strides=[2,2], pads=[1,0,1,1]>(x)
      dx = com.microsoft.MaxPoolGrad<{grad}>(dy, places)
    }}""")
    return named_nodes(model)


def test_what_onnxruntime_training_writes() -> None:
    """No ONNX Runtime for inference has MaxPoolGrad, so its definition, a sum over indices, is the oracle."""
    rewritten = mpg.rewrite(of_ort_training())
    assert rewritten.replaced == ("MaxPoolGrad node 'dx' became npu::MaxPoolV3Grad of MaxPool node 'y'",)
    assert op_types(rewritten.model) == ["MaxPool", "MaxPoolV3Grad"]
    assert {entry.domain for entry in rewritten.model.opset_import} == {"", "npu"}
    given = feeds()
    results = outputs_of(rewritten.model, given)
    pool = parser.parse_model("""
    <ir_version: 9, opset_import: ["": 15]> g (float[2,3,7,8] x) => (int64[2,3,4,4] places) {
      y, places = MaxPool<kernel_shape=[3,3], strides=[2,2], pads=[1,0,1,1]>(x) }""")
    places = outputs_of(pool, given)["places"]
    wanted = np.zeros(given["x"].size, np.float64)
    np.add.at(wanted, places.reshape(-1), given["dy"].reshape(-1))
    np.testing.assert_allclose(results["dx"], wanted.reshape(2, 3, 7, 8), rtol=1e-6, atol=1e-6)


def test_a_max_pool_grad_of_another_pool_is_refused() -> None:
    rewritten = mpg.rewrite(of_ort_training("kernel_shape=[2,3], strides=[2,2], pads=[1,0,1,1]"))
    assert rewritten.refused == (
        "MaxPoolGrad node 'dx': its kernel_shape is [2, 3], and that of its MaxPool [3, 3]; make them equal",
    )
    alone = of_ort_training()
    del alone.graph.node[0]
    alone.graph.input.append(
        onnx.helper.make_tensor_value_info("places", onnx.TensorProto.INT64, [2, 3, 4, 4])
    )
    del alone.graph.output[1:]
    assert "its indices come from no MaxPool" in mpg.rewrite(alone).refused[0]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "in.onnx", tmp_path / "out.onnx"
    onnx.save(scattering(), source)
    assert main(["rewrite", str(source), str(target)]) == 0
    assert "became npu::MaxPoolV3Grad" in capsys.readouterr().out
    assert only(load_model(target), "MaxPoolV3Grad")
    again = tmp_path / "again.onnx"
    assert main(["rewrite", str(target), str(again)]) == 1
    assert "holds no gradient of max pooling to rewrite" in capsys.readouterr().err
    onnx.save(scattering(zero=1.0), source)
    assert main(["rewrite", str(source), str(again)]) == 1
    assert capsys.readouterr().err.startswith("error: ScatterElements node 's'")
    assert not again.exists()
    assert main(["rewrite", str(source), str(source)]) == 1
