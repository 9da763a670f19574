"""A report as tables: every line fits a screen, save where a name is longer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..tables import Table
from .report import Dims, PoolNode, Port, Report

_LINE = 90  # characters of attributes beside their heading
_MOST_KERNELS = 50  # rows; --json has them all


def report_tables(report: Report) -> list[Table]:
    """The report as tables, those left out that would be empty; a table for each MaxPoolV3Grad."""
    summary = {
        "file": report.file,
        "format": report.format,
        "bytes": report.bytes,
        **report.facts,
        "weights": f"{report.weights} ({report.weight_bytes} bytes)",
    }
    partitions = [(part.model, part.type, part.bytes) for part in report.partitions]
    tables = [
        Table("", ("", ""), [(name, text_of(value)) for name, value in summary.items()]),
        Table("partitions", ("model", "type", "bytes"), partitions),
        _ports("inputs", report.inputs),
        _ports("outputs", report.outputs),
        Table("operators", ("type", "nodes"), list(report.operators.items())),
        Table("kernels", ("name", "bytes", "partition"), list(_kernels(report))),
        Table("tasks", ("type", "tasks"), list(report.tasks.items())),
        *(_pool(node) for node in report.pool_nodes),
        Table("oddities", ("",), [(oddity,) for oddity in report.oddities]),
    ]
    return [table for table in tables if table.rows]


def shape_of(shape: Dims) -> str:
    """A shape as text."""
    return "unknown" if shape is None else f"[{', '.join(map(str, shape))}]"


def text_of(value: Any) -> str:
    """An attribute's value as text: a list as a short one."""
    return f"[{','.join(map(str, value))}]" if isinstance(value, list | tuple) else str(value)


def _kernels(report: Report) -> Iterator[tuple[object, ...]]:
    for kernel in report.kernels[:_MOST_KERNELS]:
        yield kernel.name, kernel.bytes, kernel.partition
    more = len(report.kernels) - _MOST_KERNELS
    if more > 0:
        yield f"and {more} more: see --json", sum(k.bytes for k in report.kernels[_MOST_KERNELS:]), ""


def _ports(title: str, ports: Sequence[Port]) -> Table:
    rows = [(port.name, port.dtype, shape_of(port.shape), port.format) for port in ports]
    table = Table(title, ("name", "dtype", "shape", "format"), rows)
    if any(row[-1] for row in rows):
        return table
    return Table(title, table.headers[:-1], [row[:-1] for row in rows])  # ONNX has no formats


def _pool(node: PoolNode) -> Table:
    attributes = [("attributes" if not at else "", line) for at, line in enumerate(_lines(node.attributes))]
    inputs = [
        (port.name, f"{port.dtype}{shape_of(port.shape)} {port.format}".rstrip()) for port in node.inputs
    ]
    binding = [("binding", node.binding)] if node.binding else []
    return Table(f"MaxPoolV3Grad {node.name}".rstrip(), ("", ""), [*attributes, *inputs, *binding])


def _lines(attributes: Mapping[str, Any]) -> Iterator[str]:
    """name=value words, as many on a line as fit."""
    line = ""
    for name, value in attributes.items():
        word = f"{name}={text_of(value)}"
        if line and len(line) + 1 + len(word) > _LINE:
            yield line
            line = word
        else:
            line = f"{line} {word}".lstrip()
    if line:
        yield line
