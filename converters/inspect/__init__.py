"""What is in a model file: .onnx, .air or .om, as plain data and as tables."""

from .files import inspect_file
from .report import Partition, PoolNode, Port, Report

__all__ = ["Partition", "PoolNode", "Port", "Report", "inspect_file"]
