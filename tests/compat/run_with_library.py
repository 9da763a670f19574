"""Run as a program by an environment that has only ONNX Runtime and NumPy.

python run_with_library.py LIBRARY FOLDER runs FOLDER/N.onnx for N = 0, 1, ... with the feeds in N.npz, which
also holds what must come out ("expected") or be said ("sentence"). It prints one line of JSON: versions
and counts. The first thing that is not as it should be ends it with a traceback.
"""

from __future__ import annotations

import gc
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import numpy as np
import onnxruntime

THREADS = 8


def options_for(library: str, threads: int = 1) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    options.register_custom_ops_library(library)
    return options


def session_for(model: Path, library: str, threads: int = 1) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(
        str(model), options_for(library, threads), providers=["CPUExecutionProvider"]
    )


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and a.dtype == b.dtype and bool(np.all((a == b) | (np.isnan(a) & np.isnan(b))))


def read(folder: Path) -> list[tuple[Path, dict[str, np.ndarray], np.ndarray | str]]:
    entries = []
    for index in count():
        model = folder / f"{index}.onnx"
        if not model.exists():
            return entries
        with np.load(folder / f"{index}.npz") as arrays:
            feeds = dict(arrays)
        if "sentence" in feeds:
            entries.append((model, feeds, str(feeds.pop("sentence"))))
        else:
            entries.append((model, feeds, feeds.pop("expected")))


def check_values(entries: list, library: str) -> int:
    """Every value, with one thread and with the threads of ONNX Runtime's pool."""
    checked = 0
    for model, feeds, expected in entries:
        if isinstance(expected, str):
            continue
        for threads in (1, 4):
            session = session_for(model, library, threads)
            shape = session.get_outputs()[0].shape
            known = all(isinstance(d, int) for d in session.get_inputs()[0].shape)
            assert not known or tuple(shape) == expected.shape, (model, shape)
            assert same_bits(session.run(None, feeds)[0], expected), (model, threads)
        checked += 1
    return checked


def check_sentences(entries: list, library: str) -> int:
    """Every refusal, when the session is created or when it runs."""
    checked = 0
    for model, feeds, sentence in entries:
        if not isinstance(sentence, str):
            continue
        try:
            session_for(model, library).run(None, feeds)
        except Exception as error:
            message = str(error)
        else:
            message = "nothing was refused"
        assert sentence in message, (model, sentence, message)
        checked += 1
    return checked


def check_sessions(entries: list, library: str) -> None:
    """Two registrations, a session that outlives its options, threads that create sessions or share one."""
    model, feeds, expected = next(entry for entry in entries if not isinstance(entry[2], str))
    options = options_for(library)
    options.register_custom_ops_library(library)
    first, second = (onnxruntime.InferenceSession(str(model), options) for _ in range(2))
    del options, first
    gc.collect()
    assert same_bits(second.run(None, feeds)[0], expected)

    shared = session_for(model, library, 4)
    with ThreadPoolExecutor(THREADS) as pool:
        created = pool.map(lambda _: session_for(model, library).run(None, feeds)[0], range(THREADS))
        assert all(same_bits(result, expected) for result in created)
        results = pool.map(lambda _: shared.run(None, feeds)[0], range(4 * THREADS))
        assert all(same_bits(result, expected) for result in results)


def main(library: str, folder: Path) -> None:
    entries = read(folder)
    values, sentences = check_values(entries, library), check_sentences(entries, library)
    check_sessions(entries, library)
    report = {"onnxruntime": onnxruntime.__version__, "numpy": np.__version__}
    print(json.dumps({**report, "values": values, "sentences": sentences}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
