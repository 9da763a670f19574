"""A compiled model on the host: sessions, runs from files, training."""

from .session import InferSession
from .tensors import TensorInfo
from .timing import Summary

__all__ = ["InferSession", "Summary", "TensorInfo"]
