"""Windows without a match: pool windows whose gradient goes nowhere, because no input equals their output."""

from __future__ import annotations

import numpy as np

from .arrays import Array
from .contract import PoolAttributes
from .native import max_pool_v3_grad


def windows_without_match(attributes: PoolAttributes, orig_input: Array, orig_output: Array) -> int:
    """How many windows hold no element of `orig_input` that equals their element of `orig_output`.

    Both 4-D, one dtype, float16 or float32, shapes as the operator wants them. A window that lies in the
    padding alone (its output is -Inf) has nothing to give and is not counted. More than none means that
    `orig_output` is not what pooling gave for this `orig_input`: rounded through another precision, say.
    """
    gives = orig_output != -np.inf
    # A gradient of 1 arrives once, or never: float32 adds up to 255 x 255 of them at one place exactly.
    arrived = max_pool_v3_grad(
        orig_input.astype(np.float32),
        orig_output.astype(np.float32),
        gives.astype(np.float32),
        **attributes.as_dict(),
    )
    return int(np.count_nonzero(gives)) - int(arrived.sum(dtype=np.float64))
