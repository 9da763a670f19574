"""The prototypes of the GE operators that the converters write and read; the tables are in families/.

Restated from the operators' public prototypes (REG_OP), release of August 2026.
"""

from __future__ import annotations

from .families import (
    convolution,
    elementwise,
    ends,
    indexing,
    matrix,
    normalisation,
    parts,
    pooling,
    reduction,
    shape,
)
from .prototype import Prototype

_FAMILIES = (
    ends,
    convolution,
    pooling,
    matrix,
    elementwise,
    normalisation,
    reduction,
    shape,
    parts,
    indexing,
)

PROTOTYPES: dict[str, Prototype] = {
    prototype.type: prototype for family in _FAMILIES for prototype in family.OPERATORS
}
"""By type."""
