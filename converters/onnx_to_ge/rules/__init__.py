"""One rule per operator, a file per family. Importing this registers them all."""

from . import (  # noqa: F401
    activation,
    arithmetic,
    batch_norm,
    constant,
    conv_gradients,
    conv_transpose,
    convolution,
    direct,
    dropout,
    indexing,
    linear,
    padding,
    parts,
    pooling,
    reduction,
    relu_gradient,
    shape,
    sizes,
    slicing,
    softmax,
)
