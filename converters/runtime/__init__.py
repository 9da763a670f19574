"""A compiled model on the host: its GE IR back to ONNX, sessions, runs from files, training."""

from .session import InferSession, Summary
from .tensors import TensorInfo
from .to_onnx import ge_to_onnx

__all__ = ["InferSession", "Summary", "TensorInfo", "ge_to_onnx"]
