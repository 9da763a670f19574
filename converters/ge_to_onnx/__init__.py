"""GE IR -> ONNX, one rule per operator: the way back that lets ONNX Runtime run a GE graph."""

from .convert import ge_to_onnx

__all__ = ["ge_to_onnx"]
