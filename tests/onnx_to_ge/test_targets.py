"""What `check --target` lists: nodes that no public document says a product accepts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.ge_ops.documents import DOCUMENTS, PRODUCTS
from maxpoolgrad_onnx.converters.ge_ops.prototypes import PROTOTYPES
from support_convert import onnx_model

A2, NEWER = "Ascend910B1", "Ascend950PR_9579"


def model(nodes: str, dtype: str = "float") -> onnx.ModelProto:
    index = np.array([1], np.int64)
    return onnx_model(nodes, f"{dtype}[2,3,8,8] x", f"{dtype}[a,b,c,d] y", {"i": index})


def found(nodes: str, soc_version: str, dtype: str = "float") -> list[tuple[str, str]]:
    return [(entry.type, entry.reason) for entry in converters.check_target(model(nodes, dtype), soc_version)]


def test_documented_nodes_are_not_listed() -> None:
    assert found("y = Relu(x)", A2) == []
    assert found("y = Relu(x)", NEWER) == []


def test_a_product_that_the_document_does_not_name() -> None:
    (entry,) = found("y = Gather(x, i)", A2)
    assert entry == ("GatherV2", "ops-nn/index/gather_v2/README.md names Ascend 950, not Atlas A2")
    assert found("y = Gather(x, i)", NEWER) == []


def test_a_type_that_the_document_does_not_name() -> None:
    (entry,) = found("y = Concat<axis=0>(x, x)", A2, "uint16")
    assert entry[0] == "ConcatD"
    assert entry[1].startswith("ops-math/conversion/concat_d/README.md names DT_BFLOAT16, ")
    assert entry[1].endswith(" for Atlas A2, not DT_UINT16")
    assert found("y = Concat<axis=0>(x, x)", NEWER, "uint16") == []


def test_types_are_those_of_the_input_that_the_document_means() -> None:
    weights = {"w": np.ones((3, 2, 2, 2), np.float32)}
    up = onnx_model("y = ConvTranspose(x, w)", "float[2,3,8,8] x", "float[a,b,c,d] y", weights)
    assert converters.check_target(up, A2) == []  # its first input is a size, int64


def test_an_operator_without_a_document() -> None:
    (entry,) = found("y = Unsqueeze(x, i)", A2)
    assert entry == ("Unsqueeze", "no public document names products for it")


def test_every_node_has_its_name(tmp_path: Path) -> None:
    wanted = model("s = Unsqueeze(x, i) t = Squeeze(s, i) y = Relu(t)")
    wanted.graph.node[0].name, wanted.graph.node[1].name = "first", "second"
    onnx.save(wanted, tmp_path / "m.onnx")
    for given in (wanted, tmp_path / "m.onnx", converters.onnx_to_ge(wanted)):
        assert [entry.node for entry in converters.check_target(given, A2)] == ["first", "second"]


def test_a_product_without_the_operator_is_refused() -> None:
    with pytest.raises(mpg.MaxPoolGradError, match="Ascend310") as caught:
        converters.check_target(model("y = Relu(x)"), "Ascend310")
    assert caught.value.code == "EZ3003"


def test_the_documents_are_of_operators_that_are_written() -> None:
    assert set(DOCUMENTS) <= set(PROTOTYPES)
    for document in DOCUMENTS.values():
        assert set(document.products) <= set(PRODUCTS)
        assert document.path.endswith(".md")
