"""What the kernel of A2 and A3 must cost in vector instructions on paper, as docs/kernel.md derives it."""

from __future__ import annotations

from .workloads import Workload

# By kernel and stride: float16, NCHW, nothing rounded up to whole repeats, no padding, no margins.
_PASSES = {(2, 2): 4.6, (3, 2): 10.75, (3, 1): 35.5, (13, 1): 39.6}


def paper_passes(workload: Workload, soc_version: str, data_format: str, dtype: str) -> float | None:
    """Passes over each number of out_grad; None where no bound has been derived."""
    if soc_version.startswith("Ascend950") or (data_format, dtype) != ("NCHW", "float16"):
        return None
    return _PASSES.get((workload.kernel, workload.stride))
