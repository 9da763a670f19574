"""A run from files to files, with ais_bench's flags and results."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.files import make_folder, write_atomically

from ..progress import Progress
from .input_files import InputSet, input_sets, made_up, read_set
from .output_files import check_format, write_output
from .session import InferSession
from .tensors import TensorInfo


@dataclass(frozen=True)
class RunReport:
    """The output files, the summary (a file where outputs are written), and sentences to show.

    `kernels` is what the CPU twin counted in the last run, by node; empty with another kernel.
    """

    files: Sequence[Path]
    summary: dict[str, Any]
    summary_path: Path | None
    warnings: tuple[str, ...]
    kernels: Mapping[str, Mapping[str, str | int]]


def run(
    model_path: str | os.PathLike[str],
    *,
    inputs: Sequence[str | os.PathLike[str]] = (),
    output: str | os.PathLike[str] | None = None,
    output_dirname: str | None = None,
    outfmt: str = "BIN",
    loop: int = 1,
    warmup_count: int = 1,
    device: int = 0,
    batchsize: int | None = None,
    pure_data_type: str = "zero",
    kernel: str = "native",
    soc_version: str | None = None,
    progress: Progress | None = None,
) -> RunReport:
    """Run a model over files.

    Args: model_path: an .om, .air or .onnx. inputs: a file (.npy, .bin) or folder for each input; none: one
    run on made-up inputs. output: the folder for results; left out, nothing is written. They go to
    `<output>/<stamp>/<stem>_<n>.<ext>`, n the number of the output, and `<output>/<stamp>_summary.json`;
    stamp is `output_dirname`, or date and time. outfmt: "NPY", "BIN" or "TXT". loop: how often each input set
    is run; warmup_count: runs before, on the first set, that are not counted. device, kernel, soc_version: as
    InferSession takes them. batchsize: the size of an axis that the model leaves open, and the examples that
    throughput counts in a run. pure_data_type: "zero" or "random", what made-up inputs hold. progress: called
    with (input sets done, input sets in all).

    Raises MaxPoolGradError that names the file, flag or input.
    """
    check_format(outfmt)
    for name, value, least in (
        ("loop", loop, 1),
        ("warmup_count", warmup_count, 0),
        ("batchsize", batchsize, 1),
    ):
        if value is not None and value < least:
            raise MaxPoolGradError(f"{name} is {value}; it must be {least} or more", code="E10001")
    session = InferSession(device, model_path, kernel=kernel, soc_version=soc_version)
    infos = session.get_inputs()
    sets = input_sets(session.model_path, infos, inputs)
    results = _Results(output, output_dirname, outfmt)
    unmatched: Counter[str] = Counter()
    for number, files in enumerate(sets):
        arrays = (
            read_set(infos, files, batchsize) if files.files else made_up(infos, pure_data_type, batchsize)
        )
        if number == 0:
            _check_batch_size(session.model_path, infos, arrays, batchsize)
            for _ in range(warmup_count):
                session.infer(arrays)
            session.reset_summary()
        for _ in range(loop):
            outputs = session.infer(arrays)
        if files.files:
            unmatched.update(session.unmatched_windows(arrays))
        results.add(files, outputs)
        if progress is not None:
            progress(number + 1, len(sets))
    return results.report(session, batchsize or 1, _warnings(unmatched))


def _check_batch_size(
    model: str, infos: Sequence[TensorInfo], arrays: Sequence[Array], batch_size: int | None
) -> None:
    """Refuse a batch that no input has: throughput counts its examples."""
    if batch_size is not None and not any(array.shape[:1] == (batch_size,) for array in arrays):
        shapes = ", ".join(
            f"{quoted(info.name)} {list(array.shape)}" for info, array in zip(infos, arrays, strict=True)
        )
        raise MaxPoolGradError(
            f"{model}: batchsize is {batch_size}, but the inputs are {shapes}; give theirs, or leave it out",
            code="E10001",
        )


class _Results:
    """Writes outputs as they come, and the summary at the end; without a folder it only counts."""

    def __init__(self, output: str | os.PathLike[str] | None, dirname: str | None, outfmt: str) -> None:
        self._root = None if output is None else Path(output)
        self._stamp = dirname or datetime.now().strftime("%Y_%m_%d-%H_%M_%S_%f")
        self._outfmt = outfmt
        self._files: list[Path] = []
        self._table: dict[str, dict[str, list[str]]] = {}

    def add(self, files: InputSet, outputs: Sequence[Array]) -> None:
        """One run's outputs."""
        written = []
        if self._root is not None:
            folder = make_folder(self._root / self._stamp)
            stems = [f"{files.stem}_{number}" for number in range(len(outputs))]
            written = [
                write_output(folder, stem, array, self._outfmt)
                for stem, array in zip(stems, outputs, strict=True)
            ]
        self._files += written
        entry = {"infiles": [str(path) for path in files.files], "outfiles": [str(path) for path in written]}
        self._table[str(len(self._table))] = entry

    def report(self, session: InferSession, batch_size: int, warnings: tuple[str, ...]) -> RunReport:
        """The summary, written where outputs are."""
        times = session.summary().statistics()
        throughput = times.pop("throughput", 0.0) * batch_size
        kernels = {node: report.figures() for node, report in session.twin_reports().items()}
        summary = {
            "model": session.model_path,
            "compute_time_ms": times,
            "throughput": throughput,
            "filesinfo": self._table,
            **({"kernels": kernels} if kernels else {}),
        }
        path = None
        if self._root is not None:
            path = self._root / f"{self._stamp}_summary.json"
            write_atomically(path, json.dumps(summary, indent=2).encode())
        return RunReport(tuple(self._files), summary, path, warnings, kernels)


def _warnings(unmatched: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(
        f"{node}: {count} windows hold no element that equals their orig_output, so their gradients are "
        "lost; is it the output for this orig_input, in the same dtype?"
        for node, count in unmatched.items()
    )
