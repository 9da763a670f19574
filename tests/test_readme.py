"""The README's promises: its Python runs, its commands exist with those flags, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import helper

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands() -> list[list[str]]:
    lines = "\n".join(blocks("sh")).splitlines()
    return [shlex.split(line, comments=True) for line in lines if line.startswith("maxpoolgrad ")]


def write_forward(path: Path, batch: int) -> None:
    """Conv, Relu, MaxPool, Flatten, Gemm: 8x8 images to ten classes."""
    rng = np.random.default_rng(0)
    shapes = {"conv.weight": (4, 1, 3, 3), "conv.bias": (4,), "dense.weight": (10, 64), "dense.bias": (10,)}
    weights = {name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}
    nodes = [
        helper.make_node("Conv", ["image", "conv.weight", "conv.bias"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("MaxPool", ["r"], ["p"], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
        helper.make_node("Flatten", ["p"], ["f"]),
        helper.make_node("Gemm", ["f", "dense.weight", "dense.bias"], ["logits"], transB=1),
    ]
    graph = helper.make_graph(
        nodes,
        "readme",
        [helper.make_tensor_value_info("image", onnx.TensorProto.FLOAT, [batch, 1, 8, 8])],
        [helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, [batch, 10])],
        [onnx.numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    opsets = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)


def write_digits(path: Path, count: int) -> None:
    rng = np.random.default_rng(1)
    images = rng.random((count, 1, 8, 8), dtype=np.float32)
    np.savez(path, image=images, labels=rng.integers(0, 10, count))


def test_python_examples_run() -> None:
    examples = blocks("python")
    assert examples
    for code in examples:
        exec(compile(code, "README.md", "exec"), {})


def test_make_targets_exist() -> None:
    targets = re.findall(r"^make (\w+)", "\n".join(blocks("sh")), re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"demo", "test"} <= set(targets)
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_road_of_the_readme_works_as_printed(tmp_path: Path) -> None:
    write_forward(tmp_path / "forward.onnx", batch=8)
    write_digits(tmp_path / "digits.npz", count=40)
    for command in commands():
        result = subprocess.run(
            [sys.executable, "-m", "maxpoolgrad_onnx.converters.cli", *command[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, f"{shlex.join(command)}\n{result.stdout}{result.stderr}"
    assert {"step.onnx", "step.air", "step.om", "trained.npz"} <= {path.name for path in tmp_path.iterdir()}


def test_every_document_is_linked() -> None:
    for document in (ROOT / "docs").glob("*.md"):
        assert f"](docs/{document.name})" in README, document.name


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
