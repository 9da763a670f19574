"""What CANN's public operators move for the same gradient, in multiples of the least.

The least is what MaxPoolV3Grad must move: orig_input, orig_output and grad read once, out_grad written once.
None of the figures was measured on an NPU.
"""

from __future__ import annotations

from dataclasses import dataclass

from .workloads import Workload


@dataclass(frozen=True)
class PublicTraffic:
    """The operator, what its figure rests on, and its traffic in multiples of the least: `low` to `high`."""

    operator: str
    basis: str
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"


def public_traffic(workload: Workload, soc_version: str, dtype: str) -> PublicTraffic | None:
    """What is known for a workload, or None."""
    if soc_version.startswith("Ascend950"):
        return _built_in(workload, dtype)
    return _with_argmax(workload, dtype)


def _with_argmax(workload: Workload, dtype: str) -> PublicTraffic:
    """A2 and A3 have no kernel of MaxPoolV3Grad; this one comes nearest, and is given the winners' indices.

    It was counted by an instruction model on a CPU, once without overlap and once with: the figure does not
    depend on the shape here.
    """
    low, high = (0.6, 0.7)  # it does not read orig_input and orig_output
    if workload.overlaps:
        low = high = {"float32": 1.09, "float16": 3.23}[dtype]
    return PublicTraffic("max_pool3d_grad_with_argmax", "from indices", low, high)


def _built_in(workload: Workload, dtype: str) -> PublicTraffic | None:
    """CANN's own kernel of MaxPoolV3Grad, on the 950 only: estimates from its sources."""
    known = {(2, 2): 1.1}
    if dtype == "float16":
        known |= {(3, 2): 1.4, (3, 1): 2.0}
    traffic = known.get((workload.kernel, workload.stride))
    return PublicTraffic("max_pool_v3_grad", "estimated", traffic, traffic) if traffic else None
