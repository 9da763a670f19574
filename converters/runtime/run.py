"""A run from files to files, with ais_bench's flags and results."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..progress import Progress
from .input_files import made_up, read_inputs
from .input_sets import MADE_UP, InputSet, input_sets
from .open_sizes import OpenSizes
from .results import Results
from .session import InferSession
from .tensors import TensorInfo, checked_feeds
from .timing import Summary


@dataclass(frozen=True)
class RunReport:
    """The output files, the summary (a file where outputs are written), and sentences to show.

    `batch` is what throughput counts as one run. `kernels` is what the CPU twin counted in the last run, by
    node; empty with another kernel.
    """

    files: Sequence[Path]
    summary: dict[str, Any]
    summary_path: Path | None
    warnings: tuple[str, ...]
    kernels: Mapping[str, Mapping[str, str | int]]
    times: Summary
    batch: int
    inputs: Sequence[TensorInfo]
    outputs: Sequence[TensorInfo]


def run(
    model_path: str | os.PathLike[str],
    *,
    inputs: Sequence[str | os.PathLike[str]] = (),
    output: str | os.PathLike[str] | None = None,
    output_dirname: str | None = None,
    outfmt: str = "BIN",
    output_batchsize_axis: int = 0,
    loop: int = 1,
    warmup_count: int = 1,
    device: int = 0,
    backend: str = "auto",
    acl_json_path: str | os.PathLike[str] | None = None,
    batchsize: int | None = None,
    open_sizes: OpenSizes | None = None,
    pure_data_type: str = "zero",
    kernel: str = "native",
    soc_version: str | None = None,
    arguments: Sequence[str] = (),
    progress: Progress | None = None,
) -> RunReport:
    """Run a model over files.

    Args:
        model_path: an .om, .air or .onnx.
        inputs: as input_columns takes them; none: one run on made-up inputs.
        output: the folder for results; left out, nothing is written. They go to
            `<output>/<stamp>/<stem>_<n>.<ext>`, n the number of the output, and
            `<output>/<stamp>_summary.json`.
        output_dirname: the stamp; left out, date and time.
        outfmt: "NPY", "BIN" or "TXT".
        output_batchsize_axis: the axis of outputs along which a batch of several files is taken apart.
        loop: how often each input set is run.
        warmup_count: runs before, on the first set, that are not counted.
        device, backend, acl_json_path, kernel, soc_version: as InferSession takes them.
        batchsize: the first size where the model leaves it open, and the examples that throughput counts in a
            run; left out, the first size of the first input.
        open_sizes: further sizes that the model leaves open.
        pure_data_type: "zero" or "random", what made-up inputs hold.
        arguments: the command line, for the summary.
        progress: called with (input sets done, input sets in all).

    Raises MaxPoolGradError that names the file, flag or input.
    """
    results = Results(output, output_dirname, outfmt, output_batchsize_axis)
    for name, value, least in (
        ("loop", loop, 1),
        ("warmup_count", warmup_count, 0),
        ("batchsize", batchsize, 1),
    ):
        if value is not None and value < least:
            raise MaxPoolGradError(f"{name} is {value}; it must be {least} or more", code="E10001")
    sizes = replace(open_sizes or OpenSizes(), batchsize=batchsize)
    unmatched: Counter[str] = Counter()
    batch = 1
    with InferSession(
        device, model_path, acl_json_path, backend=backend, kernel=kernel, soc_version=soc_version
    ) as session:
        infos = sizes.fixed(session.model_path, session.get_inputs())
        sets = input_sets(session.model_path, infos, inputs)
        for number, files in enumerate(sets):
            arrays = _arrays(infos, files, pure_data_type)
            if number == 0:
                _check_batch_size(session.model_path, infos, arrays, batchsize)
                batch = batchsize or _first_size(arrays)
            feeds = checked_feeds(session.model_path, infos, arrays)
            for _ in range(warmup_count if number == 0 else 0):
                session.infer(feeds, sizes.mode)
            if number == 0:
                session.reset_summary()
            for _ in range(loop):
                outputs = session.infer(feeds, sizes.mode)
            if files is not MADE_UP:
                unmatched.update(session.unmatched_windows(feeds))
            results.add(files, _first_size(arrays), session.get_outputs(), outputs)
            if progress is not None:
                progress(number + 1, len(sets))
        kernels = {node: report.figures() for node, report in session.twin_reports().items()}
        facts = {"args": list(arguments), "model": session.model_path, "backend": session.backend}
        times = session.summary()
    summary = results.summary(times, batch, facts | ({"kernels": kernels} if kernels else {}))
    return RunReport(
        results.files,
        summary,
        results.write(summary),
        _warnings(unmatched),
        kernels,
        times,
        batch,
        session.get_inputs(),
        session.get_outputs(),
    )


def _arrays(infos: Sequence[TensorInfo], files: InputSet, pure_data_type: str) -> list[Array]:
    return made_up(infos, pure_data_type) if files is MADE_UP else read_inputs(infos, files.files)


def _first_size(arrays: Sequence[Array]) -> int:
    """The first input's, which ais_bench takes for the batch; 1 where there is none."""
    return arrays[0].shape[0] if arrays and arrays[0].ndim else 1


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


def _warnings(unmatched: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(
        f"{node}: {count} windows hold no element that equals their orig_output, so their gradients are "
        "lost; is it the output for this orig_input, in the same dtype?"
        for node, count in unmatched.items()
    )
