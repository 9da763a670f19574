"""A compiled model on the host: sessions, runs from files, training."""

from .session import InferSession, Summary
from .tensors import TensorInfo

__all__ = ["InferSession", "Summary", "TensorInfo"]
