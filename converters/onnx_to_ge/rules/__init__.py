"""One rule per operator, a file per family. Importing this registers them all."""

from . import (
    activation,
    arithmetic,
    constant,
    conv,
    conv_gradients,
    direct,
    indexing,
    linear,
    max_pool_grad,
    pooling,
    reduction,
    shape,
)

__all__ = [
    "activation",
    "arithmetic",
    "constant",
    "conv",
    "conv_gradients",
    "direct",
    "indexing",
    "linear",
    "max_pool_grad",
    "pooling",
    "reduction",
    "shape",
]
