"""What is in a model file: .onnx, .air, .om or a GE dump, as plain data, as tables and as a page."""

from .files import inspect_file
from .report import GraphNode, KernelBinary, Partition, PoolNode, Port, Report
from .report_tables import report_tables

__all__ = [
    "GraphNode",
    "KernelBinary",
    "Partition",
    "PoolNode",
    "Port",
    "Report",
    "inspect_file",
    "report_tables",
]
