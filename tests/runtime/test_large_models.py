"""Conversion of a large model: its weights pass through, never copied as a whole."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper

from maxpoolgrad_onnx.converters import compile, load
from maxpoolgrad_onnx.files import write_atomically
from support_peak import PEAK

MEGABYTE = 1 << 20
CHANNELS = 512

# Prints how much memory the process took at most, before and after.
PROGRAM = f"""{PEAK}
import sys
from maxpoolgrad_onnx.converters import compile, onnx_to_ge, ge_ir, om, bind
import onnx.inliner, onnx.shape_inference
before = peak()
compile(sys.argv[1], sys.argv[2], soc_version="Ascend910B1")
print(before, peak())
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, scale: Callable[[int, int], int]) -> Path:
    """A chain of Conv nodes of about as many megabytes."""
    megabytes = scale(96, 500)
    weight = np.random.default_rng(0).standard_normal((CHANNELS, CHANNELS, 3, 3), np.float32)
    nodes, weights, last = [], [], "x"
    for number in range(megabytes * MEGABYTE // weight.nbytes):
        weights.append(onnx.numpy_helper.from_array(weight * (number + 1), f"w{number}"))
        nodes.append(helper.make_node("Conv", [last, f"w{number}"], [f"y{number}"], pads=[1] * 4))
        last = f"y{number}"
    ends = [helper.make_tensor_value_info(name, 1, [1, CHANNELS, 8, 8]) for name in ("x", last)]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:], weights)
    path = tmp_path_factory.mktemp("large") / "chain.onnx"
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.write_bytes(made.SerializeToString())
    return path


def test_memory_is_at_most_1_3_times_the_file(model: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(model), str(tmp_path / "out")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    before, after = map(int, done.stdout.split())
    assert after - before <= 1.3 * model.stat().st_size


def test_time_is_at_most_2_5_times_reading_and_writing_once(model: Path, tmp_path: Path) -> None:
    ratios = []
    for _ in range(5):
        start = time.perf_counter()
        write_atomically(tmp_path / "copy", model.read_bytes())
        copied = time.perf_counter()
        compile(model, tmp_path / "out", soc_version="Ascend910B1")
        ratios.append((time.perf_counter() - copied) / (copied - start))
    assert min(ratios) <= 2.5, ratios


def test_every_weight_arrives(model: Path, tmp_path: Path) -> None:
    compile(model, tmp_path / "out", soc_version="Ascend910B1")
    source = {tensor.name: tensor.raw_data for tensor in onnx.load(model).graph.initializer}
    for suffix in ("om", "air"):
        nodes = load(tmp_path / f"out.{suffix}").graph.nodes
        found = {node.name: bytes(node.attrs["value"].buffer()) for node in nodes if node.type == "Const"}
        assert found == source, suffix
