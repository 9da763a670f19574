"""One run of the twin, in figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.native import max_pool_v3, max_pool_v3_grad

from .. import twin
from .paper import paper_passes
from .public_operators import PublicTraffic, public_traffic
from .workloads import Workload

_REPEAT_BYTES = 256


@dataclass(frozen=True)
class Measurement:
    """What a workload came to on a processor.

    Attributes:
        workload, soc_version, data_format, dtype, shape: what ran; `shape` is orig_input's.
        least: bytes that must move: orig_input, orig_output and grad read once, out_grad written once.
        traffic: bytes that moved, in multiples of the least.
        mean_burst: bytes.
        passes: vector repeats times the lanes of one, by out_grad's elements: how often an instruction passes
            over each; 0 for SIMT code.
        bound: what passes must be on paper, nothing rounded up; None where that has not been derived.
        imbalance: the busiest core's load by the mean one's, in bytes or vector repeats, whichever is worse.
        strategy: the plan's.
        public: what is known of CANN's nearest public operator.
    """

    workload: Workload
    soc_version: str
    data_format: str
    dtype: str
    shape: tuple[int, ...]
    least: int
    traffic: float
    mean_burst: float
    passes: float
    bound: float | None
    imbalance: float
    strategy: str
    public: PublicTraffic | None


def measure(workload: Workload, soc_version: str, data_format: str, dtype: str, batch: int) -> Measurement:
    """Run a workload on random numbers.

    Raises MaxPoolGradError for a processor that is not known, and where the twin finds a fault or other bits
    than the CPU kernel: figures of a wrong kernel are worth nothing.
    """
    rng = np.random.default_rng(0)
    attributes = workload.attributes(data_format)
    x = rng.standard_normal(workload.shape(batch, data_format), np.float32).astype(dtype)
    y = max_pool_v3(x, **attributes)
    grad = rng.standard_normal(y.shape, np.float32).astype(dtype)
    out_grad, report = twin.max_pool_v3_grad(x, y, grad, **attributes, soc_version=soc_version)
    if report.faults or out_grad.tobytes() != max_pool_v3_grad(x, y, grad, **attributes).tobytes():
        found = report.faults[0].sentence if report.faults else "its bits are not the CPU kernel's"
        raise MaxPoolGradError(f"{workload.name}, {data_format} {dtype} on {soc_version}: {found}")
    least = 2 * x.nbytes + 2 * y.nbytes
    return Measurement(
        workload=workload,
        soc_version=soc_version,
        data_format=data_format,
        dtype=dtype,
        shape=x.shape,
        least=least,
        traffic=report.traffic / least,
        mean_burst=report.mean_burst,
        passes=report.vector_repeats * (_REPEAT_BYTES // x.itemsize) / x.size,
        bound=paper_passes(workload, soc_version, data_format, dtype),
        imbalance=max(
            _imbalance([load.bytes_read + load.bytes_written for load in report.loads]),
            _imbalance([load.vector_repeats for load in report.loads]),
        ),
        strategy=report.strategy,
        public=public_traffic(workload, soc_version, dtype),
    )


def _imbalance(loads: Sequence[int]) -> float:
    return max(loads) * len(loads) / sum(loads) if any(loads) else 1.0
