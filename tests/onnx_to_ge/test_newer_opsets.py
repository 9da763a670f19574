"""Models above opset 18: what is the same there is brought down, with a notice; what is not is refused."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import onnx
import onnx.defs
import onnx.version_converter
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.onnx_to_ge import newer_opsets
from maxpoolgrad_onnx.converters.onnx_to_ge.newer_opsets import CHECKS, NEWEST_KNOWN
from maxpoolgrad_onnx.converters.onnx_to_ge.registry import RULES
from maxpoolgrad_onnx.opsets import NEWEST_OPSET
from support_convert import assert_runs_alike, onnx_model

NEWEST = min(NEWEST_KNOWN, onnx.defs.onnx_opset_version())
ONLY_THE_TEXT = {"MaxPool"}
"""Operators with another text and no other meaning: MaxPool's says since opset 22 what it did before."""


def schema(op_type: str, opset: int) -> onnx.defs.OpSchema:
    return onnx.defs.get_schema(op_type, opset)


def signature(found: onnx.defs.OpSchema) -> Any:
    """Ports, attributes with kind and default, and the text, but not the element types."""
    ports = [
        [(port.name, port.option, port.type_str) for port in side] for side in (found.inputs, found.outputs)
    ]
    attributes = {
        name: (entry.type, entry.required, entry.default_value.SerializeToString())
        for name, entry in found.attributes.items()
    }
    return ports, attributes, found.doc


@pytest.mark.parametrize("op_type", sorted(op_type for domain, op_type in RULES if not domain))
def test_an_operator_that_is_not_checked_did_not_change(op_type: str) -> None:
    old, new = schema(op_type, NEWEST_OPSET), schema(op_type, NEWEST)
    if op_type in CHECKS or op_type in ONLY_THE_TEXT:
        assert old.since_version < new.since_version
        return
    assert signature(old) == signature(new)
    for before, after in zip(old.type_constraints, new.type_constraints, strict=True):
        assert set(before.allowed_type_strs) <= set(after.allowed_type_strs)


@pytest.mark.parametrize("op_type", sorted(ONLY_THE_TEXT))
def test_max_pool_gives_the_same_in_every_opset(op_type: str) -> None:
    for size in range(1, 8):
        for kernel, stride, pad in ((1, 2, 0), (2, 3, 1), (3, 2, 1), (3, 3, 2)):
            sizes = f"kernel_shape=[1,{kernel}], strides=[1,{stride}], pads=[0,{pad},0,0]"
            text = f"y = {op_type}<{sizes}, ceil_mode=1>(x)"
            assert_runs_alike(onnx_model(text, f"float[1,1,1,{size}] x", "float[a,b,c,d] y", opset=NEWEST))


MODELS = [
    "y = Relu(x)",
    "y = MaxPool<kernel_shape=[2,2]>(x)",
    "c = Cast<to=10, saturate=1>(x) y = Cast<to=1>(c)",
    "t = Transpose<perm=[1,0,2,3]>(x) f = Flatten(t) s = Shape(x) y = Reshape(f, s)",
]


@pytest.mark.parametrize("nodes", MODELS)
def test_brought_down_as_the_version_converter_does(nodes: str) -> None:
    model = onnx_model(nodes, "float[1,2,4,4] x", "float[a,b,c,d] y", opset=25)
    del model.opset_import[1:]
    by_onnx = onnx.version_converter.convert_version(model, NEWEST_OPSET)
    for node in by_onnx.graph.node:
        kept = [attribute for attribute in node.attribute if attribute.name != "saturate"]
        del node.attribute[:]
        node.attribute.extend(kept)
    assert converters.onnx_to_ge(model).to_bytes() == converters.onnx_to_ge(by_onnx).to_bytes()
    assert_runs_alike(model)


def test_bfloat16_needs_no_newer_opset_in_ge() -> None:
    model = onnx_model(
        "y = MaxPool<kernel_shape=[2,2]>(x)", "bfloat16[1,2,4,4] x", "bfloat16[a,b,c,d] y", opset=22
    )
    assert converters.onnx_to_ge(model).graph.nodes[1].type == "MaxPoolV3"


def test_averages_have_the_bits_of_their_own_opset() -> None:
    """ONNX Runtime adds in another order from opset 19 on, which shows in wide images."""
    text, image = "y = AveragePool<kernel_shape=[3,3], dilations=[1,1]>(x)", "float[1,2,33,30] x"
    newer = onnx_model(text, image, "float[a,b,c,d] y", opset=22)
    older = onnx_model(text.replace(", dilations=[1,1]", ""), image, "float[a,b,c,d] y", opset=18)
    opsets = []
    for model in (newer, older):
        back = converters.ge_to_onnx(assert_runs_alike(model))
        opsets.append(next(entry.version for entry in back.opset_import if not entry.domain))
    assert opsets == [19, 18]


REFUSED = [
    (
        "y = AveragePool<kernel_shape=[2,2], dilations=[1,2]>(x)",
        "float[1,1,8,8] x",
        "float[a,b,c,d] y",
        "dilations is [1, 2], which opset 18 lacks",
    ),
    (
        "y = AveragePool<kernel_shape=[1,9], count_include_pad=1>(x)",
        "float[1,1,8,8] x",
        "float[a,b,c,d] y",
        "kernel_shape is [1, 9] over a padded input of [8, 8]",
    ),
    ('y = Pad<mode="wrap">(x, p)', "float[2] x, int64[2] p", "float[a] y", "mode is 'wrap'"),
    ("y = Cast<to=17>(x)", "float[2] x", "float8e4m3fn[2] y", "casts from or to a float8 type"),
    ("y = ReduceMax(x)", "bool[2] x", "bool[a] y", "reduces bool"),
    ("y = ReduceMin(x)", "bool[2] x", "bool[a] y", "reduces bool"),
]


@pytest.mark.parametrize(("nodes", "inputs", "outputs", "words"), REFUSED)
def test_refused(nodes: str, inputs: str, outputs: str, words: str) -> None:
    model = onnx_model(nodes, inputs, outputs, opset=25)
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.onnx_to_ge(model)
    assert words in str(caught.value)
    assert "is of opset 25 and cannot be brought down to 18 exactly" in str(caught.value)
    assert caught.value.code == "E16002"


def test_an_opset_that_onnx_itself_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx.defs, "onnx_opset_version", lambda: 20)
    with pytest.raises(mpg.MaxPoolGradError, match="converted are 8 to 18, 19 to 20 where that is exact"):
        newer_opsets.check_range(21)


def test_notices() -> None:
    model = onnx_model("y = Relu(x)", "float[2] x", "float[2] y", opset=22)
    model.ir_version = 11
    found: list[str] = []
    converters.onnx_to_ge(model, notify=found.append)
    assert [sentence.split(";")[0] for sentence in found] == [
        "the model is of opset 22 and was brought down to 18, the newest that CANN's ONNX parser knows",
        "the model's IR version is 11",
    ]


def test_notices_are_logged_where_nobody_takes_them(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        converters.onnx_to_ge(onnx_model("y = Relu(x)", "float[2] x", "float[2] y", opset=22))
    assert "brought down to 18" in caplog.text


def test_compile_hands_notices_on(tmp_path: Any) -> None:
    model = onnx_model("y = Relu(x)", "float[2] x", "float[2] y", opset=22)
    compiled = converters.compile(model, tmp_path / "m", soc_version="Ascend910B1")
    assert any("brought down to 18" in sentence for sentence in compiled.notices)
    assert np.array_equal(
        converters.InferSession(0, str(compiled.om)).infer([np.array([-1, 2], np.float32)])[0], [0, 2]
    )
