"""One rule per operator, a file per family. Importing this registers them all."""

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
