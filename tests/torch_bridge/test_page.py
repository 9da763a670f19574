"""docs/torch.md: its Python runs, its command works."""

from __future__ import annotations

import re
import shlex
import warnings
from pathlib import Path

import onnx
import pytest
import torch

from maxpoolgrad_onnx.converters.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "torch.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_python_runs(number: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(PYTHON[number], "torch.md", "exec"), {})


def test_the_command_takes_what_torch_exports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pool(torch.nn.Module):
        def forward(self, x: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
            form = ([3, 3], [2, 2], [1, 1], [1, 1], True)
            _, indices = torch.ops.aten.max_pool2d_with_indices(x, *form)
            return torch.ops.aten.max_pool2d_with_indices_backward(gradient, x, *form, indices)

    monkeypatch.chdir(tmp_path)
    inputs = (torch.randn(2, 3, 8, 8), torch.randn(2, 3, 5, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(Pool(), inputs, dynamo=True, opset_version=18, verbose=False)
    assert program is not None
    onnx.save(program.model_proto, "scattered.onnx")
    commands = [
        line
        for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
        for line in block.splitlines()
        if line.startswith("maxpoolgrad ")
    ]
    assert commands
    for line in commands:
        assert main(shlex.split(line)[1:]) == 0
    types = [node.op_type for node in onnx.load("out.onnx").graph.node]
    assert types == ["MaxPool", "MaxPoolV3Grad"]
