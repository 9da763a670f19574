"""ONNX -> GE IR, one rule per operator."""

from .convert import onnx_to_ge

__all__ = ["onnx_to_ge"]
