"""`maxpoolgrad check --target`: what no public document says a product accepts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx.converters.cli.main import main
from support_convert import onnx_model


def saved(folder: Path, nodes: str) -> str:
    model = onnx_model(nodes, "float[2,3] x", "float[a,b] y", {"i": np.array([0, 1], np.int64)})
    model.graph.node[0].name = "first"
    onnx.save(model, folder / "m.onnx")
    return str(folder / "m.onnx")


def test_nodes_without_a_document_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path, "g = Gather(x, i) y = Relu(g)")
    assert main(["check", path, "--target", "Ascend910B1"]) == 0
    output = capsys.readouterr()
    assert "of 1 node no public document says that Ascend910B1 accepts it" in output.err
    (row,) = [line for line in output.out.splitlines() if "GatherV2" in line]
    assert row.split()[:2] == ["first", "GatherV2"]
    assert "names Ascend 950, not Atlas A2" in row
    assert "Relu" not in output.out


def test_a_model_that_documents_cover(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", saved(tmp_path, "y = Relu(x)"), "--target=Ascend910B1"]) == 0
    assert "public documents say that Ascend910B1 accepts every node" in capsys.readouterr().out


def test_an_unknown_product(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", saved(tmp_path, "y = Relu(x)"), "--target", "Ascend310P3"]) == 1
    output = capsys.readouterr()
    assert "Ascend310P3" in output.err
    assert output.out == ""  # it is refused before the nodes are tried out, which may take a while


def test_nodes_that_are_not_converted_are_listed_with_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, "s = Selu(x) t = Selu(x) g = Gather(x, i) y = Relu(g)")
    assert main(["check", path, "--target", "Ascend910B1"]) == 0
    output = capsys.readouterr()
    assert "of 3 nodes no public document says that Ascend910B1 accepts them" in output.err
    rows = [line.split()[:2] for line in output.out.splitlines() if "Selu" in line or "GatherV2" in line]
    assert rows == [["first", "Selu"], ["t", "Selu"], ["Gather_g", "GatherV2"]]
    assert "no rule is registered for Selu" in output.out
