from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt

SOC_VERSIONS: tuple[str, ...]
KERNEL_NAME: str

class Launch:
    tiling_key: int
    tiling_data: bytes
    block_dim: int
    workspace_bytes: int
    schedule_mode: int
    local_memory_bytes: int
    def __init__(
        self,
        tiling_key: int,
        tiling_data: bytes,
        block_dim: int,
        workspace_bytes: int,
        schedule_mode: int,
        local_memory_bytes: int,
    ) -> None: ...

class Fault:
    kind: str
    core: int
    sentence: str
    file: str
    line: int
    count: int

class Traffic:
    bytes: int
    bursts: int
    unaligned_bursts: int
    transfers: int
    burst_sizes: list[int]

class Counters:
    read: Traffic
    written: Traffic
    vector_instructions: int
    vector_repeats: int
    scalar_ops: int
    sync_alls: int
    threads: int
    instructions: dict[str, tuple[int, int]]

class Report:
    faults: list[Fault]
    total: Counters
    cores: list[Counters]

def vector_cores(soc_version: str) -> int: ...
def strategy_of(tiling_key: int) -> str: ...
def plan(
    soc_version: str,
    cores: int | None,
    attributes: Mapping[str, Any],
    dtype: str,
    orig_input: Sequence[int],
    orig_output: Sequence[int],
) -> Launch: ...
def run(
    soc_version: str,
    launch: Launch,
    orig_input: npt.NDArray[Any],
    orig_output: npt.NDArray[Any],
    grad: npt.NDArray[Any],
    out_grad: npt.NDArray[Any],
) -> Report: ...
