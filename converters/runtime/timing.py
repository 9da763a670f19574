"""Times of runs, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Summary:
    """Times of the runs so far, in milliseconds.

    `exec_time_list` is the model's own time; the other two are those of copying inputs to a device and
    outputs back, empty on the host.
    """

    exec_time_list: Sequence[float]
    h2d_time_list: Sequence[float] = ()
    d2h_time_list: Sequence[float] = ()

    def statistics(self) -> dict[str, float]:
        """min, max, mean, median, percentile(99%) in ms, and throughput in runs per second; empty without
        runs."""
        if not self.exec_time_list:
            return {}
        mean = float(np.mean(self.exec_time_list))
        return {**figures(self.exec_time_list), "throughput": 1000 / mean}


@dataclass(frozen=True)
class RunTimes:
    """The milliseconds of one run: the model's own, and those of the copies around it."""

    compute: float
    to_device: float | None = None
    to_host: float | None = None


def figures(times: Sequence[float]) -> dict[str, float]:
    """min, max, mean, median and percentile(99%), each 0 where there are no times."""
    array = np.array(times or [0.0])
    return {
        "min": float(array.min()),
        "max": float(array.max()),
        "mean": float(array.mean()),
        "median": float(np.median(array)),
        "percentile(99%)": float(np.percentile(array, 99)),
    }


def summary_of(times: Sequence[RunTimes]) -> Summary:
    """The times of several runs, in columns."""
    return Summary(
        tuple(run.compute for run in times),
        tuple(run.to_device for run in times if run.to_device is not None),
        tuple(run.to_host for run in times if run.to_host is not None),
    )
