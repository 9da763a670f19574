"""Element types of a compiled model: lowering float32 to float16, and the types of its outputs."""

from .lower import lower
from .mode import Precision
from .outputs import set_output_types

__all__ = ["Precision", "lower", "set_output_types"]
