"""Weights of .air files that stay out of protobuf's memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from maxpoolgrad_onnx.converters.ge_ir import Edge, GeModel, Graph, Node, Tensor
from maxpoolgrad_onnx.converters.ge_ir.encode import store_inline

LARGE = np.arange(1 << 15, dtype=np.float32)
SMALL = np.arange(7, dtype=np.int64)


def model() -> GeModel:
    values = {"large": Tensor.of(LARGE), "small": Tensor.of(SMALL), "third": Tensor.of(LARGE[::-1])}
    nodes = [
        Node(name, "Const", (), {}, {"y": value.desc}, {"value": value}) for name, value in values.items()
    ]
    return GeModel("weights", Graph("graph", nodes, [Edge("large")]))


def weights(found: GeModel) -> dict[str, np.ndarray]:
    return {node.name: node.attrs["value"].data for node in found.graph.nodes if node.type == "Const"}


def test_the_bytes_are_those_of_protobuf(tmp_path: Path) -> None:
    whole = model().to_wire(store_inline).SerializeToString(deterministic=True)
    assert model().to_bytes() == whole
    model().save(tmp_path / "m.air")
    assert (tmp_path / "m.air").read_bytes() == whole


def test_a_loaded_weight_is_a_view_into_the_file(tmp_path: Path) -> None:
    model().save(tmp_path / "m.air")
    found = weights(GeModel.load(tmp_path / "m.air"))
    assert not found["large"].flags.owndata
    assert not found["large"].flags.writeable
    assert np.array_equal(found["large"], LARGE)
    assert np.array_equal(found["third"], LARGE[::-1])
    assert np.array_equal(found["small"], SMALL)
    (tmp_path / "m.air").unlink()  # a mapped file stays readable
    assert np.array_equal(found["large"], LARGE)


def test_a_weight_that_looks_like_a_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark is random, so that no file can hold it."""
    marks = []
    token = "maxpoolgrad_onnx.converters.ge_ir.large_weights.secrets.token_bytes"
    monkeypatch.setattr(token, lambda size: marks.append(bytes([len(marks)] * size)) or marks[-1])
    assert model().to_bytes() == model().to_bytes()
    assert len(set(marks)) == 2
