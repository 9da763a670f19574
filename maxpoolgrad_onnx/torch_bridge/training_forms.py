"""What torch.onnx.export(dynamo=True) writes in a form that a training step cannot use, in one that it can.

| in the graph of torch                    | the exporter's form          | here                  |
|------------------------------------------|------------------------------|-----------------------|
| aten._native_batch_norm_legit_functional | BatchNormalization without   | with training_mode 1  |
| (a batch norm in training mode)          | training_mode: other values  |                       |
| aten.split.Tensor, split_with_sizes      | SplitToSequence, SequenceAt  | a Slice for each part |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ..errors import MaxPoolGradError
from .standard import standard_opset


def training_forms() -> dict[Callable[..., Any], Callable[..., Any]]:
    """For torch.onnx.export's custom_translation_table, as `translation_table` is."""
    return {
        torch.ops.aten._native_batch_norm_legit_functional.default: _batch_norm,
        torch.ops.aten.split.Tensor: _split,
        torch.ops.aten.split_with_sizes.default: _split_with_sizes,
    }


def _batch_norm(
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
) -> Any:
    """torch: running' = (1 - m) running + m batch; ONNX has 1 - m as momentum."""
    if any(value is None for value in (weight, bias, running_mean, running_var)):
        raise MaxPoolGradError(
            "a batch norm without affine parameters or running statistics has no ONNX operator; "
            "use affine=True and track_running_stats=True"
        )
    op = standard_opset()
    y, mean, var = op.BatchNormalization(
        input,
        weight,
        bias,
        running_mean,
        running_var,
        epsilon=eps,
        momentum=1 - momentum,
        training_mode=int(training),
    )
    return y, mean, var, mean, var


def _split(self: Any, split_size: int, dim: int = 0) -> Any:
    length = _length(self, dim)
    sizes = [min(split_size, length - start) for start in range(0, length, split_size)]
    return _split_with_sizes(self, sizes, dim)


def _split_with_sizes(self: Any, split_sizes: Sequence[int], dim: int = 0) -> Any:
    """One Slice a part: the exporter counts a Split's outputs by an attribute that opset 13 lacks."""
    op = standard_opset()
    axis = op.Constant(value_ints=[dim])
    parts, start = [], 0
    for size in split_sizes:
        bounds = (op.Constant(value_ints=[bound]) for bound in (start, start + size))
        parts.append(op.Slice(self, *bounds, axis))
        start += size
    return parts


def _length(value: Any, dim: int) -> int:
    length = value.shape[dim]
    if not isinstance(length, int):
        raise MaxPoolGradError(
            f"a split along dimension {dim}, whose size is open, has an unknown number of parts; "
            "give it a fixed size"
        )
    return length
