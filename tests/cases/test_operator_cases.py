"""The operator's named cases: all implementations give the expected bits, all front ends refuse the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import INPUT_NAMES, OUTPUT_NAME
from support import Case, same_bits
from support_alone import run_alone
from support_cases import CASES, named_cases

LEGAL = [pytest.param(case, out_grad, id=case.name) for case, out_grad in named_cases()]


@pytest.mark.parametrize(("case", "out_grad"), LEGAL)
def test_reference(case: Case, out_grad: Array) -> None:
    assert same_bits(mpg.reference.max_pool_v3_grad(*case.inputs, **case.attributes), out_grad)


@pytest.mark.parametrize(("case", "out_grad"), LEGAL)
def test_native(case: Case, out_grad: Array) -> None:
    assert same_bits(mpg.max_pool_v3_grad(*case.inputs, **case.attributes), out_grad)


def _model(case: Case) -> onnx.ModelProto:
    return mpg.make_model(
        case.orig_input.shape,
        dtype=case.grad.dtype.name,
        output_shape=case.orig_output.shape,
        **case.attributes,
    )


@pytest.mark.parametrize(("case", "out_grad"), LEGAL)
def test_onnxruntime(case: Case, out_grad: Array) -> None:
    assert same_bits(mpg.inference_session(_model(case)).run(None, case.feeds)[0], out_grad)


def test_function_body(tmp_path: Path) -> None:
    cases = named_cases()
    results = run_alone(tmp_path, [(mpg.embed_function(_model(case)), case.feeds) for case, _ in cases])
    for (case, out_grad), result in zip(cases, results, strict=True):
        assert same_bits(result, out_grad), case.name


def _refused_arrays(entry: dict[str, Any]) -> tuple[Array, Array, Array]:
    shapes = entry["shape"], entry["output_shape"], entry.get("grad_shape", entry["output_shape"])
    dtypes = entry.get("dtypes", ["float32"] * 3)
    x, y, g = (np.zeros(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True))
    return x, y, g


def _refused_model(entry: dict[str, Any], *, typed: bool = True) -> onnx.ModelProto:
    """The call as a model; untyped, its shapes are known at run time only."""
    arrays = _refused_arrays(entry)
    node = onnx.helper.make_node("MaxPoolV3Grad", list(INPUT_NAMES), [OUTPUT_NAME], name="pool", domain="npu")
    for name, value in entry["attributes"].items():
        node.attribute.append(onnx.helper.make_attribute(name, value))
    values = [
        onnx.helper.make_tensor_value_info(
            name,
            onnx.helper.np_dtype_to_tensor_dtype(array.dtype),
            array.shape if typed else [None] * array.ndim,
        )
        for name, array in zip((*INPUT_NAMES, OUTPUT_NAME), (*arrays, arrays[0]), strict=True)
    ]
    graph = onnx.helper.make_graph([node], "refused", values[:3], values[3:])
    imports = [onnx.helper.make_opsetid("", 18), onnx.helper.make_opsetid("npu", 1)]
    return onnx.helper.make_model(graph, opset_imports=imports, ir_version=9)


# What the sentence names: the attribute or input, beside the node.
NAMED = {
    "ksize_length": "ksize",
    "ksize_on_channels": "ksize",
    "ksize_in_the_other_layout": "ksize",
    "ksize_256": "ksize",
    "ksize_huge": "ksize",
    "ksize_zero": "ksize",
    "stride_64": "strides",
    "stride_zero": "strides",
    "pad_negative": "pads",
    "padding_mode_same_upper": "padding_mode",
    "data_format_nchw_lower_case": "data_format",
    "global_pooling": "global_pooling",
    "ceil_with_same": "ceil_mode",
    "output_one_row_short": "orig_output",
    "output_one_row_long": "orig_output",
    "grad_other_shape": "grad",
    "channels_differ": "orig_output",
    "rank_3": "orig_input",
    "dtypes_differ": "orig_output",
    "float64": "orig_input",
}
REFUSED = [pytest.param(entry, id=entry["name"]) for entry in CASES["refused"]]


def _says(error: str, entry: dict[str, Any], subject: str) -> bool:
    return subject in error and NAMED[entry["name"]] in error and "\n" not in error


@pytest.mark.parametrize("entry", REFUSED)
def test_reference_refuses(entry: dict[str, Any]) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match=r"^reference: "):
        mpg.reference.max_pool_v3_grad(*_refused_arrays(entry), **entry["attributes"])


@pytest.mark.parametrize("entry", REFUSED)
def test_python_refuses(entry: dict[str, Any]) -> None:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.max_pool_v3_grad(*_refused_arrays(entry), **entry["attributes"])
    assert _says(str(caught.value), entry, "max_pool_v3_grad")


@pytest.mark.parametrize("entry", REFUSED)
def test_check_refuses(entry: dict[str, Any]) -> None:
    [issue] = [issue for issue in mpg.check(_refused_model(entry)) if issue.severity == "error"]
    assert issue.node == "pool"
    assert _says(issue.message, entry, "'pool'")


@pytest.mark.parametrize("entry", REFUSED)
def test_shape_inference_refuses(entry: dict[str, Any]) -> None:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.infer_shapes(_refused_model(entry))
    assert _says(str(caught.value), entry, "'pool'")


@pytest.mark.parametrize("typed", [True, False], ids=["shapes_known", "shapes_at_run_time"])
@pytest.mark.parametrize("entry", REFUSED)
def test_onnxruntime_refuses(entry: dict[str, Any], typed: bool) -> None:
    feeds = dict(zip(INPUT_NAMES, _refused_arrays(entry), strict=True))
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        mpg.inference_session(_refused_model(entry, typed=typed)).run(None, feeds)
    assert _says(str(caught.value), entry, "'pool'")
