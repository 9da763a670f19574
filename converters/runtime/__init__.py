"""A compiled model on the host or a device: sessions, runs from files."""

from .session import InferSession
from .tensors import TensorInfo
from .timing import Summary

__all__ = ["InferSession", "Summary", "TensorInfo"]
