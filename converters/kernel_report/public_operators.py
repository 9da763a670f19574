"""What CANN's public operators move for the same gradient, in multiples of the least.

The least is what MaxPoolV3Grad must move: orig_input, orig_output and grad read once, out_grad written once.
`max_pool3d_grad_with_argmax` (A2, A3) gets indices instead of orig_input and orig_output, so it can stay
below 1. Its figures were counted by an instruction model on a CPU; those of `max_pool_v3_grad`, CANN's own on
the 950, are estimates from its sources. None of them was measured on an NPU.
"""

from __future__ import annotations

from dataclasses import dataclass

from .workloads import Workload


@dataclass(frozen=True)
class PublicTraffic:
    """The operator, and its traffic in multiples of the least: from `low` to `high`."""

    operator: str
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"


_ARGMAX = "max_pool3d_grad_with_argmax"
_BUILT_IN = "max_pool_v3_grad of CANN"


def public_traffic(workload: Workload, soc_version: str, dtype: str) -> PublicTraffic | None:
    """What is known for a workload, or None."""
    if not soc_version.startswith("Ascend950"):
        if not workload.overlaps:
            return PublicTraffic(_ARGMAX, 0.6, 0.7)
        traffic = {"float32": 1.09, "float16": 3.23}[dtype]
        return PublicTraffic(_ARGMAX, traffic, traffic)
    known = {(2, 2): 1.1}
    if dtype == "float16":
        known |= {(3, 2): 1.4, (3, 1): 2.0}
    traffic = known.get((workload.kernel, workload.stride), 0.0)
    return PublicTraffic(_BUILT_IN, traffic, traffic) if traffic else None
