"""One rule per GE operator, the families of onnx_to_ge. Importing this registers them all."""

from . import (  # noqa: F401
    activation,
    arithmetic,
    batch_norm,
    constant,
    conv,
    convolution,
    direct,
    indexing,
    linear,
    pooling,
    reduction,
    shape,
    softmax,
)
