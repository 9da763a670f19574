"""How a node's kernel is started on a device: what GE calls an operator's run info."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KernelLaunch:
    """One launch, as a tiling function decides it.

    `symbol` is the kernel's name, `tiling_key` which of its variants runs, `tiling_data` the bytes that it
    reads its plan from, `block_dim` how many blocks run it. `workspaces` are sizes in bytes, what CANN keeps
    for itself included. `schedule_mode` is 1 where all blocks must run at once. `local_memory_bytes` is the
    part of the unified buffer that a SIMT kernel gets, 0 for other kernels.
    """

    symbol: str
    tiling_key: int
    tiling_data: bytes
    block_dim: int
    workspaces: tuple[int, ...] = ()
    schedule_mode: int = 0
    local_memory_bytes: int = 0

    def __str__(self) -> str:
        """The launch in a line; the tiling data by its size."""
        return (
            f"{self.symbol}, tiling key {self.tiling_key}, block dim {self.block_dim}, "
            f"{len(self.tiling_data)} bytes of tiling data, {sum(self.workspaces)} bytes of workspace"
        )
