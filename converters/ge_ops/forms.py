"""Forms of ONNX that a GE operator is marked with, where its nodes alone do not tell them (ONNX_FORM).

Both directions agree on them; a reader that does not know them loses nothing but the exact way back.
"""

from __future__ import annotations

import numpy as np

FEWER_AXES = "fewer axes"
"""An operator between Unsqueeze and Squeeze was one on lines [N, C, L], rows [N, C] or vectors [K]."""
GLOBAL_MAX_POOL = "GlobalMaxPool"
"""A ReduceMax over all axes behind the second was GlobalMaxPool, which treats NaN in its own way."""
POWER = "Pow"
"""A Cast behind a Pow is part of it: ONNX's result has the type of the base, GE's that of both together."""
RUNNING = "BatchNormalization"
"""An Add that mixes running with batch statistics is part of the BatchNormalization that trains, and so is
what counts an open batch for it."""


def running_factor(momentum: float, bias: float) -> float:
    """What a batch's statistics are multiplied by in running ones, as a float32: (1 - momentum) bias."""
    return float(np.float32((1 - momentum) * bias))


def running_terms(momentum: float, channels: int) -> tuple[float, float]:
    """whole and part of the same as whole - part / (n channels), where n is counted at run time and bias is
    (n - 1) / n."""
    return float(np.float32(1 - momentum)), float(np.float32((1 - momentum) * channels))
