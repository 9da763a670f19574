"""What torch.onnx.export(dynamo=True) writes for max pooling and its gradient.

| in the graph of torch                       | in the ONNX model                                            |
|---------------------------------------------|--------------------------------------------------------------|
| npu.max_pool_v3_grad                        | npu::MaxPoolV3Grad                                           |
| npu.max_pool_v3                             | MaxPool, between two Transposes where data_format is NHWC    |
| aten.max_pool2d_with_indices_backward       | npu::MaxPoolV3Grad of the pool's input, output and gradient  |
| aten.max_pool2d_with_indices                | MaxPool; Mod of its indices where something other than that  |
|                                             | gradient reads them                                          |

Without this table the exporter turns the gradient into two MaxPools, Slice, Sub and ScatterElements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ..contract import (
    DOMAIN,
    OP_TYPE,
    OPSET_VERSION,
    PoolAttributes,
    check_dtypes,
)
from ..errors import MaxPoolGradError
from ..padding import onnx_order
from ..schema import operator_schema
from .installed import require
from .standard import standard_opset

_POOLED = "maxpoolgrad.pooled"  # on the exporter's value of indices: the value of the pool's output


def translation_table() -> dict[Callable[..., Any], Callable[..., Any]]:
    """For `torch.onnx.export(..., dynamo=True, opset_version=18, custom_translation_table=...)`.

    The graph that is exported may hold PyTorch's own gradient (of a joint graph, made by
    torch.fx.experimental.proxy_tensor.make_fx for example) or calls of torch.ops.npu. Where the forward pool
    is in the graph as well, its output is read, not computed again.
    Raises MaxPoolGradError where onnxscript is missing; what the operator refuses (dilation, float64) is
    raised inside the exporter, which wraps it in its own error.
    """
    require("onnxscript")
    return {
        torch.ops.npu.max_pool_v3_grad.default: _grad,
        torch.ops.npu.max_pool_v3.default: _pool,
        torch.ops.aten.max_pool2d_with_indices.default: _pool_with_indices,
        torch.ops.aten.max_pool2d_with_indices_backward.default: _grad_by_indices,
    }


def _grad(orig_input: Any, orig_output: Any, grad: Any, **attributes: Any) -> Any:
    pool = PoolAttributes.make(OP_TYPE, attributes)
    return _node(pool, orig_input, orig_output, grad)


def _pool(x: Any, **attributes: Any) -> Any:
    pool = PoolAttributes.make("max_pool_v3", attributes)
    op = standard_opset()
    if pool.data_format == "NCHW":
        return op.MaxPool(x, **_max_pool_attributes(pool, pool.ksize[2:], pool.strides[2:]))[0]
    form = _max_pool_attributes(pool, pool.ksize[1:3], pool.strides[1:3])
    pooled, _ = op.MaxPool(op.Transpose(x, perm=[0, 3, 1, 2]), **form)
    return op.Transpose(pooled, perm=[0, 2, 3, 1])


def _max_pool_attributes(
    pool: PoolAttributes, kernel: Sequence[int], strides: Sequence[int]
) -> dict[str, Any]:
    window = {"kernel_shape": list(kernel), "strides": list(strides)}
    if pool.padding_mode == "CALCULATED":
        return {**window, "pads": list(onnx_order(pool.pads)), "ceil_mode": pool.ceil_mode}
    return {**window, "auto_pad": "SAME_UPPER" if pool.padding_mode == "SAME" else "VALID"}


def _pool_with_indices(
    self: Any,
    kernel_size: Sequence[int],
    stride: Sequence[int] = (),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    ceil_mode: bool = False,
) -> Any:
    """torch counts indices in a plane, ONNX in the whole tensor."""
    op = standard_opset()
    pooled, places = op.MaxPool(
        _batched(self, self), **_aten_attributes(kernel_size, stride, padding, dilation, ceil_mode)
    )
    plane = op.ReduceProd(op.Shape(self, start=-2), keepdims=0)
    result, indices = (_unbatched(value, self) for value in (pooled, op.Mod(places, plane)))
    indices.meta[_POOLED] = result
    return result, indices


def _grad_by_indices(
    grad_output: Any,
    self: Any,
    kernel_size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: bool,
    indices: Any,
) -> Any:
    """The indices are those of the maxima, which MaxPoolV3Grad finds by the pool's output."""
    form = _aten_attributes(kernel_size, stride, padding, dilation, ceil_mode)
    subject = "aten.max_pool2d_with_indices_backward"
    if any(step != 1 for step in form["dilations"]):
        raise MaxPoolGradError(
            f"{subject}: dilation is {list(dilation)}, and {OP_TYPE} has none; use a dilation of 1"
        )
    top, left, bottom, right = form["pads"]
    pool = PoolAttributes.make(
        subject,
        {
            "ksize": (1, 1, *form["kernel_shape"]),
            "strides": (1, 1, *form["strides"]),
            "pads": (top, bottom, left, right),
            "ceil_mode": form["ceil_mode"],
        },
    )
    pooled = indices.meta.get(_POOLED)
    if pooled is None:
        pooled = _unbatched(standard_opset().MaxPool(_batched(self, self), **form)[0], self)
    batched = (_batched(value, self) for value in (self, pooled, grad_output))
    return _unbatched(_node(pool, *batched), self)


def _aten_attributes(
    kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int], ceil: bool
) -> dict[str, Any]:
    return {
        "kernel_shape": _pair(kernel),
        "strides": _pair(stride or kernel),
        "pads": _pair(padding) * 2,
        "dilations": _pair(dilation),
        "ceil_mode": int(ceil),
    }


def _pair(values: Sequence[int]) -> list[int]:
    """torch takes one number for both axes."""
    return list(values) * 2 if len(values) == 1 else list(values)


def _node(pool: PoolAttributes, orig_input: Any, orig_output: Any, grad: Any) -> Any:
    from onnxscript.values import Op, Opset

    inputs = (orig_input, orig_output, grad)
    check_dtypes(OP_TYPE, *("" if value.dtype is None else value.dtype.numpy().name for value in inputs))
    attributes = {
        name: list(value) if isinstance(value, tuple) else value for name, value in pool.as_dict().items()
    }
    # The schema is given, not looked up: the table registers nothing with onnx.
    return Op(Opset(DOMAIN, OPSET_VERSION), OP_TYPE, operator_schema())(*inputs, **attributes)


def _batched(value: Any, like: Any) -> Any:
    """torch pools [C, H, W] as well; `like` is the pool's input, whose rank is known."""
    return standard_opset().Unsqueeze(value, _axis()) if len(like.shape) == 3 else value


def _unbatched(value: Any, like: Any) -> Any:
    return standard_opset().Squeeze(value, _axis()) if len(like.shape) == 3 else value


def _axis() -> Any:
    return standard_opset().Constant(value_ints=[0])
