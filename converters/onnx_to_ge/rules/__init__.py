"""One rule per operator, a file per family. Importing this registers them all."""

from . import (  # noqa: F401
    activation,
    arithmetic,
    batch_norm,
    constant,
    conv,
    conv_transpose,
    convolution,
    direct,
    indexing,
    linear,
    pooling,
    reduction,
    shape,
    softmax,
)
