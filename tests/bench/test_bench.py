"""maxpoolgrad bench: what it measures, and what it writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from maxpoolgrad_onnx import _native
from maxpoolgrad_onnx.converters.bench.measure import Conditions, Measurement, Times, measure
from maxpoolgrad_onnx.converters.bench.peers import OURS, ROOF, calls
from maxpoolgrad_onnx.converters.bench.report import Report
from maxpoolgrad_onnx.converters.bench.workloads import WORKLOADS, Workload, tensors_of
from maxpoolgrad_onnx.converters.cli.main import main
from support import same_bits

SMALL = Workload((2, 3, 9, 8), 3, 2, 1)
FAST = Conditions(rounds=2, pause=0)


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
def test_ours_and_the_roof_do_what_they_say(data_format: str) -> None:
    tensors = tensors_of(SMALL, "float32", data_format, "relu")
    found = calls(tensors, threads=1)
    found[OURS][0]()
    expected = np.full_like(tensors.out_grad, 7)
    arrays = tensors.orig_input, tensors.orig_output, tensors.grad
    _native.max_pool_v3_grad(tensors.attributes, *arrays, expected, 1, "scalar")
    assert same_bits(tensors.out_grad, expected)
    assert len(found[ROOF]) == 12
    for move in found[ROOF]:
        tensors.out_grad[...] = 7
        move()
        assert same_bits(tensors.out_grad, tensors.orig_input)


def test_torch_is_given_the_same_work() -> None:
    tensors = tensors_of(SMALL, "float32", "NCHW", "random")
    found = calls(tensors, threads=1)
    found[OURS][0]()
    with_indices: Any = found["torch with indices"][0]()
    np.testing.assert_allclose(with_indices.numpy(), tensors.out_grad, rtol=1e-5, atol=1e-6)


def test_every_round_is_counted() -> None:
    ticks: list[int] = []
    measurement = measure(SMALL, FAST, lambda: ticks.append(1))
    assert len(ticks) == FAST.rounds
    assert {OURS, ROOF, "torch NCHW", "torch channels_last"} <= set(measurement.times)
    assert all(0 < times.minimum <= times.median for times in measurement.times.values())


def test_the_table_compares_minima() -> None:
    times = {OURS: Times(2e-3, 3e-3), ROOF: Times(1e-3, 9e-3), "jax": Times(7e-3, 8e-3)}
    report = Report(FAST, (Measurement(SMALL, "float32", "NCHW", "random", 1, times),))
    assert report.table().headers == ["float32 NCHW", "minimum", "median", "of the roof", "jax"]
    assert report.table().rows == [["2x3x9x8 k3 s2 p1", "2.00 ms", "3.00 ms", "50%", "3.5 x"]]
    assert "| 2x3x9x8 k3 s2 p1 | 2.00 ms | 3.00 ms | 50% | 3.5 x |" in report.as_markdown()


def test_the_command_writes_a_table_and_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], scale: Callable[[int, int], int]
) -> None:
    only = ["--only", "64x16x8x8"] if scale(1, 0) else []
    assert main(["bench", *only, "--rounds", "1", "--pause", "0", "--output", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "64x16x8x8 k2 s2" in shown
    assert "of the roof" in shown
    assert "target " in (tmp_path / "bench.md").read_text(encoding="utf-8")
    assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_workload_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "k99"]) == 1
    assert f"no workload's name contains 'k99'; there are '{WORKLOADS[0].name}'" in capsys.readouterr().err


def test_one_threads_time_of_several_threads_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--threads", "2", "--clock", "cpu"]) == 1
    assert "it counts one thread's time" in capsys.readouterr().err
