"""The traffic of many measurements in a table of Markdown: ours beside that of CANN's public operators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .measure import Measurement

Column = tuple[str, str]  # a processor, and a layout or "" for CANN's operator there


def traffic_table(measurements: Sequence[Measurement]) -> str:
    """A row for each pooling and dtype; for each processor a column a layout, and one for CANN's operator."""
    columns: dict[Column, str] = {}
    rows: dict[tuple[str, str], dict[Column, str]] = {}
    for measured in measurements:
        processor = measured.soc_version
        row = rows.setdefault((_pooling(measured), measured.dtype), {})
        columns.setdefault((processor, measured.data_format), f"{processor} {measured.data_format}")
        row[processor, measured.data_format] = f"{measured.traffic:.3f}"
        if measured.public is not None:
            public = measured.public
            columns[processor, ""] = f"{processor}, CANN's {public.operator}, {public.basis}"
            row[processor, ""] = str(public)
    order = sorted(columns, key=lambda column: (_first(columns, column[0]), column[1] == ""))
    lines = [["pooling", "dtype", *(columns[column] for column in order)], ["---"] * (2 + len(order))]
    lines += [[*names, *(cells.get(column, "") for column in order)] for names, cells in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _pooling(measured: Measurement) -> str:
    workload = measured.workload
    pad = f" p{workload.pad}" if workload.pad else ""
    size = f"{workload.channels} x {workload.size} x {workload.size}"
    return f"k{workload.kernel} s{workload.stride}{pad}, {_images(measured)} x {size}"


def _images(measured: Measurement) -> int:
    return measured.shape[0]


def _first(columns: Mapping[Column, str], processor: str) -> int:
    return [name for name, _ in columns].index(processor)
