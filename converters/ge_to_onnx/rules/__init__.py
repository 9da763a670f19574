"""One rule per GE operator, the families of onnx_to_ge. Importing this registers them all."""

from . import (  # noqa: F401
    activation,
    arithmetic,
    batch_norm,
    batch_norm_gradients,
    constant,
    conv_gradients,
    convolution,
    direct,
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
