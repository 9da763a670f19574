"""Strange arguments from Python: taken for what they are, or refused in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from support import same_bits

POOL: dict[str, Any] = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}
X = np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4)
Y = mpg.max_pool_v3(X, **POOL)
LARGEST = 2**63 - 1

CALLS = {
    "forward": lambda **given: mpg.max_pool_v3(X, **{**POOL, **given}),
    "gradient": lambda **given: mpg.max_pool_v3_grad(X, Y, Y, **{**POOL, **given}),
    "shape": lambda **given: mpg.output_shape(X.shape, **{**POOL, **given}),
    "node": lambda **given: mpg.make_node(**{**POOL, **given}),
    "model": lambda **given: mpg.make_model(X.shape, **{**POOL, **given}),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"ksize": np.array(3)}, r"ksize is array\(3\); it must be a list of ints"),
        ({"ksize": [1, 1, 2.0, 2]}, "it must be a list of ints"),
        ({"pads": [2**63, 0, 0, 0]}, "it must be a list of ints"),
        ({"padding_mode": "\udcff"}, r"padding_mode is '\\udcff'; allowed are"),
        ({"data_format": b"\xff"}, "data_format is '\ufffd'; allowed are"),
        ({"ceil_mode": np.array(True)}, "ceil_mode is array.*; it must be an int, 0 or 1"),
    ],
)
def test_attributes_of_a_wrong_form(call: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match=words):
        CALLS[call](**given)


@pytest.mark.parametrize("call", CALLS)
def test_numpy_numbers_are_numbers(call: str) -> None:
    given = {
        "ksize": np.array([1, 1, 2, 2], np.uint8),
        "strides": (1, np.int8(1), 2, np.int64(2)),
        "padding_mode": np.str_("CALCULATED"),
        "ceil_mode": np.bool_(False),
    }
    expected, found = CALLS[call](), CALLS[call](**given)
    assert same_bits(found, expected) if isinstance(expected, np.ndarray) else found == expected


@pytest.mark.parametrize("threads", [1.0, 1.5, "2", None, np.array([2]), -1, 2**31, float("nan")])
def test_threads_that_are_no_number_of_threads(threads: Any) -> None:
    for call in ("forward", "gradient"):
        with pytest.raises(mpg.MaxPoolGradError, match=r"^threads is .*; it must be an int, 0 \(as many"):
            CALLS[call](threads=threads)


def test_a_million_threads_are_a_few() -> None:
    x = np.zeros((16, 16, 128, 128), np.float32)
    attributes = {"ksize": [1, 1, 16, 16], "strides": [1, 1, 16, 16]}
    y = mpg.max_pool_v3(x, **attributes)
    counts, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counts.append(_threads_of_this_process())
            time.sleep(0.0005)

    watcher = threading.Thread(target=count)
    watcher.start()
    before = _threads_of_this_process()
    out_grad = mpg.max_pool_v3_grad(x, y, y + 1, **attributes, threads=10**6)
    done.set()
    watcher.join()
    assert max(counts) <= before + max(64, os.cpu_count() or 1)
    assert same_bits(out_grad, mpg.max_pool_v3_grad(x, y, y + 1, **attributes, threads=1))


def _threads_of_this_process() -> int:
    """The operating system's count; Python's own, which knows no native threads, where there is none."""
    tasks = Path("/proc/self/task")
    return len(os.listdir(tasks)) if tasks.is_dir() else threading.active_count()


@pytest.mark.parametrize("dim", [8.0, 8.5, "8", 2**63, -2, True])
def test_dimensions_that_are_no_sizes(dim: Any) -> None:
    shape = [1, 2, dim, 8]
    with pytest.raises(mpg.MaxPoolGradError, match="each dimension must be an int of 0 or more, or -1"):
        mpg.output_shape(shape, **POOL)
    if not isinstance(dim, str):  # which is the name of an open dimension there
        with pytest.raises(mpg.MaxPoolGradError, match="each dimension must be an int of 0 or more, or -1"):
            mpg.make_model(shape, **POOL)


def test_open_dimensions() -> None:
    assert mpg.output_shape([1, -1, 8, -1], **POOL) == (1, -1, 4, -1)
    assert mpg.output_shape([None, 2, None, 8], **POOL) == (-1, 2, -1, 4)
    assert mpg.output_shape(np.array([1, 2, 8, 8]), **POOL) == (1, 2, 4, 4)
    shape = mpg.make_model((np.int64(1), "c", -1, None), **POOL).graph.input[0].type.tensor_type.shape
    assert [dim.WhichOneof("value") for dim in shape.dim] == ["dim_value", "dim_param", None, None]


@pytest.mark.parametrize("call", ["forward", "shape", "model"])
@pytest.mark.parametrize("pad", [2**32, 2**62, LARGEST])
def test_pads_that_make_an_output_too_large_for_any_memory(call: str, pad: int) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match="the product of its dimensions must be at most"):
        CALLS[call](pads=[pad] * 4)


def test_an_output_of_more_bytes_than_can_be_counted_is_out_of_memory() -> None:
    with pytest.raises(MemoryError):
        mpg.max_pool_v3(X, **POOL, pads=[2**59, 2**59, 0, 0])


@pytest.mark.parametrize("stride", [1, 2, 3, 62, 63])
@pytest.mark.parametrize("pad", [LARGEST - 1, LARGEST - 63, LARGEST // 63, 2**62])
@pytest.mark.parametrize("ceil_mode", [False, True])
def test_sizes_at_the_end_of_int64(stride: int, pad: int, ceil_mode: bool) -> None:
    attributes = {
        "ksize": [1, 1, 1, 1],
        "strides": [1, 1, stride, 1],
        "pads": [pad, 0, 0, 0],
        "ceil_mode": ceil_mode,
    }
    expected = mpg.reference.output_shape([1, 1, 1, 1], **attributes)
    assert mpg.output_shape([1, 1, 1, 1], **attributes) == expected


def test_same_at_the_end_of_int64() -> None:
    shape = [0, 1, LARGEST - 5, LARGEST - 70]
    attributes = {"ksize": [1, 1, 255, 255], "strides": [1, 1, 1, 63], "padding_mode": "SAME"}
    assert mpg.output_shape(shape, **attributes) == mpg.reference.output_shape(shape, **attributes)


def test_absurd_pads_around_no_window_leave_zeros() -> None:
    """No window fits the width, so orig_output is empty whatever its height is."""
    pool = {"ksize": [1, 1, 1, 5], "strides": [1, 1, 1, 1], "pads": [2**20, 2**20, 0, 0]}
    y = np.ones((1, 1, 2**21 + 3, 0), np.float32)
    out_grad = mpg.max_pool_v3_grad(np.ones((1, 1, 3, 2), np.float32), y, y, **pool)
    assert same_bits(out_grad, np.zeros((1, 1, 3, 2), np.float32))


def test_nodes_that_name_no_output() -> None:
    node = mpg.make_node(name="pool", **POOL)
    node.output[0] = ""
    model = mpg.make_model(X.shape, **POOL)
    model.graph.node[0].CopyFrom(node)
    with pytest.raises(mpg.MaxPoolGradError, match="the number of outputs is 0; it must be 1"):
        mpg.inference_session(model)


def test_subnormals_survive_a_thread_that_flushes_them() -> None:
    """In a process of its own: ONNX Runtime leaves the calling thread flushing, and NumPy with it."""
    subprocess.run([sys.executable, str(Path(__file__).with_name("run_flushing_subnormals.py"))], check=True)


def test_out_is_written_and_returned() -> None:
    out = np.full_like(X, 7)
    assert mpg.max_pool_v3_grad(X, Y, Y, **POOL, out=out) is out
    assert same_bits(out, mpg.max_pool_v3_grad(X, Y, Y, **POOL))


@pytest.mark.parametrize(
    "out",
    [None, np.zeros((1, 2, 4, 5), np.float32), X.astype(np.float16), np.zeros((2, 4, 4, 2), "f").T, [0]],
)
def test_out_of_a_wrong_form(out: Any) -> None:
    if out is None:
        out = X.copy()
        out.setflags(write=False)
    elif isinstance(out, np.ndarray) and out.shape == (2, 4, 4, 2):
        out = out[:1]
    with pytest.raises(mpg.MaxPoolGradError, match=r"max_pool_v3_grad: out is .*; it must be a contiguous"):
        mpg.max_pool_v3_grad(X, Y, Y, **POOL, out=out)


def test_an_earlier_call_does_not_let_a_float_pass() -> None:
    mpg.max_pool_v3_grad(X, Y, Y, **POOL)
    with pytest.raises(mpg.MaxPoolGradError, match="it must be a list of ints"):
        mpg.max_pool_v3_grad(X, Y, Y, ksize=[1, 1, 2.0, 2], strides=[1, 1, 2, 2])


def test_a_forked_process_has_threads_of_its_own() -> None:
    code = (
        "import os, numpy as np, maxpoolgrad_onnx as m\n"
        "x = np.random.default_rng(0).random((8, 8, 96, 96), 'f')\n"
        "a = dict(ksize=[1, 1, 3, 3], strides=[1, 1, 2, 2])\n"
        "y = m.max_pool_v3(x, **a, threads=3)\n"
        "g = m.max_pool_v3_grad(x, y, y, **a, threads=3)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    os._exit(int(not np.array_equal(g, m.max_pool_v3_grad(x, y, y, **a, threads=3))))\n"
        "print(os.waitpid(child, 0)[1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "0"


def test_a_large_result_begins_on_a_cache_line() -> None:
    x = np.zeros((1, 8, 256, 256), np.float32)
    y = mpg.max_pool_v3(x, **POOL)
    for result in (y, mpg.max_pool_v3_grad(x, y, y, **POOL)):
        assert result.ctypes.data % 64 == 0 or result.nbytes < 2**20
        assert result.flags.c_contiguous
        assert result.flags.writeable
