"""PyTorch: the operator as a custom op, max pooling with its gradient, export to ONNX.

operator.py      torch.ops.npu.max_pool_v3 and max_pool_v3_grad, which run the native CPU kernels
pooling.py       `MaxPoolV3`, the module
translation.py   what torch.onnx.export(dynamo=True) is to write for them, and for PyTorch's own gradient
training.py      from a module to a training step

Importing this package imports torch and registers the two operators; it is an optional extra,
`pip install 'maxpoolgrad[torch]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import import_on_first_use
from .installed import torch as torch  # first: says what to install where it is missing
from .operator import max_pool_v3 as max_pool_v3
from .operator import max_pool_v3_grad as max_pool_v3_grad
from .pooling import MaxPoolV3 as MaxPoolV3
from .translation import translation_table as translation_table

if TYPE_CHECKING:
    from .training import ExportedStep as ExportedStep
    from .training import export_forward as export_forward
    from .training import export_training_step as export_training_step

# Public name -> the module that defines it; these import onnx as well.
_HOMES = {"ExportedStep": "training", "export_forward": "training", "export_training_step": "training"}

__all__ = sorted([*_HOMES, "MaxPoolV3", "max_pool_v3", "max_pool_v3_grad", "translation_table"])  # noqa: PLE0605

import_on_first_use(__name__, _HOMES)
