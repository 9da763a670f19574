"""One rule per operator, a file per family. Importing this registers them all."""

from . import (
    activation,
    arithmetic,
    constant,
    conv,
    direct,
    indexing,
    linear,
    pooling,
    reduction,
    shape,
)

__all__ = [
    "activation",
    "arithmetic",
    "constant",
    "conv",
    "direct",
    "indexing",
    "linear",
    "pooling",
    "reduction",
    "shape",
]
