"""What is in an .om, of either layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from maxpoolgrad_onnx.errors import MaxPoolGradError

from ..ge_ir import DataType, Format, KernelLaunch
from ..om import OmFile, PartitionType, from_om, launches_of, metadata_of
from ..om.inout_info import TensorInfo, from_bytes
from ..om.kernels import Kernel, kernels_of
from ..om.metadata import BUILT_FOR, PLANNED_FOR
from ..om.task_types import task_types
from .ge_report import report_on_ge
from .report import KernelBinary, Partition, Port, Report

T = TypeVar("T")


def report_on_om(om: OmFile, file: str, size: int) -> Report:
    """The report on an .om.

    Where the graph in it is of a kind that this package does not read, the report says so among the oddities
    and gives what the container itself tells.
    """
    partitions = [
        Partition(partition.label, partition.size, number)
        for number, partitions in enumerate(om.models)
        for partition in partitions
    ]
    oddities = list(om.oddities)
    kernels = _read(lambda: kernels_of(om, file), list[Kernel](), "its binaries", oddities)
    tasks = _read(lambda: task_types(om, file), dict[str, int](), "its tasks", oddities)
    binaries = [KernelBinary(kernel.name, kernel.bytes, kernel.partition) for kernel in kernels]
    model = _read(lambda: from_om(om, file), None, "its graph", oddities)
    if model is None:
        report = _without_graph(om, file, size)
        return replace(report, partitions=partitions, oddities=oddities, kernels=binaries, tasks=tasks)
    launches = _read(lambda: dict(launches_of(om, file)), dict[str, KernelLaunch](), "its kernels", oddities)
    report = report_on_ge(model, file, "om", size, launches)
    metadata = metadata_of(model)
    attributes = {name: fact for name, fact in report.facts.items() if name not in (BUILT_FOR, PLANNED_FOR)}
    facts = {
        **_header_facts(om),
        "built for": metadata.built_for or "not said",
        **({"planned for": metadata.planned_for} if metadata.planned_for else {}),
        **attributes,
    }
    return replace(
        report, facts=facts, partitions=partitions, oddities=oddities, kernels=binaries, tasks=tasks
    )


def _read(read: Callable[[], T], otherwise: T, what: str, oddities: list[str]) -> T:
    """A part of the file; where it is damaged, `otherwise` and an oddity."""
    try:
        return read()
    except MaxPoolGradError as error:
        oddities.append(f"{what} cannot be read: {error}")
        return otherwise


def _header_facts(om: OmFile) -> dict[str, object]:
    header = om.header
    return {
        "layout": "old, 32-bit sizes" if header.has_old_layout else "current",
        "version": f"0x{header.version:08X}",
        "models": len(om.models),
        "name": header.model_name,
    }


def _without_graph(om: OmFile, file: str, size: int) -> Report:
    table = om.find(PartitionType.MODEL_INOUT_INFO)
    ports = from_bytes(table.data, file) if table else None
    weights = om.find(PartitionType.WEIGHTS_DATA)
    return Report(
        file=file,
        format="om",
        bytes=size,
        facts=_header_facts(om),
        inputs=[_port(info) for info in ports.inputs] if ports else [],
        outputs=[_port(info) for info in ports.outputs] if ports else [],
        operators={},
        weights=0,
        weight_bytes=weights.size if weights else 0,
        pool_nodes=[],
    )


def _port(info: TensorInfo) -> Port:
    """Numbers that GE does not have are shown as they are."""
    try:
        dtype = DataType.from_number(info.dtype).label
    except KeyError:
        dtype = str(info.dtype)
    known = info.format in Format._value2member_map_
    return Port(info.name, dtype, info.shape, Format(info.format).label if known else str(info.format))
