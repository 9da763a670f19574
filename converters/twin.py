"""The operator on the CPU twin: the NPU's own kernels, run by a model of the NPU's instructions.

The twin computes the bits that the device computes, watches for what goes wrong on a device (memory that is
read before it is written, pipes that nothing orders, cores that meet on one address, and so on), and counts
what the kernel moves and does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from maxpoolgrad_onnx import _ascend
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import PoolAttributes, check_dtypes, check_shapes
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.native import contiguous

from .bind import check_processor, plan_launch, vector_cores
from .ge_ir import KernelLaunch

DEFAULT_SOC_VERSION = "Ascend910B1"

_MOST_BLOCKS = 65535
_KERNELS = "op_kernel"


@dataclass(frozen=True)
class TwinFault:
    """What the twin caught: its kind ("ub_out_of_bounds"), the core (-1 where it is of no single one), what
    happened, the kernel's source line ("file:line"), and how often it happened there."""

    kind: str
    core: int
    sentence: str
    where: str
    count: int


@dataclass(frozen=True)
class Load:
    """What one core did, or all of them: bytes from and to global memory, vector repeats of 256 bytes, scalar
    accesses."""

    bytes_read: int
    bytes_written: int
    vector_repeats: int
    scalar_ops: int


@dataclass(frozen=True)
class TwinReport:
    """What a run of the kernel came to.

    Attributes:
        faults: what the twin caught; empty for a kernel that is right.
        bytes_read, bytes_written: from and to global memory. SIMT code moves requests of 128 bytes: what its
            data cache misses, and what a warp stores at once.
        bursts: runs of consecutive bytes, as transfers move them.
        vector_repeats: vector instructions of 256 bytes.
        scalar_ops: scalar accesses to the unified buffer and to global memory.
        threads: of SIMT code.
        cores: vector cores in use.
        strategy: which way the plan chose.
        loads: what each core did.
        instructions: by name, how often they were issued and their repeats.
    """

    faults: list[TwinFault]
    bytes_read: int
    bytes_written: int
    bursts: int
    vector_repeats: int
    scalar_ops: int
    threads: int
    cores: int
    strategy: str
    loads: tuple[Load, ...]
    instructions: dict[str, tuple[int, int]]

    @property
    def traffic(self) -> int:
        """Bytes moved from and to global memory."""
        return self.bytes_read + self.bytes_written

    def figures(self) -> dict[str, str | int]:
        """The report in a few words, for tables."""
        return {
            "strategy": self.strategy,
            "cores": self.cores,
            "bytes read": self.bytes_read,
            "bytes written": self.bytes_written,
            "mean burst": round(self.mean_burst),
            "vector repeats": self.vector_repeats,
            "scalar accesses": self.scalar_ops,
        }

    @property
    def mean_burst(self) -> float:
        """Bytes in a burst; 0 where nothing was moved."""
        return self.traffic / self.bursts if self.bursts else 0.0


def max_pool_v3_grad(
    orig_input: npt.ArrayLike,
    orig_output: npt.ArrayLike,
    grad: npt.ArrayLike,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding_mode: str = "CALCULATED",
    pads: Sequence[int] = (0, 0, 0, 0),
    data_format: str = "NCHW",
    global_pooling: bool = False,
    ceil_mode: bool = False,
    soc_version: str = DEFAULT_SOC_VERSION,
    cores: int | None = None,
) -> tuple[Array, TwinReport]:
    """The gradient of max pooling as an NPU computes it, and the twin's report.

    Args:
        orig_input, orig_output, grad, ksize, strides, padding_mode, pads, data_format, global_pooling,
            ceil_mode: as maxpoolgrad_onnx.max_pool_v3_grad takes them.
        soc_version: the processor whose kernel runs, such as Ascend910B1 or Ascend950PR_9579.
        cores: how many of its vector cores the plan may use; all where left out.

    Returns:
        out_grad, with the same bits as maxpoolgrad_onnx.max_pool_v3_grad gives, and the report.

    Raises:
        MaxPoolGradError: what the operator refuses, a processor that is not known (EZ3003), a number of cores
            that it does not have.
    """
    subject = "max_pool_v3_grad"
    values = {
        "ksize": ksize,
        "strides": strides,
        "padding_mode": padding_mode,
        "pads": pads,
        "data_format": data_format,
        "global_pooling": global_pooling,
        "ceil_mode": ceil_mode,
    }
    attributes = PoolAttributes.make(subject, values)
    x, y, g = (np.asarray(array) for array in (orig_input, orig_output, grad))
    check_dtypes(subject, x.dtype.name, y.dtype.name, g.dtype.name)
    check_shapes(subject, attributes, x.shape, y.shape, g.shape)
    _check_cores(soc_version, cores)
    launch = plan_launch(attributes, x.dtype.name, x.shape, y.shape, soc_version, cores)
    return run_launch(launch, soc_version, x, y, g)


def run_launch(
    launch: KernelLaunch, soc_version: str, orig_input: Array, orig_output: Array, grad: Array
) -> tuple[Array, TwinReport]:
    """Run the kernel exactly as a launch says, on arrays of the shapes that it was planned for.

    Raises MaxPoolGradError for a processor that is not known, or a launch that no processor takes.
    """
    check_processor(soc_version)
    if launch.symbol != _ascend.KERNEL_NAME or not 1 <= launch.block_dim <= _MOST_BLOCKS:
        raise MaxPoolGradError(
            f"the launch is of kernel {launch.symbol!r} with block dim {launch.block_dim}; the twin has "
            f"{_ascend.KERNEL_NAME!r}, and takes 1 to {_MOST_BLOCKS} blocks: compile the model again"
        )
    out_grad = np.empty(orig_input.shape, orig_input.dtype.newbyteorder("="))
    native_launch = _ascend.Launch(
        launch.tiling_key,
        launch.tiling_data,
        launch.block_dim,
        sum(launch.workspaces),
        launch.schedule_mode,
        launch.local_memory_bytes,
    )
    x, y, g = (contiguous(array) for array in (orig_input, orig_output, grad))
    report = _ascend.run(soc_version, native_launch, x, y, g, out_grad)
    return out_grad, _report(report, launch)


def _check_cores(soc_version: str, cores: int | None) -> None:
    most = vector_cores(soc_version)
    if cores is not None and not 1 <= cores <= most:
        raise MaxPoolGradError(f"cores is {cores}; {soc_version} has 1 to {most}", code="E10001")


def _report(report: _ascend.Report, launch: KernelLaunch) -> TwinReport:
    total = report.total
    return TwinReport(
        faults=[_fault(fault) for fault in report.faults],
        bytes_read=total.read.bytes,
        bytes_written=total.written.bytes,
        bursts=total.read.bursts + total.written.bursts,
        vector_repeats=total.vector_repeats,
        scalar_ops=total.scalar_ops,
        threads=total.threads,
        cores=len(report.cores),
        strategy=_ascend.strategy_of(launch.tiling_key),
        loads=tuple(_load(counters) for counters in report.cores),
        instructions=total.instructions,
    )


def _load(counters: _ascend.Counters) -> Load:
    return Load(counters.read.bytes, counters.written.bytes, counters.vector_repeats, counters.scalar_ops)


def _fault(fault: _ascend.Fault) -> TwinFault:
    """The place in the kernel's sources is given from op_kernel/ on, not as on the builder's machine."""
    _, found, rest = fault.file.rpartition(f"{_KERNELS}/")
    where = f"{found}{rest}:{fault.line}" if fault.file else ""
    return TwinFault(fault.kind, fault.core, fault.sentence, where, fault.count)
