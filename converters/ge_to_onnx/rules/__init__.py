"""One rule per GE operator, the families of onnx_to_ge. Importing this registers them all."""

from . import (  # noqa: F401
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
