"""Max pooling as a module."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ..contract import PoolAttributes
from .operator import max_pool_v3


class MaxPoolV3(torch.nn.Module):
    """Max pooling with the operator's attributes, and its gradient by `torch.ops.npu.max_pool_v3_grad`.

    Attributes are those of maxpoolgrad_onnx.max_pool_v3: ksize and strides of four numbers each, pads
    [top, bottom, left, right]. Input and output are 4-D, float16 or float32.
    Raises MaxPoolGradError for attributes that the operator refuses.
    """

    def __init__(self, **attributes: Any) -> None:
        super().__init__()
        self.attributes = PoolAttributes.make(type(self).__name__, attributes).as_dict()

    def forward(self, x: Tensor) -> Tensor:
        """The maximum of each window."""
        return max_pool_v3(x, **self.attributes)

    def extra_repr(self) -> str:
        """The attributes, as they were given."""
        return ", ".join(f"{name}={value!r}" for name, value in self.attributes.items())
