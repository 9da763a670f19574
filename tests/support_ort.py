"""ONNX Runtime: models with one operator node, as legal or as wrong as a test wants them; sessions; runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.arrays import Array

INPUTS = ("orig_input", "orig_output", "grad")
TWO_BY_TWO: dict[str, Any] = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}
TWO_BY_TWO_SHAPES = ([1, 1, 4, 4], [1, 1, 2, 2], [1, 1, 2, 2])

Shape = Sequence[int | str | None] | None


def op_model(
    attributes: Mapping[str, Any],
    *,
    shapes: Sequence[Shape] = (None, None, None),
    types: Sequence[int] = (TensorProto.FLOAT,) * 3,
    node: str = "pool",
    op_type: str = "MaxPoolV3Grad",
    inputs: Sequence[str] = INPUTS,
    outputs: Sequence[str] = ("out_grad",),
) -> onnx.ModelProto:
    """A model of one operator node; its output has no declared shape."""
    op = helper.make_node(op_type, inputs, outputs, name=node, domain="npu", **attributes)
    values = [helper.make_tensor_value_info(n, t, s) for n, t, s in zip(INPUTS, types, shapes, strict=True)]
    return model_of([op], values, [helper.make_tensor_value_info(outputs[0], types[0], None)])


def model_of(
    nodes: Sequence[onnx.NodeProto],
    inputs: Sequence[onnx.ValueInfoProto],
    outputs: Sequence[onnx.ValueInfoProto],
    **graph: Any,
) -> onnx.ModelProto:
    """A model at opset 18, which every supported ONNX Runtime reads."""
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("npu", 1)]
    return helper.make_model(
        helper.make_graph(nodes, "test", inputs, outputs, **graph), opset_imports=opsets, ir_version=9
    )


def plain_options(threads: int = 1) -> ort.SessionOptions:
    """Options with the library registered, as a user of ONNX Runtime alone would write them."""
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    options.register_custom_ops_library(mpg.get_library_path())
    return options


def plain_session(model: onnx.ModelProto, threads: int = 1) -> ort.InferenceSession:
    """A session without any Python of this project in between."""
    return ort.InferenceSession(
        model.SerializeToString(), plain_options(threads), providers=["CPUExecutionProvider"]
    )


def outputs_of(model: onnx.ModelProto, feeds: Mapping[str, Array]) -> dict[str, Array]:
    """A model's outputs by name, with the library; feeds that are none of its inputs are left out."""
    session = mpg.inference_session(model)
    names = [value.name for value in session.get_outputs()]
    given = {value.name: feeds[value.name] for value in session.get_inputs()}
    return dict(zip(names, session.run(names, given), strict=True))


def tensor_type(dtype: np.dtype[Any]) -> int:
    return int(helper.np_dtype_to_tensor_dtype(dtype))
