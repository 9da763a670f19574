"""What a run writes: outputs as they come, and ais_bench's summary at the end."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.files import make_folder, write_atomically

from .input_sets import InputSet
from .output_files import check_format, write_output
from .tensors import TensorInfo
from .timing import Summary, figures


class Results:
    """Writes outputs and keeps the table of files; without a folder it only keeps the table."""

    def __init__(
        self, output: str | os.PathLike[str] | None, dirname: str | None, outfmt: str, batch_axis: int
    ) -> None:
        """`output/dirname` is where files go; left out, `dirname` is date and time.

        `batch_axis` is the axis of outputs along which a batch of several files is taken apart. Raises
        MaxPoolGradError for a format that is none, and for a dirname without an output.
        """
        check_format(outfmt)
        if output is None and dirname is not None:
            raise MaxPoolGradError(
                f"output_dirname is {quoted(dirname)}, but there is no output; give --output, too",
                code="E10001",
            )
        if batch_axis < 0:
            raise MaxPoolGradError(
                f"output_batchsize_axis is {batch_axis}; it must be 0 or more", code="E10001"
            )
        self._root = None if output is None else Path(output)
        self._stamp = dirname or datetime.now().strftime("%Y_%m_%d-%H_%M_%S_%f")
        self._outfmt = outfmt
        self._batch_axis = batch_axis
        self._files: list[Path] = []
        self._table: dict[str, dict[str, list[str]]] = {}

    @property
    def files(self) -> tuple[Path, ...]:
        """The outputs that were written, in order."""
        return tuple(self._files)

    def add(self, files: InputSet, batch: int, infos: Sequence[TensorInfo], outputs: Sequence[Array]) -> None:
        """One run's outputs; of a batch of several files, a part for each of them.

        `batch` is the first input's first size. An output without it belongs to the whole batch and is
        called as its first file. Raises MaxPoolGradError where such an output has examples in it that only
        fill the batch up.
        """
        first = len(self._table)
        samples = files.samples
        for at, infiles in enumerate(samples):
            self._table[str(first + at)] = {"infiles": [str(path) for path in infiles], "outfiles": []}
        if self._root is None:
            return
        folder = make_folder(self._root / self._stamp)
        parts = len(files.stems) + files.padding
        for number, (info, output) in enumerate(zip(infos, outputs, strict=True)):
            pieces = self._pieces(files, parts, batch, info, output)
            for at, (stem, piece) in enumerate(zip(files.stems, pieces, strict=False)):
                path = write_output(folder, f"{stem}_{number}", piece, self._outfmt)
                self._files.append(path)
                self._table[str(first + at)]["outfiles"].append(str(path))

    def _pieces(
        self, files: InputSet, parts: int, batch: int, info: TensorInfo, output: Array
    ) -> Sequence[Array]:
        if parts == 1:
            return [output]
        axis = self._batch_axis
        if output.ndim > axis and output.shape[axis] == batch:
            return np.split(output, parts, axis)
        if files.padding:
            raise MaxPoolGradError(
                f"the last batch lacks {files.padding} files, and output {quoted(info.name)}, "
                f"{list(output.shape)}, cannot be taken apart: give a multiple of {parts} files, or "
                "--output_batchsize_axis"
            )
        return [output]

    def summary(self, times: Summary, batch: float, facts: dict[str, Any]) -> dict[str, Any]:
        """ais_bench's summary, with `facts` beside its own entries; throughput counts `batch` a run."""
        spans = {
            "NPU_compute_time": times.exec_time_list,
            "H2D_latency": times.h2d_time_list,
            "D2H_latency": times.d2h_time_list,
        }
        mean = figures(times.exec_time_list)["mean"]
        return {
            "filesinfo": self._table,
            **{name: {**figures(span), "count": len(span)} for name, span in spans.items()},
            "throughput": 1000 * batch / mean if mean else 0.0,
            "npu_compute_time_list": list(times.exec_time_list),
            "pid": os.getpid(),
            **facts,
        }

    def write(self, summary: dict[str, Any]) -> Path | None:
        """The summary as a file beside the folder of outputs; None where nothing is written."""
        if self._root is None:
            return None
        path = make_folder(self._root) / f"{self._stamp}_summary.json"
        write_atomically(path, json.dumps(summary, indent=2).encode())
        return path
