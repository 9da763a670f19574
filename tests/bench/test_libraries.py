"""Other libraries are given the operator's work, in the layout that they are fastest in."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.converters.bench import ways as ways_module
from maxpoolgrad_onnx.converters.bench.data import distinct_tensors
from maxpoolgrad_onnx.converters.bench.libraries import jax_peers, tensorflow_peers, torch_peers
from maxpoolgrad_onnx.converters.bench.ways import ours, ways
from maxpoolgrad_onnx.converters.bench.workloads import Workload, square
from support import same_bits
from support_fake_libraries import FakeJax, FakeTensorFlow

ODD = Workload((1, 2, 9, 8), (3, 2), (2, 1), (1, 0))
WORKLOADS = [ODD, square((1, 1, 8, 8), 2, 2), square((2, 3, 13, 13), 5, 1, 2)]


def torch_itself() -> Any:
    return __import__("torch")


LIBRARIES = [
    pytest.param(torch_itself, torch_peers, 3, id="torch"),
    pytest.param(FakeTensorFlow, tensorflow_peers, 1, id="tensorflow"),
    pytest.param(FakeJax, jax_peers, 1, id="jax"),
]


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
@pytest.mark.parametrize(("library", "peers", "count"), LIBRARIES)
def test_the_same_gradient(
    library: Any, peers: Any, count: int, data_format: str, dtype: str, workload: Workload
) -> None:
    tensors = distinct_tensors(workload, dtype, data_format)
    ours(tensors, 1)()
    results = [peer.result(peer.call()) for peer in peers(library(), tensors, 1)]
    assert len(results) == count
    assert all(same_bits(np.asarray(result), tensors.out_grad) for result in results)


def test_as_many_threads_as_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPROC", "7")
    tensorflow, jax = FakeTensorFlow(), FakeJax()
    tensors = distinct_tensors(ODD, "float32", "NCHW")
    [_], [_] = tensorflow_peers(tensorflow, tensors, 3), jax_peers(jax, tensors, 3)
    assert (tensorflow.threads, os.environ["NPROC"]) == ([3], "3")
    assert jax.settings == {"jax_platforms": "cpu", "jax_cpu_enable_async_dispatch": False}


def test_another_gradient_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways_module, "imported", lambda name: FakeJax())
    tensors = distinct_tensors(ODD, "float32", "NCHW")
    assert "jax" in ways(tensors, "random", 1, ["jax"])
    wrong = [replace(peer, result=np.zeros_like) for peer in jax_peers(FakeJax(), tensors, 1)]
    monkeypatch.setitem(ways_module.PEERS, "jax", lambda *arguments: iter(wrong))
    with pytest.raises(mpg.MaxPoolGradError, match=r"^jax 0 computes another gradient .* out of --beside$"):
        ways(tensors, "random", 1, ["jax"])


def test_a_library_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways_module, "imported", lambda name: None)
    tensors = distinct_tensors(ODD, "float32", "NCHW")
    assert list(ways(tensors, "random", 1)) == ["maxpoolgrad", "roof"]
    with pytest.raises(mpg.MaxPoolGradError, match="tensorflow cannot be imported"):
        ways(tensors, "random", 1, ["tensorflow"])
