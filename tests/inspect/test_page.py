"""The page of a report: it stands alone, its picture has every node, its script finds their details."""

from __future__ import annotations

import json
import re
import time
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import onnx
import pytest
from onnx import helper

from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.converters.inspect import inspect_file
from maxpoolgrad_onnx.converters.inspect.page import report_page
from maxpoolgrad_onnx.model import make_model

Capture = pytest.CaptureFixture[str]
SVG = "{http://www.w3.org/2000/svg}"


def page_of(path: Path) -> tuple[str, ElementTree.Element, list[dict[str, object]]]:
    """The page, its picture and what its script knows of the nodes."""
    page = report_page(inspect_file(path))
    (svg,) = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    (data,) = re.findall(r'<script id="nodes" type="application/json">(.*?)</script>', page, re.DOTALL)
    return page, ElementTree.fromstring(svg), json.loads(data)


def texts(group: ElementTree.Element) -> list[str | None]:
    return [text.text for text in group.findall(f"{SVG}text")]


@pytest.fixture
def grad(tmp_path: Path) -> Path:
    model = make_model([4, 2, 8, 8], name="pool", ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2])
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.float32([2.0]), "weight"))
    model.graph.node.append(helper.make_node("Mul", ["out_grad", "weight"], ["scaled"], name="mul"))
    model.graph.output[0].name = "scaled"
    onnx.save(model, tmp_path / "m.onnx")
    converters.compile(model, tmp_path / "m", soc_version="Ascend910B1")
    return tmp_path / "m.onnx"


@pytest.mark.parametrize("suffix", ["onnx", "air", "om"])
def test_nodes_and_arrows(grad: Path, suffix: str) -> None:
    _, svg, nodes = page_of(grad.with_suffix(f".{suffix}"))
    groups = {group.get("data-node"): group for group in svg.iter(f"{SVG}g") if group.get("data-node")}
    assert [int(str(number)) for number in groups] == list(range(len(nodes)))
    titles = [texts(group)[0] for group in groups.values()]
    assert titles[:4] == ["orig_input", "orig_output", "grad", "MaxPoolV3Grad"]
    assert len(titles) == 6, "the weight is no box of its own"
    mul = next(group for group in groups.values() if texts(group)[0] == "Mul")
    assert texts(mul)[1:] == ["[4, 2, 8, 8]", "weight [1]"]
    arrows = {
        (path.get("data-from"), path.get("data-to")) for path in svg.iter(f"{SVG}path") if path.get("data-to")
    }
    assert {("0", "3"), ("1", "3"), ("2", "3"), ("3", "4"), ("4", "5")} == arrows


def test_details_of_a_bound_node(grad: Path) -> None:
    _, _, nodes = page_of(grad.with_suffix(".om"))
    rows = dict(nodes[3]["rows"])  # type: ignore[call-overload]
    assert nodes[3]["kind"] == "pool_grad"
    assert rows["ksize"] == "[1,1,2,2]"
    assert rows["in orig_output"] == "DT_FLOAT[4, 2, 4, 4] NCHW"
    assert "tiling key" in rows["binding"]


def test_the_page_needs_nothing_else(grad: Path, tmp_path: Path, capfd: Capture) -> None:
    page = tmp_path / "page.html"
    assert main(["inspect", str(grad), "--html", str(page)]) == 0
    assert f"wrote {page}" in capfd.readouterr().out
    text = page.read_text()
    assert not re.findall(r'(?:src|href)="|@import|https?://(?!www\.w3\.org/2000/svg)', text)
    for name in ("choose", "fit", "wheel", "pointermove"):
        assert name in text
    assert main(["inspect", str(grad), "--html", str(grad)]) == 1
    assert "it is the input itself" in capfd.readouterr().err
    assert main(["inspect", str(grad), "--html", str(tmp_path / "none" / "p.html")]) == 1
    assert "there is no folder" in capfd.readouterr().err


def test_names_stay_text(tmp_path: Path) -> None:
    nasty = "</script><script>alert(1)</script><!--&\"'"
    node = helper.make_node("Relu", ["x"], ["y"], name=nasty, doc_string="")
    values = [helper.make_tensor_value_info(name, 1, [2]) for name in ("x", "y")]
    graph = helper.make_graph([node], nasty, values[:1], values[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "m.onnx")
    page, _, nodes = page_of(tmp_path / "m.onnx")
    assert nodes[1]["title"] == f"Relu {nasty}"
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert "<!--" not in page


def test_two_thousand_nodes_in_seconds(tmp_path: Path) -> None:
    """Forwards and back: each node on the way back reads one on the way there."""
    count = 1000
    names = [f"v{number}" for number in range(2 * count)]
    nodes = [helper.make_node("Relu", [a], [b]) for a, b in pairwise(names[:count])]
    for at in range(count, 2 * count):
        nodes.append(helper.make_node("Mul", [names[at - 1], names[2 * count - 1 - at]], [names[at]]))
    values = [helper.make_tensor_value_info(name, 1, [2]) for name in (names[0], names[-1])]
    graph = helper.make_graph(nodes, "long", values[:1], values[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "m.onnx")
    report = inspect_file(tmp_path / "m.onnx")
    start = time.process_time()
    page = report_page(report)
    assert time.process_time() - start < 20
    assert len(page) < 5_000_000
    assert page.count("<g data-node=") == 2 * count + 1
