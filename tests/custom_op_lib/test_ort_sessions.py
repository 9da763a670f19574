"""The library's life in a process: registrations, many sessions, many threads."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime as ort

import maxpoolgrad_onnx as mpg
from support import Case, random_cases, same_bits
from support_ort import TWO_BY_TWO, op_model, plain_options, plain_session, tensor_type

THREADS = 8


def cases_with_sessions(count: int) -> list[tuple[Case, np.ndarray, ort.InferenceSession]]:
    triples = []
    for case in random_cases(seed=11, count=count):
        attributes = {k: int(v) if isinstance(v, bool) else v for k, v in case.attributes.items()}
        types = [tensor_type(array.dtype) for array in case.inputs]
        session = plain_session(op_model(attributes, types=types), threads=2)
        triples.append((case, mpg.max_pool_v3_grad(*case.inputs, **case.attributes), session))
    return triples


def feeds() -> dict[str, np.ndarray]:
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    y = mpg.max_pool_v3(x, **TWO_BY_TWO)
    return {"orig_input": x, "orig_output": y, "grad": y + 1}


def run(session: ort.InferenceSession) -> np.ndarray:
    result: np.ndarray = session.run(None, feeds())[0]
    return result


def test_registering_twice_in_one_set_of_options() -> None:
    options = plain_options()
    options.register_custom_ops_library(mpg.get_library_path())
    model = op_model(TWO_BY_TWO).SerializeToString()
    sessions = [ort.InferenceSession(model, options, providers=["CPUExecutionProvider"]) for _ in range(2)]
    own = mpg.inference_session(model, sess_options=options)
    assert all(same_bits(run(session), run(own)) for session in sessions)


def test_two_copies_of_the_library_in_one_set_of_options(tmp_path: Path) -> None:
    """The second one finds the operator there already."""
    options = plain_options()
    options.register_custom_ops_library(str(shutil.copy(mpg.get_library_path(), tmp_path / "copy.so")))
    model = op_model(TWO_BY_TWO).SerializeToString()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    assert same_bits(run(session), run(plain_session(op_model(TWO_BY_TWO))))


def test_second_session_outlives_the_first_and_all_options() -> None:
    first, second = (plain_session(op_model(TWO_BY_TWO)) for _ in range(2))
    expected = run(first)
    del first
    gc.collect()
    assert same_bits(run(second), expected)
    third = plain_session(op_model(TWO_BY_TWO))
    del second
    gc.collect()
    assert same_bits(run(third), expected)


def test_library_is_loaded_again_and_again(tmp_path: Path) -> None:
    """In a process where no session is left: whatever is kept must still be there for the next one."""
    code = """
import gc, sys
import numpy as np
import maxpoolgrad_onnx as mpg

x, y = np.ones((1, 1, 4, 4), np.float32), np.ones((1, 1, 2, 2), np.float32)
for _ in range(50):
    session = mpg.inference_session(sys.argv[1])
    assert session.run(None, {"orig_input": x, "orig_output": y, "grad": y})[0].sum() == 4
    del session
    gc.collect()
"""
    path = tmp_path / "model.onnx"
    path.write_bytes(op_model(TWO_BY_TWO).SerializeToString())
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)


def test_eight_threads_create_sessions() -> None:
    expected = run(plain_session(op_model(TWO_BY_TWO)))

    def create_and_run(_: int) -> bool:
        return all(same_bits(run(plain_session(op_model(TWO_BY_TWO))), expected) for _ in range(5))

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(create_and_run, range(THREADS)))


def test_eight_threads_register_for_the_first_time() -> None:
    code = """
import threading
from concurrent.futures import ThreadPoolExecutor
import onnxruntime as ort
import maxpoolgrad_onnx as mpg

barrier = threading.Barrier(8)

def register(_):
    options = ort.SessionOptions()
    barrier.wait()
    options.register_custom_ops_library(mpg.get_library_path())

with ThreadPoolExecutor(8) as pool:
    list(pool.map(register, range(8)))
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_eight_threads_run_one_session(scale: Callable[[int, int], int]) -> None:
    triples = cases_with_sessions(scale(20, 200))

    def run_all(start: int) -> list[str]:
        wrong = []
        for case, expected, session in triples[start:] + triples[:start]:
            if not same_bits(session.run(None, case.feeds)[0], expected):
                wrong.append(case.name)
        return wrong

    with ThreadPoolExecutor(THREADS) as pool:
        assert [names for names in pool.map(run_all, range(THREADS)) if names] == []


def test_eight_threads_run_one_large_plane() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, 2, 200, 150)).astype(np.float32)
    attributes = {"ksize": [1, 1, 5, 5], "strides": [1, 1, 2, 2]}
    y = mpg.max_pool_v3(x, **attributes)
    expected = mpg.max_pool_v3_grad(x, y, y, **attributes, threads=1)
    session = plain_session(op_model(attributes), threads=4)
    arrays = {"orig_input": x, "orig_output": y, "grad": y}
    with ThreadPoolExecutor(THREADS) as pool:
        results = list(pool.map(lambda _: session.run(None, arrays)[0], range(3 * THREADS)))
    assert all(same_bits(result, expected) for result in results)


def test_refusing_threads_disturb_nobody() -> None:
    session = plain_session(op_model(TWO_BY_TWO))
    expected = run(session)

    def work(index: int) -> bool:
        wrong = {**feeds(), "grad": np.zeros((1, 1, 2, 3), np.float32)}
        for _ in range(50):
            if index % 2:
                try:
                    session.run(None, wrong)
                except Exception as error:
                    if "the shape of grad is [1, 1, 2, 3]" not in str(error):
                        return False
                else:
                    return False
            elif not same_bits(run(session), expected):
                return False
        return True

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(work, range(THREADS)))
